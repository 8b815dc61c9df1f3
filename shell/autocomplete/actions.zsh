# The actions of the keys, under our own options.

typeset -g _ashlet_fallback=
typeset -gi _ashlet_in_fallback=0

.ashlet:try-apply() {
  [[ -n $_ashlet_segment && $_ashlet_state == (fetching|showing|browsing) ]] && (( _ashlet_candidate_count )) || return 1
  # A command belongs to the description that it was shown for.
  [[ -z $_ashlet_author ]] || .ashlet:same-state || return 1
  local -i index=_ashlet_browse_index+1
  local completion=${_ashlet_completions[index]} offset=${_ashlet_cursors[index]}
  .ashlet:reset-state
  BUFFER=$completion
  CURSOR=${#BUFFER}
  if [[ -n $offset ]]; then
    .ashlet:chars-of-bytes "$completion" $offset
    CURSOR=$_ashlet_result
  fi
  .ashlet:json-string "$completion"
  .ashlet:post "{\"type\":\"event\",\"event\":\"accepted\",\"line\":$_ashlet_result,\"session_id\":$_ashlet_session,\"reply\":false}"
  return 0
}

# A burst of keys has not requested a row yet, or its answer is on the way: TAB waits for that row.
.ashlet:await-row() {
  local -F deadline
  [[ $_ashlet_transport == zsocket ]] && (( ! _ashlet_foreign && ! _ashlet_private && ! _ashlet_dismissed )) || return 0
  if ! .ashlet:same-state; then
    .ashlet:may-ask || return 0
    .ashlet:save-state
    local -F ASHLET_DELAY=0
    .ashlet:send-request || { .ashlet:give-up-asking; return 0 }
    _ashlet_state=fetching
  fi
  [[ $_ashlet_state == fetching ]] && zmodload zsh/zselect 2>/dev/null || return 0
  (( deadline = EPOCHREALTIME + _ashlet_tab_patience ))
  while (( _ashlet_sent_at > 0 && _ashlet_complete_fd > 2 && EPOCHREALTIME < deadline )); do
    zselect -t 2 -r $_ashlet_complete_fd && .ashlet:drain
  done
  return 0
}

# For a description after "# ": requests a command, once. Fails without a description, or without a daemon.
.ashlet:try-to-command() {
  [[ $CONTEXT == start && $BUFFER == \#[[:blank:]]##[^[:blank:]]* && $BUFFER != *$'\n'* && ${#BUFFER} -le 2048 ]] || return 1
  (( _ashlet_private )) && return 0
  (( _ashlet_asked_id )) && .ashlet:same-state && return 0
  [[ $_ashlet_transport == zsocket ]] && (( ! _ashlet_foreign && ! ${ZLE_RECURSIVE:-0} )) || return 1
  local -i to_command=1
  local -F ASHLET_DELAY=0
  .ashlet:stop-waiting
  .ashlet:clear-candidates
  .ashlet:save-state
  .ashlet:send-request || return 1
  _ashlet_asked_id=_ashlet_newest_id
  # A model may take long.
  _ashlet_sent_at=0
  _ashlet_state=idle
  .ashlet:say 'Asking the model; ^C cancels.'
}

# Whether to request a row for the current line. A leading blank asks for privacy. At PS2 a command may begin, but not
# in a quotation or a here-document. A description has separate rows.
.ashlet:may-ask() {
  (( _ashlet_at_history_tip && ! _ashlet_private && ! ${ZLE_RECURSIVE:-0} &&
     (${#BUFFER} >= ASHLET_MIN_INPUT || _ashlet_failed && ! ${#BUFFER}) && ${#BUFFER} <= 2048 )) || return 1
  [[ $BUFFER != ([[:blank:]]|\#[[:blank:]])* && $KEYMAP != (menuselect|isearch|vicmd|visual) && $CONTEXT == (start|cont) &&
     ($CONTEXT != cont || $_ashlet_parser != *(quote|heredoc|subst|math|cond|array)*) ]]
}

# Widgets for keys of the user, and for ASHLET_MIN_INPUT=999: request a row after the quiet time, and at once.
.ashlet:trigger-async() {
  .ashlet:stop-waiting
  .ashlet:save-state
  _ashlet_dismissed=0
  _ashlet_state=fetching
  .ashlet:start-waiting
}

.ashlet:fetch-async() {
  local -F ASHLET_DELAY=0
  .ashlet:stop-waiting
  .ashlet:save-state
  _ashlet_dismissed=0
  .ashlet:send-request || { .ashlet:give-up-asking; return 0 }
  _ashlet_state=fetching
  return 0
}

.ashlet:browse() {
  [[ -n $_ashlet_segment ]] && (( _ashlet_candidate_count )) || return 1
  (( _ashlet_browse_index = (_ashlet_browse_index + $1 + _ashlet_candidate_count) % _ashlet_candidate_count ))
  _ashlet_state=browsing
  .ashlet:show-row
  return 0
}

.ashlet:try-dismiss() {
  [[ -n $_ashlet_segment ]] && (( ! _ashlet_private )) || return 1
  .ashlet:do-dismiss
}

.ashlet:do-dismiss() {
  .ashlet:stop-waiting
  .ashlet:clear-candidates
  .ashlet:save-state
  _ashlet_state=dismissed
  _ashlet_dismissed=1
}

# ESC was a bare prefix: ESC, a pause and a letter keep their meaning.
.ashlet:read-escape-key() {
  local key
  read -k 1 key || return 0
  zle -U $'\e'$key
  return 0
}

.ashlet:leave-for-history() {
  _ashlet_arrow=${${KEYS/#$'\e'/^[}}
  .ashlet:stop-waiting
  .ashlet:clear-candidates
  _ashlet_state=idle
}

# Private mode: sends nothing until it is left.
.ashlet:toggle-private() {
  .ashlet:do-toggle-private
  return 0
}

.ashlet:do-toggle-private() {
  .ashlet:reset-state
  .ashlet:disconnect
  (( _ashlet_private = ! _ashlet_private ))
  _ashlet_outbox=()
  (( _ashlet_private )) && .ashlet:show-private
  .ashlet:save-state
  return 0
}

# Never suggest the shown candidate again.
.ashlet:forget() {
  .ashlet:do-forget
  return 0
}

.ashlet:do-forget() {
  [[ -n $_ashlet_segment ]] && (( _ashlet_candidate_count && ! _ashlet_foreign )) || return 0
  .ashlet:json-string "${_ashlet_completions[_ashlet_browse_index+1]}"
  .ashlet:post "{\"type\":\"forget\",\"line\":$_ashlet_result,\"reply\":false}"
  .ashlet:clear-candidates
  # The next redraw asks again, and the answer no longer has it.
  _ashlet_lbuffer=$'\0'
  return 0
}

.ashlet:find-fallback() {
  local keymap=$KEYMAP
  [[ $keymap == main ]] && keymap=$_ashlet_main_keymap
  _ashlet_fallback=${_ashlet_bound[$keymap$1]-}
  (( ${+widgets[$_ashlet_fallback]} )) || _ashlet_fallback=$2
  [[ -n $_ashlet_fallback ]]
}
