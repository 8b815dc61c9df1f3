# What zsh calls: at a new line, before each redraw, when a line ends, around commands, on signals.

typeset -g  _ashlet_running=             # the command that runs now
typeset -gF _ashlet_started_at=0
typeset -g  _ashlet_ran_in=
typeset -g  _ashlet_told_cwd=
typeset -g  _ashlet_parser=

.ashlet:line-init() {
  # What is open at PS2. Read here: a nested function and [[ ]] have a parser state of their own.
  _ashlet_parser=${(%):-%_}
  .ashlet:guarded .ashlet:begin-line
  return 0
}

.ashlet:begin-line() {
  .ashlet:reset-state
  .ashlet:rebind-once
  .ashlet:join-autosuggestions
  [[ ${CONTEXT-} == (start|cont) ]] || return 0
  # An empty line is a question too, if no letter is required.
  (( ASHLET_MIN_INPUT == 0 )) && _ashlet_lbuffer=$'\0'
  .ashlet:tell-context
  (( ASHLET_MIN_INPUT > 0 )) && (( ${#_ashlet_outbox} )) && ! (( _ashlet_private || _ashlet_foreign )) &&
    .ashlet:may-send && .ashlet:connect && .ashlet:flush-outbox
  return 0
}

.ashlet:line-pre-redraw() {
  .ashlet:guarded .ashlet:notice-change
  return 0
}

# The one place that notices changes: of the text, of the cursor, by whatever widget.
.ashlet:notice-change() {
  .ashlet:reclaim-row
  if .ashlet:same-state; then
    .ashlet:keep-row
    return 0
  fi
  local -i changed=0
  [[ $_ashlet_lbuffer$_ashlet_rbuffer == "$BUFFER" ]] || changed=1
  (( _ashlet_at_history_tip = HISTNO == HISTCMD ))
  # In the middle of a paste or of fast typing: the last key asks, also when it brings back the line that was.
  if (( ${KEYS_QUEUED_COUNT:-0} || PENDING )); then
    .ashlet:narrow-candidates
    (( changed )) && _ashlet_lbuffer=$'\0'
    return 0
  fi
  if (( _ashlet_dismissed )); then
    if (( ! changed )); then .ashlet:save-state; return 0; fi
    _ashlet_dismissed=0
  fi
  if ! .ashlet:may-ask; then
    .ashlet:stop-waiting
    .ashlet:clear-candidates
    .ashlet:save-state
    _ashlet_state=idle
    (( _ashlet_private )) && .ashlet:show-private
    return 0
  fi
  if (( changed )); then .ashlet:narrow-candidates; else .ashlet:clear-candidates; fi
  .ashlet:trigger-async
  return 0
}

# Whether the line as it stands may be sent to the daemon.
.ashlet:may-ask() {
  (( _ashlet_at_history_tip && ! _ashlet_private && ! ${ZLE_RECURSIVE:-0} )) || return 1
  (( ${#BUFFER} >= ASHLET_MIN_INPUT && ${#BUFFER} <= 2048 )) || return 1
  # A leading blank asks for privacy.
  [[ $BUFFER != [[:blank:]]* && $KEYMAP != (menuselect|isearch|vicmd|visual) ]] || return 1
  case $CONTEXT in
    (start) return 0 ;;
    # At PS2 only where a command may begin: not in a quotation or a here-document.
    (cont) [[ $_ashlet_parser != *(quote|heredoc|subst|math|cond|array)* ]] ;;
    (*) return 1 ;;
  esac
}

# The line is the same: put the row back if another plugin or a new width took it away.
.ashlet:keep-row() {
  if (( _ashlet_private )) && [[ -z $_ashlet_segment ]]; then .ashlet:show-private; return 0; fi
  [[ $_ashlet_state == (fetching|showing|browsing) ]] && (( _ashlet_candidate_count )) || return 0
  [[ ${POSTDISPLAY-} == *"$_ashlet_segment" && -n $_ashlet_segment && $_ashlet_row_columns -eq COLUMNS ]] && return 0
  .ashlet:show-row
}

# zsh-autosuggestions puts its suggestion in place of all that is displayed, whenever its own process is done, and
# no hook is run then: a call at the end of its function brings the row back behind the suggestion.
.ashlet:join-autosuggestions() {
  local body=${functions[_zsh_autosuggest_suggest]-}
  [[ -z $body || $body == *.ashlet:* ]] && return 0
  functions[_zsh_autosuggest_suggest]=$body$'\n(( ! ${+functions[.ashlet:rejoin]} )) || .ashlet:rejoin'
}

.ashlet:rejoin() {
  eval "$_ashlet_options"
  .ashlet:keep-row
  return 0
}

.ashlet:line-finish() {
  eval "$_ashlet_options"
  .ashlet:reclaim-row
  .ashlet:reset-state
  # Children inherit the connection otherwise, and keep it open as long as they live.
  .ashlet:disconnect
  return 0
}

# vi users leave insert mode by ESC: that dismisses too, without a binding that would delay the key.
.ashlet:keymap-select() {
  .ashlet:guarded .ashlet:follow-keymap
  return 0
}

.ashlet:follow-keymap() {
  if [[ $KEYMAP == vicmd && -n $_ashlet_segment ]] && (( ! _ashlet_private )); then .ashlet:do-dismiss; fi
  return 0
}

# Runs before a command: $1 is what was typed.
.ashlet:preexec() {
  eval "$_ashlet_options"
  .ashlet:disconnect
  _ashlet_running=
  (( _ashlet_private )) || [[ -z $1 || $1 == [[:blank:]]* || ${#1} -gt 2048 ]] && return 0
  # HISTORY_IGNORE is a pattern of the user: what it keeps out of the history is kept out here too.
  [[ -n ${HISTORY_IGNORE-} && $1 == ${~HISTORY_IGNORE} ]] && return 0
  _ashlet_running=$1
  _ashlet_ran_in=$PWD
  _ashlet_started_at=$EPOCHREALTIME
}

# Runs before a prompt. Comes first, so that $? is still the command's.
.ashlet:precmd() {
  local -i status_code=$?
  eval "$_ashlet_options"
  # After Ctrl-C no line-finish is run.
  .ashlet:stop-waiting
  .ashlet:disconnect
  .ashlet:erase-row
  if [[ -n $_ashlet_running ]]; then
    .ashlet:post-executed $status_code
    _ashlet_running=
  fi
  .ashlet:ask-download
  return $status_code
}

.ashlet:post-executed() {
  (( _ashlet_private || _ashlet_foreign )) && return 0
  local line cwd agent=
  local -i duration_ms=$(( (EPOCHREALTIME - _ashlet_started_at) * 1000 ))
  .ashlet:json-string "$_ashlet_running"; line=$_ashlet_result
  .ashlet:json-string "$_ashlet_ran_in"; cwd=$_ashlet_result
  # A shell that an AI CLI opened: its habits are not the user's.
  [[ -n ${CLAUDECODE-}${COPANE_AGENT-} ]] && agent=',"agent":true'
  .ashlet:post "{\"type\":\"event\",\"event\":\"executed\",\"line\":$line,\"cwd\":$cwd,\"session_id\":\"$$\",\"exit\":$1,\"duration_ms\":$duration_ms$agent,\"reply\":false}"
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
      names="${(k)aliases} ${(k)functions[(I)[A-Za-z]*]}"
      .ashlet:json-string "${names[1,6000]% *}"; names=",\"names\":$_ashlet_result"
    fi
    message+=",\"histfile\":$histfile,\"path\":$searchpath$names"
  fi
  _ashlet_told_cwd=$PWD
  .ashlet:post "$message}"
}

.ashlet:fit-row() {
  eval "$_ashlet_options"
  [[ -n $_ashlet_segment ]] || return 0
  .ashlet:hide-row
  .ashlet:keep-row
  zle -R
  return 0
}

.ashlet:register-hooks() {
  local widget
  for widget in line-init line-pre-redraw line-finish keymap-select complete-callback wait-callback fit-row; do
    zle -N .ashlet:$widget
  done
  autoload -Uz add-zle-hook-widget add-zsh-hook
  add-zle-hook-widget line-init .ashlet:line-init
  add-zle-hook-widget line-pre-redraw .ashlet:line-pre-redraw
  add-zle-hook-widget line-finish .ashlet:line-finish
  add-zle-hook-widget keymap-select .ashlet:keymap-select
  add-zsh-hook preexec .ashlet:preexec
  # First: what others print would move the cursor away from a row that is left.
  add-zsh-hook -d precmd .ashlet:precmd
  precmd_functions=(.ashlet:precmd $precmd_functions)
}

# A resize does not come through a hook. A trap function of the user goes on doing what it did; a list trap
# (`trap ... WINCH`) stands as it is. There is no TRAPINT: with one, zsh skips the first precmd function of the
# user at every Ctrl-C.
.ashlet:install-traps() {
  local -a lines
  .ashlet:capture trap
  [[ -n $_ashlet_captured ]] || return 0
  lines=("${(@f)_ashlet_result}")
  .ashlet:prepend-trap WINCH 'zle && zle .ashlet:fit-row' 'return 0'
}

# Runs our part of what zsh calls while a line is edited. A Ctrl-C in the midst of a widget or a handler ends that
# alone: zsh then waits for the next key, or shows no prompt until one comes. So it is noted, and sent once more a
# moment later; the one process that this takes is started only then. Nothing comes before the trap, not even an
# `eval` of the options: there a Ctrl-C would still be lost. (`emulate -L` makes options and traps local.)
.ashlet:guarded() {
  emulate -L zsh -o no_xtrace -o no_err_exit -o no_err_return -o no_warn_create_global -o extended_glob
  local -i interrupted=0 status_code
  trap 'interrupted=1' INT
  "$@"
  status_code=$?
  if (( interrupted )); then
    { zmodload zsh/zselect; zselect -t 1; kill -INT $$ } &!
  fi
  return status_code
}

# Trap $1 first does $2, then what it did before, or $3.
.ashlet:prepend-trap() {
  local body=${functions[TRAP$1]-}
  [[ $body == *.ashlet:* ]] && return 0
  [[ -z $body && ${#${(M)lines:#trap -- *$1}} -gt 0 ]] && return 0
  functions[TRAP$1]=$2$'\n'${body:-$3}
}

# What a builtin prints, without a subshell: one would cost a process, and forgets the traps. Sets _ashlet_result
# and, if it worked, _ashlet_captured.
.ashlet:capture() {
  local file=${TMPPREFIX:-/tmp/zsh}-ashlet-$$-$RANDOM
  local -i fd
  _ashlet_result= _ashlet_captured=
  { sysopen -w -o creat,excl,cloexec -m 600 -u fd "$file" } 2>/dev/null || return 0
  "$@" >&$fd 2>/dev/null
  exec {fd}>&-
  _ashlet_result=$(<$file)
  zmodload -F zsh/files b:zf_rm && zf_rm -f -- "$file"
  _ashlet_captured=1
}
