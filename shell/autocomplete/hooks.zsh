# What zsh calls: before each redraw, when a line ends, around commands. The redraw is what every key waits for: what
# it does at each key stands in one function, since zsh maps a new piece of memory for every function that it calls.

typeset -g  _ashlet_running=             # the command that runs now
typeset -gF _ashlet_started_at=0
typeset -g  _ashlet_ran_in=
typeset -g  _ashlet_told_cwd=
typeset -g  _ashlet_parser=
typeset -gi _ashlet_event=0              # its number in the history
typeset -g  _ashlet_unsure=              # the report of a command that a hook may have kept out of the history
typeset -gi _ashlet_kept=0               # this shell wrote its history to a file once
typeset -gi _ashlet_written=0            # the command that runs goes to the history file
typeset -g  _ashlet_unsure_line=         # that command
typeset -g  _ashlet_histfile=${HISTFILE-}   # as it was when the shell began

.ashlet:begin-line() {
  .ashlet:reset-state
  .ashlet:rebind-once
  [[ ${CONTEXT-} == (start|cont) ]] || return 0
  [[ $CONTEXT == start ]] || _ashlet_failed=0
  .ashlet:tell-context
  if (( ASHLET_MIN_INPUT == 0 || _ashlet_failed )); then
    # An empty line is a question too, if no letter is required, or for a repair. zsh redraws with the first key only.
    _ashlet_lbuffer=$'\0'
    .ashlet:line-pre-redraw
  elif (( ${#_ashlet_outbox} )) && ! (( _ashlet_private || _ashlet_foreign )); then
    .ashlet:may-send && .ashlet:connect && .ashlet:flush-outbox
  fi
  return 0
}

# The one place that notices changes: of the text, of the cursor, by whatever widget.
.ashlet:line-pre-redraw() {
  [[ -z $_ashlet_segment || $BUFFER != *"$_ashlet_segment" ]] || .ashlet:reclaim-row
  if [[ $_ashlet_lbuffer == "$LBUFFER" && $_ashlet_rbuffer == "$RBUFFER" ]]; then
    [[ -n $_ashlet_message ]] || (( _ashlet_candidate_count || _ashlet_private )) && .ashlet:keep-row
    return 0
  fi
  local -i changed=1
  [[ $_ashlet_lbuffer$_ashlet_rbuffer == "$BUFFER" ]] && changed=0
  (( _ashlet_at_history_tip = HISTNO == HISTCMD ))
  # In the middle of a paste or of fast typing: the last key asks, also when it brings back the line that was.
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

# The line as it stands is nobody's business, or too short.
.ashlet:ask-nothing() {
  (( _ashlet_wait_fd )) && .ashlet:stop-waiting
  .ashlet:clear-candidates
  _ashlet_state=idle
  (( _ashlet_private )) && .ashlet:show-private
  return 0
}

# The line is the same: put the row back if another plugin or a new width took it away.
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
  # Children inherit the connection otherwise, and keep it open as long as they live.
  .ashlet:disconnect
  return 0
}

# vi users leave insert mode by ESC: that dismisses too, without a binding that would delay the key.
.ashlet:keymap-select() {
  if [[ $KEYMAP == vicmd && -n $_ashlet_segment ]] && (( ! _ashlet_private )); then .ashlet:do-dismiss; fi
  return 0
}

# A command begins: $1 is what was typed, $2 the options of the user's history that are set.
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

# Whether zsh keeps the line $1 in its history under the options $2. A hook of the user may still refuse it.
.ashlet:is-kept() {
  # A shell that gave up its history, its file or its length, keeps to itself what runs from then on.
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

# Whether a word of $1 is an alias that begins with a blank, or stands for one, at most $2 deep. zsh looks at words where
# a command begins; a word of that name elsewhere costs no more than one line.
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

# A hook's refusal shows with the next line only: then the line is not in the history, whatever the hook put there for it.
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
  # A shell that an AI CLI opened: its habits are not the user's.
  [[ -n ${CLAUDECODE-}${COPANE_AGENT-} ]] && extra=',"agent":true'
  # What zsh writes to no file, or to another one for the time being, is written to none. A hook may keep a line from the
  # file alone, which nobody is told: it is stored once it stands there.
  local -i hooked=$(( ${+functions[zshaddhistory]} || ${#zshaddhistory_functions} ))
  (( _ashlet_written && ! hooked )) && .ashlet:writes-history || extra+=',"store":false'
  local report="{\"type\":\"event\",\"event\":\"executed\",\"line\":$line,\"cwd\":$cwd,\"session_id\":\"$$\",\"exit\":$1,\"duration_ms\":$duration_ms$extra,\"reply\":false}"
  if (( hooked )); then
    _ashlet_unsure=$report
    _ashlet_unsure_line=$_ashlet_running
  else
    .ashlet:post "$report"
  fi
}

# Whether zsh writes its history to the file that it began with.
.ashlet:writes-history() {
  [[ ${HISTFILE-} == "$_ashlet_histfile" ]] && .ashlet:keeps-history
}

# Whether zsh writes its history to a file. One that is no regular file keeps nothing, and a history of one line is none.
.ashlet:keeps-history() {
  [[ -n ${HISTFILE-} && ${SAVEHIST:-0} -gt 0 && ${HISTSIZE:-0} -gt 1 ]] || return 1
  if [[ -e $HISTFILE ]]; then [[ -f $HISTFILE && -w $HISTFILE ]]; else [[ -w ${HISTFILE:h} ]]; fi
}

# Tells the daemon where this shell is and, once, what it knows. Sent with the next request.
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
