#!/bin/sh
# Starts a throw-away zsh with the client loaded, for looking at it: your own .zshrc is not read.
# ASHLET_SOCKET names the daemon; without one that listens, the shell is an ordinary shell.
set -eu
command -v zsh >/dev/null || { echo 'zsh is not installed' >&2; exit 1; }
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT INT TERM
cat >"$home/.zshrc" <<EOF
PS1='ashlet %1~ %# '
HISTFILE=\${ASHLET_DEBUG_HISTFILE:-\$HOME/.zsh_history} HISTSIZE=10000
fc -R 2>/dev/null
unset HISTFILE
source '$here/ashlet.zsh'
ashlet-state() { typeset -m '_ashlet_*' }
print 'ashlet-state prints the variables of the client.'
EOF
ZDOTDIR=$home zsh -d -i
