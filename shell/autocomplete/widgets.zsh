# The user's widgets. Each has a half that runs under our options, and a half that calls the user's own widget
# under the user's.

typeset -g _ashlet_fallback=
typeset -gi _ashlet_in_fallback=0

# TAB: apply what is shown, else do what TAB did before.
.ashlet:apply-tab() {
  .ashlet:guarded .ashlet:try-apply && return 0
  .ashlet:call-fallback '^I' expand-or-complete
}

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

# Shift+TAB is the shell's own completion, always.
.ashlet:complete() {
  zle expand-or-complete
}

.ashlet:next-candidate() {
  .ashlet:guarded .ashlet:browse 1 || .ashlet:call-fallback '^[[1;2C' ''
}

.ashlet:prev-candidate() {
  .ashlet:guarded .ashlet:browse -1 || .ashlet:call-fallback '^[[1;2D' ''
}

.ashlet:browse() {
  [[ -n $_ashlet_segment ]] && (( _ashlet_candidate_count )) || return 1
  (( _ashlet_browse_index = (_ashlet_browse_index + $1 + _ashlet_candidate_count) % _ashlet_candidate_count ))
  _ashlet_state=browsing
  .ashlet:show-row
  return 0
}

# ESC, in the emacs keymap only: hides the row; without one it is the prefix or the widget that it was.
.ashlet:dismiss() {
  local -i shown=0
  .ashlet:guarded .ashlet:try-dismiss && shown=1
  if [[ -n ${_ashlet_bound[emacs^\[]-} ]]; then
    .ashlet:call-fallback '^[' ''
  elif (( ! shown )); then
    .ashlet:read-escape-key
  fi
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
  eval "$_ashlet_options"
  local key
  read -k 1 key || return 0
  zle -U $'\e'$key
  return 0
}

.ashlet:history-up() {
  .ashlet:guarded .ashlet:leave-for-history
  .ashlet:call-fallback "$_ashlet_arrow" up-line-or-history
}

.ashlet:history-down() {
  .ashlet:guarded .ashlet:leave-for-history
  .ashlet:call-fallback "$_ashlet_arrow" down-line-or-history
}

.ashlet:leave-for-history() {
  _ashlet_arrow=${${KEYS/#$'\e'/^[}}
  .ashlet:stop-waiting
  .ashlet:clear-candidates
  _ashlet_state=idle
}

# Private mode: nothing is sent until it is left.
.ashlet:toggle-private() {
  .ashlet:guarded .ashlet:do-toggle-private
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
  .ashlet:guarded .ashlet:do-forget
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

# What was bound to key $1 before us, in the keymap that is in use; $2 if nothing was. Runs under the options of
# the user. A widget that calls us back (each wrapped the other, as with fzf-tab loaded after us) gets $2 as the
# completion system made it, and, should that call us back too, the shell's own.
.ashlet:call-fallback() {
  .ashlet:find-fallback "$1" "$2" || return 0
  local widget=$_ashlet_fallback
  if (( _ashlet_in_fallback == 1 )); then widget=$2; elif (( _ashlet_in_fallback > 1 )); then widget=${2:+.$2}; fi
  [[ -n $widget ]] || return 0
  # No (( )) as a statement: what it gives could end a function under ERR_RETURN.
  _ashlet_in_fallback=$(( _ashlet_in_fallback + 1 ))
  { zle "$widget" } always { _ashlet_in_fallback=$(( _ashlet_in_fallback - 1 )) }
}

.ashlet:find-fallback() {
  eval "$_ashlet_options"
  local keymap=$KEYMAP
  [[ $keymap == main ]] && keymap=$_ashlet_main_keymap
  _ashlet_fallback=${_ashlet_bound[$keymap$1]-}
  (( ${+widgets[$_ashlet_fallback]} )) || _ashlet_fallback=$2
  [[ -n $_ashlet_fallback ]]
}
