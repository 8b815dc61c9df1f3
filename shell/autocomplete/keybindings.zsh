# Keys, and their previous bindings. Bound keymap by keymap: in the vi keymaps no lone ESC, and no sequence that would
# make ESC wait where it did not before.

typeset -gA _ashlet_bound                # keymap and key → the widget that was bound before us
typeset -g  _ashlet_main_keymap=emacs
typeset -g  _ashlet_arrow=
typeset -gi _ashlet_rebound=0
typeset -gi _ashlet_scratch_fd=${_ashlet_scratch_fd:-0}

.ashlet:bind-keys() {
  local widget
  for widget in apply-tab complete prev-candidate next-candidate dismiss history-up history-down toggle-private forget to-command \
    trigger-async fetch-async; do
    zle -N .ashlet:$widget
  done
  .ashlet:bind-all
}

.ashlet:bind-all() {
  local keymap
  .ashlet:find-main-keymap
  for keymap in emacs viins; do
    .ashlet:remember $keymap
    .ashlet:bind $keymap '^I' .ashlet:apply-tab
    if [[ $keymap == emacs ]]; then
      .ashlet:bind emacs '^[' .ashlet:dismiss
    elif [[ -z ${_ashlet_bound[viins^\[\[A]-} ]]; then
      # The user removed all ESC sequences from viins to make ESC immediate: keep it so.
      continue
    fi
    .ashlet:bind $keymap '^[[Z' .ashlet:complete
    .ashlet:bind $keymap '^[[1;2D' .ashlet:prev-candidate
    .ashlet:bind $keymap '^[[1;2C' .ashlet:next-candidate
    .ashlet:bind $keymap '^[[A' .ashlet:history-up
    .ashlet:bind $keymap '^[[B' .ashlet:history-down
    .ashlet:bind $keymap '^[OA' .ashlet:history-up
    .ashlet:bind $keymap '^[OB' .ashlet:history-down
    [[ -n $ASHLET_PRIVATE_KEY ]] && .ashlet:bind $keymap "$ASHLET_PRIVATE_KEY" .ashlet:toggle-private
    [[ -n $ASHLET_TO_COMMAND_KEY ]] && .ashlet:bind $keymap "$ASHLET_TO_COMMAND_KEY" .ashlet:to-command
    [[ -n $ASHLET_FORGET_KEY ]] && .ashlet:bind $keymap "$ASHLET_FORGET_KEY" .ashlet:forget
  done
}

# In a menu controlled by keys, Shift+TAB moves back, unless the user has bound it otherwise.
.ashlet:bind-menu() {
  .ashlet:capture bindkey -M menuselect '^[[Z'
  [[ $_ashlet_result == *undefined-key ]] && bindkey -M menuselect '^[[Z' reverse-menu-complete
  return 0
}

.ashlet:bind() {
  # A macro (bindkey -s) cannot be called from a widget: it stays.
  [[ ${_ashlet_bound[$1$2]-} == \"* ]] && return 0
  bindkey -M $1 "$2" $3
}

# Records the current bindings, except our own widgets.
.ashlet:remember() {
  local line key bound
  .ashlet:capture bindkey -M $1
  for line in "${(@f)_ashlet_result}"; do
    key=${${line#\"}%%\"*}
    bound=${line#*\" }
    case $key in
      (\^I|\^\[|\^\[\[Z|\^\[\[1\;2[CD]|\^\[\[[AB]|\^\[O[AB]) ;;
      (*) continue ;;
    esac
    [[ $bound == (.ashlet:*|undefined-key) ]] || _ashlet_bound[$1$key]=$bound
  done
}

# Finds the keymap that `main` is an alias of.
.ashlet:find-main-keymap() {
  .ashlet:capture bindkey -lL main
  case $_ashlet_result in
    (*viins*) _ashlet_main_keymap=viins ;;
    (*) _ashlet_main_keymap=emacs ;;
  esac
}

# Plugins loaded after us take keys over, and `bindkey -v` may also come later: checks once more when the first line is
# about to be edited.
.ashlet:rebind-once() {
  (( _ashlet_rebound )) && return 0
  _ashlet_rebound=1
  .ashlet:bind-all
  .ashlet:bind-menu
}

# Captures the output of a builtin without a subshell, which would cost a process and lose the traps. Sets
# _ashlet_result and, if it worked, _ashlet_captured. The file has no name and stays open for reuse.
.ashlet:capture() {
  local chunk
  _ashlet_result= _ashlet_captured=
  (( _ashlet_scratch_fd > 2 )) || .ashlet:open-scratch || return 0
  sysseek -u $_ashlet_scratch_fd 0
  { "$@"; print -n '\0' } >&$_ashlet_scratch_fd 2>/dev/null
  sysseek -u $_ashlet_scratch_fd 0
  while [[ $_ashlet_result != *$'\0'* ]]; do
    sysread -i $_ashlet_scratch_fd -s 65536 chunk || return 0
    _ashlet_result+=$chunk
  done
  # After the mark comes the rest of an older, longer output; the newline ends the last line.
  _ashlet_result=${${_ashlet_result%%$'\0'*}%$'\n'}
  _ashlet_captured=1
}

.ashlet:open-scratch() {
  local file=${TMPPREFIX:-/tmp/zsh}-ashlet-$$-$RANDOM
  local -i fd
  { sysopen -rw -o creat,excl,cloexec -m 600 -u fd "$file" } 2>/dev/null || return 1
  _ashlet_scratch_fd=fd
  zmodload -F zsh/files b:zf_rm && zf_rm -f -- "$file"
}
