# The hooks of zsh: before each redraw, at the end of a line, around commands. Every key waits for the redraw, so its
# work for each key is in one function: zsh maps memory for every function that it calls.

typeset -g  _ashlet_running=             # the running command
typeset -gF _ashlet_started_at=0
typeset -g  _ashlet_ran_in=
typeset -g  _ashlet_told_cwd=
typeset -g  _ashlet_parser=
typeset -gi _ashlet_event=0              # its number in the history
typeset -g  _ashlet_unsure=              # the report of a command that a hook may have kept out of the history
typeset -gi _ashlet_kept=0               # this shell has written its history to a file at least once
typeset -gi _ashlet_written=0            # the running command goes to the history file
typeset -g  _ashlet_unsure_line=         # that command
typeset -g  _ashlet_session="\"$$\""     # JSON: the process id, and the history in front unless it is the usual one
typeset -g  _ashlet_histfile=${HISTFILE-}   # its value at the start of the shell

.ashlet:begin-line() {
  .ashlet:reset-state
  .ashlet:rebind-once
  [[ ${CONTEXT-} == (start|cont) ]] || return 0
  [[ $CONTEXT == start ]] || _ashlet_failed=0
  # Another history in front, as after `fc -p`: its lines are not offered once it is gone.
  _ashlet_session="\"$$\""
  [[ ${HISTFILE-} == "$_ashlet_histfile" ]] || { .ashlet:json-string "$$ ${HISTFILE-}"; _ashlet_session=$_ashlet_result }
  .ashlet:tell-context
  if (( ASHLET_MIN_INPUT == 0 || _ashlet_failed )); then
    # An empty line is also a request if no letter is required, or for a repair. zsh redraws only with the first key.
    _ashlet_lbuffer=$'\0'
    .ashlet:line-pre-redraw
  elif (( ${#_ashlet_outbox} )) && ! (( _ashlet_private || _ashlet_foreign )); then
    .ashlet:may-send && .ashlet:connect && .ashlet:flush-outbox
  fi
  return 0
}

# The only place that notices changes: of the text or the cursor, by any widget.
.ashlet:line-pre-redraw() {
  [[ -z $_ashlet_segment || $BUFFER != *"$_ashlet_segment" ]] || .ashlet:reclaim-row
  if [[ $_ashlet_lbuffer == "$LBUFFER" && $_ashlet_rbuffer == "$RBUFFER" ]]; then
    [[ -n $_ashlet_message ]] || (( _ashlet_candidate_count || _ashlet_private )) && .ashlet:keep-row
    return 0
  fi
  local -i changed=1
  [[ $_ashlet_lbuffer$_ashlet_rbuffer == "$BUFFER" ]] && changed=0
  (( _ashlet_at_history_tip = HISTNO == HISTCMD ))
  # During a paste or fast typing, the last key asks, even if it restores the previous line.
  if (( ${KEYS_QUEUED_COUNT:-0} || PENDING )); then
    (( _ashlet_candidate_count )) && .ashlet:narrow-candidates
    (( changed )) && _ashlet_lbuffer=$'\0'
    return 0
  fi
  _ashlet_lbuffer=$LBUFFER
  _ashlet_rbuffer=$RBUFFER
  [[ -n $_ashlet_message ]] && .ashlet:clear-candidates
  (( _ashlet_dismissed && ! changed )) && return 0
  _ashlet_dismissed=0
  .ashlet:may-ask || { .ashlet:ask-nothing; return 0 }
  if (( _ashlet_candidate_count )); then
    if (( changed )); then .ashlet:narrow-candidates; else .ashlet:clear-candidates; fi
  fi
  _ashlet_state=fetching
  if (( _ashlet_foreign )); then
    .ashlet:start-waiting
  else
    .ashlet:send-request || .ashlet:give-up-asking
  fi
  return 0
}

# The current line is private, or too short.
.ashlet:ask-nothing() {
  (( _ashlet_wait_fd )) && .ashlet:stop-waiting
  .ashlet:clear-candidates
  _ashlet_state=idle
  (( _ashlet_private )) && .ashlet:show-private
  return 0
}

# The line is unchanged: restores the row if another plugin or a new width removed it.
.ashlet:keep-row() {
  if (( _ashlet_private )) && [[ -z $_ashlet_segment ]]; then .ashlet:show-private; return 0; fi
  [[ ${POSTDISPLAY-} == *"$_ashlet_segment" && -n $_ashlet_segment && $_ashlet_row_columns -eq COLUMNS ]] && return 0
  if [[ -n $_ashlet_message ]]; then .ashlet:place-row "$_ashlet_message" ''; return 0; fi
  [[ $_ashlet_state == (fetching|showing|browsing) ]] && (( _ashlet_candidate_count )) || return 0
  .ashlet:show-row
}

.ashlet:rejoin() {
  .ashlet:keep-row
  return 0
}

.ashlet:end-line() {
  .ashlet:reclaim-row
  .ashlet:reset-state
  # Otherwise children inherit the connection and keep it open.
  .ashlet:disconnect
  return 0
}

# vi users leave insert mode with ESC: this also dismisses, without a binding that would delay the key.
.ashlet:keymap-select() {
  if [[ $KEYMAP == vicmd && -n $_ashlet_segment ]] && (( ! _ashlet_private )); then .ashlet:do-dismiss; fi
  return 0
}

# A command begins: $1 is the typed line, $2 the active history options of the user.
.ashlet:begin-command() {
  .ashlet:disconnect
  .ashlet:report-if-kept
  _ashlet_running=
  (( _ashlet_private )) || [[ -z $1 || ${#1} -gt 2048 ]] && return 0
  .ashlet:is-kept "$1" "$2" || return 0
  _ashlet_running=$1
  _ashlet_event=$HISTCMD
  _ashlet_written=0
  .ashlet:writes-history && _ashlet_written=1
  _ashlet_ran_in=$PWD
  _ashlet_started_at=$EPOCHREALTIME
}

# Whether zsh keeps the line $1 in its history with the options $2. A hook of the user may still refuse it.
.ashlet:is-kept() {
  # A shell that gave up its history, its file or its length, reports nothing from then on.
  if .ashlet:keeps-history; then
    _ashlet_kept=1
  elif (( _ashlet_kept )) || [[ -n $_ashlet_histfile && ${HISTFILE-} != "$_ashlet_histfile" ]]; then
    return 1
  fi
  [[ $1 == [[:blank:]]* ]] && return 1
  [[ $2 == *ignored* ]] && return 1
  [[ $2 == *space* ]] && .ashlet:has-quiet-alias "$1" 8 && return 1
  [[ $2 == *store* ]] && [[ $1 == (builtin[[:blank:]]##|)(history|fc[[:blank:]]##-*l)* ]] && return 1
  [[ $2 == *functions* ]] && [[ $1 == (function[[:blank:]]*|[^[:blank:]]##[[:blank:]]#\(\)*) ]] && return 1
  return 0
}

# Whether a word of $1 is an alias that begins with a blank, or stands for one, at most $2 levels deep. zsh only checks
# words where a command begins; a word with that name elsewhere costs at most one line.
.ashlet:has-quiet-alias() {
  local word
  for word in ${(z)1}; do
    [[ -n ${aliases[$word]-} && $word != ${aliases[$word]%%[[:blank:]]*} ]] || continue
    [[ ${aliases[$word]} == [[:blank:]]* ]] && return 0
    (( $2 )) && .ashlet:has-quiet-alias "${aliases[$word]}" $(( $2 - 1 )) && return 0
  done
  return 1
}

# $1 as HIST_REDUCE_BLANKS writes it. Sets _ashlet_result.
.ashlet:reduce-blanks() {
  _ashlet_result=${(j: :)${(z)1}}
}

# A hook's refusal is visible only at the next line: then this line is not in the history, whatever replaced it.
.ashlet:report-if-kept() {
  [[ -n $_ashlet_unsure ]] || return 0
  zmodload zsh/parameter 2>/dev/null && [[ ${history[$_ashlet_event]-} == "$_ashlet_unsure_line" ]] && .ashlet:post "$_ashlet_unsure"
  _ashlet_unsure=
}

# The command that ran has ended with status $1.
.ashlet:end-command() {
  .ashlet:stop-waiting
  .ashlet:disconnect
  .ashlet:erase-row
  _ashlet_failed=0
  if [[ -n $_ashlet_running ]]; then
    (( _ashlet_failed = $1 != 0 && $1 <= 128 ))
    .ashlet:post-executed $1
    _ashlet_running=
  fi
  .ashlet:ask-download
  return 0
}

.ashlet:post-executed() {
  (( _ashlet_private || _ashlet_foreign )) && return 0
  local line cwd extra=
  local -i duration_ms=$(( (EPOCHREALTIME - _ashlet_started_at) * 1000 ))
  .ashlet:json-string "$_ashlet_running"; line=$_ashlet_result
  .ashlet:json-string "$_ashlet_ran_in"; cwd=$_ashlet_result
  # A shell opened by an AI CLI: its habits are not the user's.
  [[ -n ${CLAUDECODE-}${COPANE_AGENT-} ]] && extra=',"agent":true'
  # Stores nothing that zsh writes to no file, or temporarily to another one. A hook may keep a line only out of the
  # file, without notice: such a line is stored once the file has it.
  local -i hooked=$(( ${+functions[zshaddhistory]} || ${#zshaddhistory_functions} ))
  (( _ashlet_written && ! hooked )) && .ashlet:writes-history || extra+=',"store":false'
  local report="{\"type\":\"event\",\"event\":\"executed\",\"line\":$line,\"cwd\":$cwd,\"session_id\":$_ashlet_session,\"exit\":$1,\"duration_ms\":$duration_ms$extra,\"reply\":false}"
  if (( hooked )); then
    _ashlet_unsure=$report
    _ashlet_unsure_line=$_ashlet_running
  else
    .ashlet:post "$report"
  fi
}

# Whether zsh writes its history to the file that it started with.
.ashlet:writes-history() {
  [[ ${HISTFILE-} == "$_ashlet_histfile" ]] && .ashlet:keeps-history
}

# Whether zsh writes its history to a file. A file that is not regular keeps nothing, nor does a length of one.
.ashlet:keeps-history() {
  [[ -n ${HISTFILE-} && ${SAVEHIST:-0} -gt 0 && ${HISTSIZE:-0} -gt 1 ]] || return 1
  if [[ -e $HISTFILE ]]; then [[ -f $HISTFILE && -w $HISTFILE ]]; else [[ -w ${HISTFILE:h} ]]; fi
}

# Tells the daemon the folder of this shell and, once, its names. Sent with the next request.
.ashlet:tell-context() {
  [[ $_ashlet_told_cwd == "$PWD" ]] && return 0
  local cwd histfile searchpath names=
  .ashlet:json-string "$PWD"; cwd=$_ashlet_result
  local message="{\"type\":\"context\",\"cwd\":$cwd,\"session_id\":\"$$\",\"reply\":false"
  if [[ -z $_ashlet_told_cwd ]]; then
    .ashlet:json-string "${${HISTFILE-}:+${HISTFILE:A}}"; histfile=$_ashlet_result
    .ashlet:json-string "${PATH[1,4096]}"; searchpath=$_ashlet_result
    if zmodload zsh/parameter 2>/dev/null; then
      local name
      local -a pairs
      for name in ${(k)aliases}; do pairs+=("$name=${aliases[$name]}"); done
      .ashlet:json-string "${${(pj:\x1f:)pairs}[1,6000]}"
      message+=",\"aliases\":$_ashlet_result"
      names="${(k)aliases} ${(k)functions[(I)[A-Za-z]*]}"
      (( ${#names} > 6000 )) && { names=${names[1,6000]% *}; message+=',"names_cut":true' }
      .ashlet:json-string "$names"; names=",\"names\":$_ashlet_result"
    fi
    message+=",\"histfile\":$histfile,\"path\":$searchpath$names"
  fi
  _ashlet_told_cwd=$PWD
  .ashlet:post "$message}"
}

.ashlet:fit-row() {
  [[ -n $_ashlet_segment ]] || return 0
  .ashlet:hide-row
  .ashlet:keep-row
  zle -R
  return 0
}
