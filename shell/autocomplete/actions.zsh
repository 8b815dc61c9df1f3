# What the keys do, under our own options.

typeset -g _ashlet_fallback=
typeset -gi _ashlet_in_fallback=0

.ashlet:try-apply() {
  [[ -n $_ashlet_segment && $_ashlet_state == (fetching|showing|browsing) ]] && (( _ashlet_candidate_count )) || return 1
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
  .ashlet:post "{\"type\":\"event\",\"event\":\"accepted\",\"line\":$_ashlet_result,\"session_id\":\"$$\",\"reply\":false}"
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

# ESC was a bare prefix: ESC, a pause and a letter still mean what they meant.
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

# Private mode: nothing is sent until it is left.
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
  # The next redraw asks anew, and the answer no longer has it.
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
