# From a change of the line to a visible row: request, answer, checks. Starts no process, except for daemons without a
# quiet time.

# No daemon: visible rows stay while they fit, and the next redraw tries again.
.ashlet:give-up-asking() {
  _ashlet_lbuffer=$'\0'
  (( _ashlet_candidate_count )) || _ashlet_state=idle
  return 0
}

# Keeps ASHLET_DELAY for a daemon that cannot. zsh has no timer below a second, so this takes a process.
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

# The connection is readable or closed. Several descriptors may be ready at once, and an earlier handler may have closed
# this one: only reads the one that we own.
.ashlet:complete-callback() {
  if (( $1 == _ashlet_complete_fd )); then .ashlet:drain; else { zle -F $1 } 2>/dev/null; fi
  return 0
}

# Whether Ctrl-C needs the trap of guard-line: a daemon whose answers come to a handler. Reads the user's trap, which
# stays. Without one, a function named precmd runs before all others and would be skipped (see `.ashlet:nothing`).
.ashlet:wants-guard() {
  .ashlet:socket-path
  [[ -S $_ashlet_result ]] || return 1
  .ashlet:capture trap
  [[ -n $_ashlet_captured ]] || return 1
  # A trap of ours that was left over has the user's behind it.
  [[ ${functions[TRAPINT]-} == *.ashlet:* ]] || _ashlet_trap_body=${functions[TRAPINT]-}
  [[ $_ashlet_result == *_ashlet_trap_returned* ]] && return 0
  _ashlet_trap_list=
  if [[ $_ashlet_result == *trap\ --\ *\ INT(|$'\n'*) ]]; then
    local -a words
    words=(${(z)_ashlet_result})
    _ashlet_trap_list=${(Q)words[${words[(I)INT]}-1]}
    # Ignored.
    [[ -n $_ashlet_trap_list ]] || return 1
  fi
  [[ -n $_ashlet_trap_list$_ashlet_trap_body || -z ${functions[precmd]-} ]]
}

# Wakes zsh repeatedly, with a signal that does nothing else: on a busy machine the first ones may come before it waits
# for keys. The process ends when stop-waking closes the pipe, or with the shell, but not with the next Ctrl-C.
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

# Reads the available data without waiting, and takes every complete response in it.
.ashlet:drain() {
  local chunk line
  local -i status_code=0 closed=0
  while (( ! closed )); do
    chunk=
    # zsh maps larger buffers anew each time; a response is rarely longer.
    sysread -i $_ashlet_complete_fd -t 0 -s 8192 chunk
    status_code=$?
    case $status_code in
      (0)
        _ashlet_inbox+=$chunk
        # A complete response: more data, or the end, wakes the handler again.
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

# The result of a model for the description in the line: a candidate, or the reason why there is none.
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

# Slow sources have results that were not in answer $1. Requests them at once if that answer is still shown and the user
# is not choosing.
.ashlet:ask-again() {
  (( $1 == _ashlet_answered_id )) && [[ $_ashlet_state != (fetching|browsing) ]] && zle && .ashlet:same-state || return 0
  local -F ASHLET_DELAY=0
  .ashlet:send-request && _ashlet_state=fetching
  return 0
}

# Handles a response; drops it if it is old, invalid, or for another line than the current one.
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
  # An answer to an older question that arrives after a newer one was sent must not end the waiting.
  (( _ashlet_parsed_id >= _ashlet_newest_id )) || return 0
  _ashlet_sent_at=0
  _ashlet_unanswered_bytes=0
  _ashlet_strikes=0
  _ashlet_off_until=0
  (( _ashlet_asked_id && _ashlet_parsed_id == _ashlet_asked_id )) && { .ashlet:take-command; return 0 }
  # Asks once about a missing model, at the next prompt, whatever else the response has.
  [[ $_ashlet_parsed_error == model_not_found ]] && .ashlet:offer-download
  zle && [[ $_ashlet_state == (fetching|showing|browsing) ]] || return 0
  [[ $_ashlet_lbuffer == "$LBUFFER" && $_ashlet_rbuffer == "$RBUFFER" ]] || return 0
  # The user is choosing: rows must not change meanwhile.
  [[ $_ashlet_state == browsing ]] && return 0
  if (( ${#_ashlet_parsed_completions} )); then
    # All at once, so that TAB always applies the visible row.
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
