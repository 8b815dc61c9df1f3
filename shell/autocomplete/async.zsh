# From a change of the line to a shown row: request, answer, checks. No process but for daemons that keep no
# quiet time.

# Nobody to ask: what is shown stays while it still fits, and the next redraw tries again.
.ashlet:give-up-asking() {
  _ashlet_lbuffer=$'\0'
  (( _ashlet_candidate_count )) || _ashlet_state=idle
  return 0
}

# Keeps ASHLET_DELAY for a daemon that cannot. zsh has no timer below a second: this is one process.
.ashlet:start-waiting() {
  local -i fd centiseconds=$(( 100 * ASHLET_DELAY ))
  .ashlet:stop-waiting
  zmodload zsh/zselect 2>/dev/null &&
    sysopen -r -o cloexec -u fd <(zselect -t $centiseconds; print) 2>/dev/null ||
    { .ashlet:send-request || .ashlet:give-up-asking; return 0 }
  _ashlet_wait_fd=fd
  zle -Fw $fd .ashlet:wait-callback
}

.ashlet:stop-waiting() {
  local -i fd=_ashlet_wait_fd
  _ashlet_wait_fd=0
  .ashlet:close-fd $fd
}

.ashlet:wait-callback() {
  if (( $1 == _ashlet_wait_fd )); then .ashlet:end-waiting; else { zle -F $1 } 2>/dev/null; fi
  return 0
}

.ashlet:end-waiting() {
  .ashlet:stop-waiting
  (( ${KEYS_QUEUED_COUNT:-0} || PENDING )) && return 0
  .ashlet:same-state || return 0
  .ashlet:send-request || .ashlet:give-up-asking
  return 0
}

# The connection has something to read, or was closed. Several descriptors may be ready at once and an earlier
# handler may have closed this one: only the one that we own is read.
.ashlet:complete-callback() {
  if (( $1 == _ashlet_complete_fd )); then .ashlet:drain; else { zle -F $1 } 2>/dev/null; fi
  return 0
}

# Whether Ctrl-C needs the trap of guard-line: there is somebody whose answers come to a handler, and no trap of the
# user stands. One of ours that is left over is as good. A function named precmd runs before all others and would be
# skipped (see `.ashlet:nothing`).
.ashlet:wants-guard() {
  .ashlet:socket-path
  [[ -S $_ashlet_result && -z ${functions[precmd]-} && ${functions[TRAPINT]-.ashlet:} == *.ashlet:* ]] || return 1
  .ashlet:capture trap
  [[ -n $_ashlet_captured && $_ashlet_result != *\ INT(|$'\n'*) ]]
}

# Wakes zsh again and again, by a signal that does nothing else: on a busy machine the first ones may come before it
# waits for keys. The end of the pipe that stop-waking closes ends the process, as the end of the shell does; the next
# Ctrl-C does not.
.ashlet:wake-zsh() {
  .ashlet:stop-waking
  local -i fd
  sysopen -r -o cloexec -u fd <(
    trap '' INT
    zmodload zsh/zselect
    repeat 500; do
      zselect -t 1
      print && kill -CHLD $$ || exit
    done
  ) 2>/dev/null && _ashlet_wake_fd=fd
}

.ashlet:stop-waking() {
  .ashlet:close-fd $_ashlet_wake_fd
  _ashlet_wake_fd=0
}

