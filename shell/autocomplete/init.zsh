# Loads the modules, sets unset options, sources all parts and registers them. Starts no process.

autoload -Uz is-at-least
is-at-least 5.3 || return 0

# zsocket carries the requests; without it socat does, with one process per request.
typeset -g _ashlet_transport=none
if zmodload zsh/net/socket 2>/dev/null; then
  _ashlet_transport=zsocket
elif (( $+commands[socat] )); then
  _ashlet_transport=socat
else
  print -u2 -r -- 'ashlet: this zsh lacks zsh/net/socket: install socat (apt install socat, brew install socat), or a complete zsh.'
  return 0
fi
zmodload -F zsh/system b:sysopen b:sysread b:sysseek b:syswrite 2>/dev/null &&
  zmodload -F zsh/datetime p:EPOCHREALTIME 2>/dev/null || return 0

: ${ASHLET_MAX_CANDIDATES:=4}
: ${ASHLET_MIN_INPUT:=2}
: ${ASHLET_DELAY:=0.05}
# Keys that toggle private mode, in which nothing is sent; that forget the shown candidate for good; that have a model
# write the command described in the line, as TAB also does. Empty: no key.
: ${ASHLET_PRIVATE_KEY='^X^P'}
: ${ASHLET_TO_COMMAND_KEY='^X^A'}
: ${ASHLET_FORGET_KEY='^X^D'}

# All functions of these parts run under the options of this line, whatever the user has set: zsh activates them when it
# enters a function. Nothing in there may define or autoload a function that is not ours: it would also be bound to
# these options. Not local_traps: changes of our traps must be permanent.
local nested=warn_create_global
is-at-least 5.4 && nested=warn_nested_var
emulate zsh -o no_aliases -o no_xtrace -o no_err_exit -o no_err_return -o no_warn_create_global -o no_$nested \
  -o extended_glob -o no_bg_nice -o local_options -c '
  source "$_ashlet_root/client/socket.zsh"
  source "$_ashlet_root/client/request.zsh"
  source "$_ashlet_root/client/response.zsh"
  source "$_ashlet_root/client/download.zsh"
  source "$_ashlet_root/autocomplete/state.zsh"
  source "$_ashlet_root/autocomplete/display.zsh"
  source "$_ashlet_root/autocomplete/async.zsh"
  source "$_ashlet_root/autocomplete/hooks.zsh"
  source "$_ashlet_root/autocomplete/actions.zsh"
  source "$_ashlet_root/autocomplete/keybindings.zsh"
'
# These run under the options of the user, as do the user's functions that they call.
source "$_ashlet_root/autocomplete/widgets.zsh"
source "$_ashlet_root/autocomplete/neighbours.zsh"

.ashlet:register-hooks
.ashlet:bind-keys
.ashlet:install-traps
