# Entry point of the ashlet completion client: sources the parts that lie beside it.
# Loading it twice is harmless. Needs zsh 5.3 or newer; anything else is left alone.

# Not in the hidden shell that the daemon itself asks for completions.
[[ -o interactive && -o zle && -z ${COPANE_HIDDEN_SHELL-} ]] || return 0
# ${(%):-%x} is this file even where FUNCTION_ARGZERO is off.
typeset -g _ashlet_root="${${(%):-%x}:A:h}"
# With the first prompt: a shell that only runs a command pays nothing, and other plugins have bound their keys by then.
.ashlet:start() {
  local -i status_code=$?
  .ashlet:load
  return $status_code
}
.ashlet:load() {
  # Aliases of the user would be expanded into our functions. The traps that the parts set must outlive this one.
  emulate -L zsh -o no_aliases
  setopt no_local_traps
  precmd_functions=(${precmd_functions:#.ashlet:start})
  source "$_ashlet_root/autocomplete/init.zsh"
}
() {
  emulate -L zsh -o no_aliases
  typeset -ga precmd_functions
  precmd_functions=(.ashlet:start ${precmd_functions:#.ashlet:start})
}
