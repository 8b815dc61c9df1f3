#!/bin/sh
# Keys and the status line of copane for tmux: loaded by TPM (set -g @plugin '…/copane'), or by "copane init tmux".
#
#   @copane-popup-key   a     prefix a: the companion over the window
#   @copane-split-key   A     prefix A: the companion beside the AI pane
#   @copane-jump-key    M-a   prefix Alt+a: to the AI pane that waits for you
#   @copane-status      on    the states of the AI panes at the right end of the status line
#
# An empty key binds nothing. A key that is bound to something else is left alone, and tmux says so. After a restore by
# tmux-resurrect the companion is back in its pane, unless you have set @resurrect-hook-post-restore-all yourself.
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

# tmux-resurrect saves that a pane ran the companion, and restores a shell there: "copane.tmux restore" starts it again.
restore() {
  folder=$(option @resurrect-dir '' | sed -e 's,\$HOME,'"$HOME,g" -e 's,\$HOSTNAME,'"$(uname -n),g" -e "s,~,$HOME,g")
  for folder in "$folder" "$HOME/.tmux/resurrect" "${XDG_DATA_HOME:-$HOME/.local/share}/tmux/resurrect"; do
    [ -n "$folder" ] && [ -f "$folder/last" ] && break
  done
  [ -f "$folder/last" ] || return 0
  shell=$(tmux show-options -gv default-shell)
  # Fields: docs of tmux-resurrect 4: pane, session, window, active, flags, index, title, :folder, active, program.
  awk -F '\t' -v OFS='\t' '$1 == "pane" && $10 == "copane" { print $2 ":" $3 "." $6, substr($8, 2) }' "$folder/last" |
    while IFS='	' read -r pane cwd; do
      [ "$(tmux display-message -p -t "=$pane" '#{pane_current_command}')" = "${shell##*/}" ] || continue
      # tmux expands formats in a folder's name: one like "#(program)" would run.
      tmux respawn-pane -k -t "=$pane" -c "$(printf '%s' "$cwd" | sed 's/#/##/g')" "exec $quoted tui"
      tmux set-option -p -t "=$pane" @copane_made companion
    done
}

# The text as a word that a shell reads as it is.
quote() {
  printf '%s' "$1" | sed "s/'/'\\\\''/g; 1s/^/'/; \$s/\$/'/"
}
quoted=$(quote "$program")

if [ "${1-}" = restore ]; then
  restore
  exit 0
fi

bind_key() {
  key=$(option "$1" "$2")
  [ -n "$key" ] || return 0
  bound=$(tmux list-keys -T prefix "$key" 2>/dev/null)
  case $bound in
    '' | *"$program"*) tmux bind-key "$key" run-shell -b "$quoted $3" ;;
    *) tmux display-message "copane: Prefix $key is bound already; set -g $1 to another key" ;;
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

if [ -z "$(tmux show-options -gqv @resurrect-hook-post-restore-all)" ]; then
  tmux set-option -g @resurrect-hook-post-restore-all "$(quote "$here/copane.tmux") restore"
fi
