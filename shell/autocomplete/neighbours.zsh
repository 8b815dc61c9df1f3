# What touches what is not ours: hooks, traps, another plugin. Runs under the options of the user, for functions
# that are made here, or loaded, are his.

.ashlet:register-hooks() {
  local widget
  for widget in line-init line-pre-redraw line-finish keymap-select complete-callback wait-callback fit-row; do
    zle -N .ashlet:$widget
  done
  for widget in line-init line-pre-redraw line-finish keymap-select; do .ashlet:hook $widget; done
  autoload -Uz add-zsh-hook
  add-zsh-hook preexec .ashlet:preexec
  # First: what others print would move the cursor away from a row that is left.
  add-zsh-hook -d precmd .ashlet:precmd
  precmd_functions=(.ashlet:precmd $precmd_functions)
}

# A hook that nobody has is taken as it is: the functions of add-zle-hook-widget overwrite $match, warn of that under
# WARN_NESTED_VAR at every key, and fail under SH_GLOB. Whoever comes later calls us as the one who was there.
.ashlet:hook() {
  local -a hooks
  case ${widgets[zle-$1]-} in
    (''|user:.ashlet:$1) zle -N zle-$1 .ashlet:$1; return ;;
    (user:azhw:*) zstyle -g hooks zle-$1 widgets ;;
  esac
  [[ ${hooks[*]-} == *.ashlet:$1* ]] && return 0
  autoload -Uz add-zle-hook-widget
  add-zle-hook-widget $1 .ashlet:$1
}

.ashlet:line-init() {
  # What is open at PS2. Read here: a nested function and [[ ]] have a parser state of their own.
  typeset -g _ashlet_parser=${(%):-%_}
  .ashlet:join-autosuggestions
  .ashlet:go-before-precmd
  .ashlet:guard-line
  .ashlet:begin-line
  return 0
}

.ashlet:line-finish() {
  .ashlet:unguard-line
  .ashlet:end-line
  return 0
}

# Runs before a command: $1 is what was typed. The options are read here, where they are the user's.
.ashlet:preexec() {
  local rules=
  if [[ -o hist_ignore_space ]]; then rules+=' space'; fi
  if [[ -o hist_no_store ]]; then rules+=' store'; fi
  if [[ -o hist_no_functions ]]; then rules+=' functions'; fi
  if [[ -n ${HISTORY_IGNORE-} ]]; then
    .ashlet:reduce-blanks "$1"
    # A bad pattern takes nothing, and is no error of the user's command.
    {
      { if [[ $1 == ${~HISTORY_IGNORE} || $_ashlet_result == ${~HISTORY_IGNORE} ]]; then rules+=' ignored'; fi } 2>/dev/null
    } always { TRY_BLOCK_ERROR=0 }
  fi
  .ashlet:begin-command "$1" "$rules"
}

# Runs before a prompt. Comes first, so that $? is still the command's.
.ashlet:precmd() {
  local -i status_code=$?
  # After Ctrl-C no line-finish is run.
  .ashlet:unguard-line
  .ashlet:end-command $status_code
  return $status_code
}

# zsh forgets a Ctrl-C that comes together with something to read for a handler (`zle -F`), or strikes one: it finds it when
# a key or a signal wakes it. So while a line is edited a trap does what zsh does at a Ctrl-C, and has zsh woken until it
# is at the next prompt. Where the user traps it there is no trap of ours. It does not go in functions whose traps are local: they would
# bring it back, marked as one that runs, and zsh would ignore each further Ctrl-C.
.ashlet:guard-line() {
  [[ ! -o local_traps ]] && .ashlet:wants-guard || return 0
  setopt local_options no_aliases
  [[ ${precmd_functions[*]} == .ashlet:nothing* ]] ||
    precmd_functions=(.ashlet:nothing ${precmd_functions:#.ashlet:nothing})
  functions[TRAPINT]='.ashlet:wake-zsh; return 130'
  typeset -gi _ashlet_guarding=1
}

.ashlet:unguard-line() {
  [[ $_ashlet_guarding == 1 && ! -o local_traps ]] || return 0
  typeset -gi _ashlet_guarding=0
  trap - INT
  .ashlet:stop-waking
}

# Behind a TRAPINT that ends a line zsh skips the first function that runs before a prompt: this one.
.ashlet:nothing() {
  return 0
}

# zsh-autosuggestions puts its suggestion in place of all that is displayed, whenever its own process is done, and
# no hook is run then: a call at the end of its function brings the row back behind the suggestion.
.ashlet:join-autosuggestions() {
  setopt local_options no_aliases
  local body=${functions[_zsh_autosuggest_suggest]-}
  [[ -z $body || $body == *.ashlet:* ]] && return 0
  functions[_zsh_autosuggest_suggest]=$body$'\n(( ! ${+functions[.ashlet:rejoin]} )) || .ashlet:rejoin'
}

# What it suggests goes on from the line that was: it sees no widget whose name begins with a dot.
.ashlet:renew-autosuggestion() {
  [[ -n ${widgets[autosuggest-clear]-} ]] || return 0
  zle autosuggest-clear
  zle autosuggest-fetch
  return 0
}

# A function named precmd runs before all others. What it prints would stand below a row that Ctrl-C left.
.ashlet:go-before-precmd() {
  setopt local_options no_aliases
  local body=${functions[precmd]-}
  [[ -z $body || $body == *.ashlet:*  || $body == *autoload\ -X* ]] && return 0
  functions[precmd]=$'.ashlet:erase-first\n'$body
}

.ashlet:erase-first() {
  local -i status_code=$?
  .ashlet:erase-row
  return $status_code
}

# A resize does not come through a hook. A trap function of the user goes on doing what it did; a list trap
# (`trap ... WINCH`) stands as it is.
.ashlet:install-traps() {
  local -a lines
  .ashlet:capture trap
  [[ -n $_ashlet_captured ]] || return 0
  lines=("${(@f)_ashlet_result}")
  .ashlet:prepend-trap WINCH 'zle && zle .ashlet:fit-row' 'return 0'
}

# Trap $1 first does $2, then what it did before, or $3.
.ashlet:prepend-trap() {
  local body=${functions[TRAP$1]-}
  [[ $body == *.ashlet:* ]] && return 0
  [[ -z $body && ${#${(M)lines:#trap -- *$1}} -gt 0 ]] && return 0
  functions[TRAP$1]=$2$'\n'${body:-$3}
}
