# Keys that keep their previous function. They run under the options of the user, as do the user's functions that they
# call; our own parts are in actions.zsh.

# TAB: applies the visible candidate, or else runs the previous binding.
.ashlet:apply-tab() {
  typeset -g _ashlet_walks=
  .ashlet:await-row
  if .ashlet:try-apply; then .ashlet:renew-autosuggestion; return 0; fi
  if .ashlet:try-to-command; then return 0; fi
  typeset -g _ashlet_walks=menu
  .ashlet:call-fallback '^I' expand-or-complete
}

# Requests a command, even where TAB would apply one.
.ashlet:to-command() {
  .ashlet:try-to-command || return 0
}

# Shift+TAB is the shell's own completion; right after a TAB that ran it, Shift+TAB moves back in its menu.
.ashlet:complete() {
  # A list below the row would keep Ctrl-C from removing it.
  .ashlet:clear-candidates
  if [[ $_ashlet_walks == menu && $LASTWIDGET == (.ashlet:apply-tab|.ashlet:complete) ]]; then
    zle reverse-menu-complete
  else
    typeset -g _ashlet_walks=
    zle expand-or-complete
  fi
}

.ashlet:next-candidate() {
  .ashlet:browse 1 || .ashlet:call-fallback '^[[1;2C' ''
}

.ashlet:prev-candidate() {
  .ashlet:browse -1 || .ashlet:call-fallback '^[[1;2D' ''
}

# ESC, only in the emacs keymap: hides the row; without a row it is the previous prefix or widget.
.ashlet:dismiss() {
  local -i shown=0
  .ashlet:try-dismiss && shown=1
  if [[ -n ${_ashlet_bound[emacs^\[]-} ]]; then
    .ashlet:call-fallback '^[' ''
  elif (( ! shown )); then
    .ashlet:read-escape-key
  fi
}

.ashlet:history-up() {
  .ashlet:leave-for-history
  .ashlet:call-fallback "$_ashlet_arrow" up-line-or-history
}

.ashlet:history-down() {
  .ashlet:leave-for-history
  .ashlet:call-fallback "$_ashlet_arrow" down-line-or-history
}

# Runs the previous binding of key $1 in the current keymap; $2 if there was none. Runs under the options of the user. A
# widget that calls us back (each wrapped the other, as with fzf-tab loaded after us) gets $2 from the completion
# system, and if that also calls us back, the shell's own.
.ashlet:call-fallback() {
  .ashlet:find-fallback "$1" "$2" || return 0
  local widget=$_ashlet_fallback
  if (( _ashlet_in_fallback == 1 )); then widget=$2; elif (( _ashlet_in_fallback > 1 )); then widget=${2:+.$2}; fi
  [[ -n $widget ]] || return 0
  # No (( )) as a statement: its status could end a function under ERR_RETURN.
  typeset -gi _ashlet_in_fallback=$(( _ashlet_in_fallback + 1 ))
  { zle "$widget" } always { typeset -gi _ashlet_in_fallback=$(( _ashlet_in_fallback - 1 )) }
}
