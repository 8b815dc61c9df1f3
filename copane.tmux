#!/bin/sh
# Keys and the status line of copane for tmux: loaded by TPM (set -g @plugin '…/copane'), or by "copane init tmux".
#
#   @copane-popup-key   a     prefix a: the companion over the window
#   @copane-split-key   A     prefix A: the companion beside the AI pane
#   @copane-jump-key    M-a   prefix Alt+a: to the AI pane that waits for you
#   @copane-status      on    the states of the AI panes at the right end of the status line
#
# An empty key binds nothing. A key that is bound to something else is left alone, and tmux says so.
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 1
if [ -f "$here/dist/copane.js" ]; then
  program=$here/bin/copane
elif command -v copane >/dev/null 2>&1; then
  program=copane # TPM brings this file alone; the program itself comes by npm
else
  tmux display-message 'copane is not installed: npm install -g copane'
  exit 0
fi

option() {
  if tmux show-options -gq "$1" | grep -q .; then tmux show-options -gqv "$1"; else printf '%s' "$2"; fi
}

# A word that the shell of run-shell reads as it is.
quoted=$(printf '%s' "$program" | sed "s/'/'\\\\''/g; 1s/^/'/; \$s/\$/'/")

bind_key() {
  key=$(option "$1" "$2")
  [ -n "$key" ] || return 0
  bound=$(tmux list-keys -T prefix "$key" 2>/dev/null)
  case $bound in
    '' | *"$program"*) tmux bind-key "$key" run-shell -b "$quoted $3" ;;
    *) tmux display-message "copane: prefix $key is bound already; set -g $1 to another key" ;;
  esac
}

bind_key @copane-popup-key a 'split --popup'
bind_key @copane-split-key A split
bind_key @copane-jump-key M-a jump

if [ "$(option @copane-status on)" = on ]; then
  line=$(tmux show-options -gqv status-right)
  case $line in
    *"status --tmux"*) ;;
    *) tmux set-option -ga status-right " #($quoted status --tmux)" ;;
  esac
fi
