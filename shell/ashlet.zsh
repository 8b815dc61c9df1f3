# Entry point of the ashlet completion client: sources the parts beside it. Loading it twice is harmless. Needs zsh 5.3
# or newer; otherwise it does nothing.

# Not in the hidden shell in which the daemon itself requests completions.
[[ -o interactive && -o zle && -z ${COPANE_HIDDEN_SHELL-} ]] || return 0
# ${(%):-%x} is this file even with FUNCTION_ARGZERO off.
typeset -g _ashlet_root="${${(%):-%x}:A:h}"
# Starts with the first prompt: a shell that only runs a command pays nothing, and other plugins are loaded.
.ashlet:start() {
  local -i status_code=$?
  .ashlet:load
  return $status_code
}
.ashlet:load() {
  # Aliases of the user must not be expanded into our functions. The traps that the parts set must outlive this.
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
