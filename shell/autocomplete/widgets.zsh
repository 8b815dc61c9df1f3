# The keys that do what they did before too. They run under the options of the user, as what they call of his does;
# their own halves are in actions.zsh.

# TAB: apply what is shown, else do what TAB did before.
.ashlet:apply-tab() {
  typeset -g _ashlet_walks=
  .ashlet:await-row
  if .ashlet:try-apply; then .ashlet:renew-autosuggestion; return 0; fi
  if .ashlet:try-to-command; then return 0; fi
  typeset -g _ashlet_walks=menu
  .ashlet:call-fallback '^I' expand-or-complete
}

# Asks, and asks again where TAB would apply.
.ashlet:to-command() {
  .ashlet:try-to-command || return 0
}

# Shift+TAB is the shell's own completion; right behind a TAB that was it walks that one's menu back.
.ashlet:complete() {
  # A list below the row would keep Ctrl-C from taking it away.
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

# ESC, in the emacs keymap only: hides the row; without one it is the prefix or the widget that it was.
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

# What was bound to key $1 before us, in the keymap that is in use; $2 if nothing was. Runs under the options of
# the user. A widget that calls us back (each wrapped the other, as with fzf-tab loaded after us) gets $2 as the
# completion system made it, and, should that call us back too, the shell's own.
.ashlet:call-fallback() {
  .ashlet:find-fallback "$1" "$2" || return 0
  local widget=$_ashlet_fallback
  if (( _ashlet_in_fallback == 1 )); then widget=$2; elif (( _ashlet_in_fallback > 1 )); then widget=${2:+.$2}; fi
  [[ -n $widget ]] || return 0
  # No (( )) as a statement: what it gives could end a function under ERR_RETURN.
  typeset -gi _ashlet_in_fallback=$(( _ashlet_in_fallback + 1 ))
  { zle "$widget" } always { typeset -gi _ashlet_in_fallback=$(( _ashlet_in_fallback - 1 )) }
}