# Reads what is there without waiting, and takes every complete response in it.
.ashlet:drain() {
  local chunk line
  local -i status_code=0 closed=0
  while (( ! closed )); do
    chunk=
    # More than this zsh maps anew each time; a response is seldom longer.
    sysread -i $_ashlet_complete_fd -t 0 -s 8192 chunk
    status_code=$?
    case $status_code in
      (0)
        _ashlet_inbox+=$chunk
        # A whole response: what comes behind it, or its end, wakes the handler again.
        [[ $chunk == *$'\n' ]] && break
        ;;
      (4) break ;;
      (*) closed=1 ;;
    esac
    (( ${#_ashlet_inbox} > _ashlet_max_inbox_bytes )) && closed=1
  done
  # A daemon may close without a last newline.
  (( closed )) && [[ -n $_ashlet_inbox ]] && _ashlet_inbox+=$'\n'
  while [[ $_ashlet_inbox == *$'\n'* ]]; do
    line=${_ashlet_inbox%%$'\n'*}
    # The pattern `#*$'\n'` would try every length.
    _ashlet_inbox=${_ashlet_inbox[${#line}+2,-1]}
    .ashlet:take-response "$line"
  done
  if (( closed )); then
    local -i asked=_ashlet_asked_id
    .ashlet:disconnect
    (( asked )) && .ashlet:say 'copane went away before the model had answered.'
  fi
  return 0
}

# What a model wrote for the description that stands in the line: a candidate, or the sentence why there is none.
.ashlet:take-command() {
  _ashlet_asked_id=0
  if [[ $_ashlet_parsed_kind == command ]]; then
    _ashlet_message=
    _ashlet_candidate_count=1
    _ashlet_completions=("${_ashlet_parsed_completions[1]}")
    _ashlet_cursors=('')
    _ashlet_risks=("${_ashlet_parsed_risks[1]:-no known risk}")
    _ashlet_author=${_ashlet_parsed_message:-model}
    _ashlet_notes=("$_ashlet_author")
    _ashlet_browse_index=0
    _ashlet_state=showing
    zle && { .ashlet:show-row; zle -R }
  else
    .ashlet:say "${_ashlet_parsed_message:-This daemon writes no commands.}"
  fi
  return 0
}

# Slow sources have something now that was not in answer $1. Asked for at once, if that answer still stands and nobody
# is choosing.
.ashlet:ask-again() {
  (( $1 == _ashlet_answered_id )) && [[ $_ashlet_state != (fetching|browsing) ]] && zle && .ashlet:same-state || return 0
  local -F ASHLET_DELAY=0
  .ashlet:send-request && _ashlet_state=fetching
  return 0
}

# One response: dropped when it is old, is no response, or is for another line than the one that stands.
.ashlet:take-response() {
  _ashlet_parsed_id=0
  _ashlet_parsed_completions=()
  _ashlet_parsed_cursors=()
  _ashlet_parsed_risks=()
  _ashlet_parsed_notes=()
  _ashlet_parsed_reasons=()
  _ashlet_parsed_error=
  _ashlet_parsed_message=
  _ashlet_parsed_kind=
  _ashlet_parsed_models=()
  case $1 in
    (sep1$'\x1f'*) _ashlet_foreign=0; .ashlet:parse-separated "$1" || return 0 ;;
    (\{*) .ashlet:parse-json-response "$1" || return 0 ;;
    (more$'\x1f'${~_ashlet_number}) .ashlet:ask-again ${1#*$'\x1f'}; return 0 ;;
    (*) return 0 ;;
  esac
  (( _ashlet_parsed_id > _ashlet_last_resp_id )) || return 0
  _ashlet_last_resp_id=_ashlet_parsed_id
  # To an older question, even when it comes after the newer one was sent: it must not end the waiting.
  (( _ashlet_parsed_id >= _ashlet_newest_id )) || return 0
  _ashlet_sent_at=0
  _ashlet_unanswered_bytes=0
  _ashlet_strikes=0
  _ashlet_off_until=0
  (( _ashlet_asked_id && _ashlet_parsed_id == _ashlet_asked_id )) && { .ashlet:take-command; return 0 }
  # A missing model is asked about once, at the next prompt, whatever else came with the word.
  [[ $_ashlet_parsed_error == model_not_found ]] && .ashlet:offer-download
  zle && [[ $_ashlet_state == (fetching|showing|browsing) ]] || return 0
  [[ $_ashlet_lbuffer == "$LBUFFER" && $_ashlet_rbuffer == "$RBUFFER" ]] || return 0
  # The user is choosing: rows do not move under the finger.
  [[ $_ashlet_state == browsing ]] && return 0
  if (( ${#_ashlet_parsed_completions} )); then
    # All at once: what is shown is always what TAB applies.
    _ashlet_response=$1
    _ashlet_candidate_count=${#_ashlet_parsed_completions}
    _ashlet_completions=("${(@)_ashlet_parsed_completions}")
    _ashlet_cursors=("${(@)_ashlet_parsed_cursors}")
    _ashlet_risks=("${(@)_ashlet_parsed_risks}")
    _ashlet_notes=("${(@)_ashlet_parsed_notes}")
    _ashlet_reasons=("${(@)_ashlet_parsed_reasons}")
    _ashlet_browse_index=0
    _ashlet_state=showing
    .ashlet:show-row
  else
    # Errors are silent.
    .ashlet:clear-candidates
    if [[ -n $_ashlet_parsed_error ]]; then _ashlet_state=error; else _ashlet_state=idle; fi
  fi
  _ashlet_answered_id=_ashlet_parsed_id
  (( ${KEYS_QUEUED_COUNT:-0} || PENDING )) || zle -R
}
