# Everything that affects others: hooks, traps, another plugin. Runs under the options of the user, to whom functions
# belong that are created or loaded here.

.ashlet:register-hooks() {
  local widget
  for widget in line-init line-pre-redraw line-finish keymap-select complete-callback wait-callback fit-row; do
    zle -N .ashlet:$widget
  done
  for widget in line-init line-pre-redraw line-finish keymap-select; do .ashlet:hook $widget; done
  autoload -Uz add-zsh-hook
  add-zsh-hook preexec .ashlet:preexec
  # First: output of others would move the cursor away from a leftover row.
  add-zsh-hook -d precmd .ashlet:precmd
  precmd_functions=(.ashlet:precmd $precmd_functions)
}

# Takes an unused hook directly: the functions of add-zle-hook-widget overwrite $match, warn about that under
# WARN_NESTED_VAR at every key, and fail under SH_GLOB. Later users of the hook call us as the existing one.
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
  # The open construct at PS2. Read here, because a nested function and [[ ]] have their own parser state.
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

# Runs before a command: $1 is the typed line. The options are read here, where they are the user's.
.ashlet:preexec() {
  local rules=
  if [[ -o hist_ignore_space ]]; then rules+=' space'; fi
  if [[ -o hist_no_store ]]; then rules+=' store'; fi
  if [[ -o hist_no_functions ]]; then rules+=' functions'; fi
  if [[ -n ${HISTORY_IGNORE-} ]]; then
    .ashlet:reduce-blanks "$1"
    # A bad pattern matches nothing, and must not cause an error of the user's command.
    {
      { if [[ $1 == ${~HISTORY_IGNORE} || $_ashlet_result == ${~HISTORY_IGNORE} ]]; then rules+=' ignored'; fi } 2>/dev/null
    } always { TRY_BLOCK_ERROR=0 }
  fi
  .ashlet:begin-command "$1" "$rules"
}

# Runs before a prompt. Comes first, so that $? is still the command's.
.ashlet:precmd() {
  local -i status_code=$?
  # After Ctrl-C no line-finish runs.
  .ashlet:unguard-line
  .ashlet:end-command $status_code
  return $status_code
}

# zsh loses a Ctrl-C that arrives together with data for a handler (`zle -F`), or during one: it notices when a key or a
# signal wakes it. So while a line is edited, a trap does what zsh does on Ctrl-C, or what the user's trap does, and keeps
# waking zsh until the next prompt. It is not set in functions with local traps: they would restore it, marked as
# running, and zsh would ignore each further Ctrl-C.
.ashlet:guard-line() {
  [[ ! -o local_traps ]] && .ashlet:wants-guard || return 0
  setopt local_options no_aliases
  [[ ${precmd_functions[*]} == .ashlet:nothing* ]] ||
    precmd_functions=(.ashlet:nothing ${precmd_functions:#.ashlet:nothing})
  if [[ -n $_ashlet_trap_list ]]; then
    local wrapped=$_ashlet_trap_before$_ashlet_trap_list$_ashlet_trap_after
    trap -- $wrapped INT
    # powerlevel10k sets its trap again after each of its hooks.
    [[ -z ${__p9k_trapint-} ]] || typeset -g __p9k_trapint=$wrapped
  else
    functions[TRAPINT]=$'.ashlet:wake-zsh\n'${_ashlet_trap_body:-return 130}
  fi
  typeset -gi _ashlet_guarding=1
}

.ashlet:unguard-line() {
  [[ $_ashlet_guarding == 1 && ! -o local_traps ]] || return 0
  typeset -gi _ashlet_guarding=0
  .ashlet:stop-waking
  # A widget set or removed the trap meanwhile.
  .ashlet:capture trap
  [[ $_ashlet_result == *.ashlet:wake-zsh* ]] || return 0
  [[ -z ${__p9k_trapint-} ]] || typeset -g __p9k_trapint=$_ashlet_trap_list
  if [[ -n $_ashlet_trap_list ]]; then
    trap -- "$_ashlet_trap_list" INT
  elif [[ -n $_ashlet_trap_body ]]; then
    functions[TRAPINT]=$_ashlet_trap_body
  else
    trap - INT
  fi
}

# After a TRAPINT that ends a line, zsh skips the first function that runs before a prompt: this one.
.ashlet:nothing() {
  return 0
}

# zsh-autosuggestions replaces everything displayed with its suggestion when its own process is done, without running a
# hook: a call at the end of its function restores the row after the suggestion.
.ashlet:join-autosuggestions() {
  setopt local_options no_aliases
  local body=${functions[_zsh_autosuggest_suggest]-}
  [[ -z $body || $body == *.ashlet:* ]] && return 0
  functions[_zsh_autosuggest_suggest]=$body$'\n(( ! ${+functions[.ashlet:rejoin]} )) || .ashlet:rejoin'
}

# Its suggestion continues the previous line: it does not see widgets whose name begins with a dot.
.ashlet:renew-autosuggestion() {
  [[ -n ${widgets[autosuggest-clear]-} ]] || return 0
  zle autosuggest-clear
  zle autosuggest-fetch
  return 0
}

# A function named precmd runs before all others. Its output would appear below a row that Ctrl-C left.
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

# A resize runs no hook. A trap function of the user keeps working; a list trap (`trap ... WINCH`) is left alone.
.ashlet:install-traps() {
  local -a lines
  .ashlet:capture trap
  [[ -n $_ashlet_captured ]] || return 0
  lines=("${(@f)_ashlet_result}")
  .ashlet:prepend-trap WINCH 'zle && zle .ashlet:fit-row' 'return 0'
}

# Makes trap $1 first run $2, then its previous action, or $3.
.ashlet:prepend-trap() {
  local body=${functions[TRAP$1]-}
  [[ $body == *.ashlet:* ]] && return 0
  [[ -z $body && ${#${(M)lines:#trap -- *$1}} -gt 0 ]] && return 0
  functions[TRAP$1]=$2$'\n'${body:-$3}
}
