# Runs inside one hidden zsh that has read the user's .zshrc: answers what the user's own completion functions would
# offer. A request is a file (folder, then the line), asked for by one key; the answer is a file too, so nothing
# that a prompt or a plugin prints can be taken for it. Nothing is ever accepted or run.

unsetopt beep prompt_cr prompt_sp auto_menu menu_complete auto_list list_ambiguous
precmd_functions=() preexec_functions=() chpwd_functions=()
unset HISTFILE zle_bracketed_paste
unfunction precmd preexec 2>/dev/null
PS1= RPS1= PS2=
zmodload zsh/files zsh/zutil
(( $+functions[_main_complete] )) || { autoload -Uz compinit && compinit -D -u }
zstyle -d ':completion:*' list-prompt
zstyle -d ':completion:*' select-prompt
zstyle ':completion:*' menu no
# Each word beside what is said of it.
zstyle ':completion:*' list-grouped no
zstyle ':completion:*' verbose yes
# Hosts are what comes next; users of this machine are not.
zstyle ':completion:*:(ssh|scp|sftp|rsync|mosh|ssh-copy-id):*' users

typeset -ga _copane_found _copane_files
typeset -gi _copane_max=300

# Notes what would be added. Calls that only ask which matches fit are passed on. Files that zsh offers for want of
# knowledge are none of it, and files count only where nothing else fits.
compadd() {
  local -a hits
  local -a opt_p opt_P opt_S opt_s opt_d shown
  local -a options=("${@[1,(i)(-|--)]}")
  if [[ $options == *-(O|A|D)(*) ]]; then
    builtin compadd "$@"
    return
  fi
  zparseopts -E -a ignored P:=opt_P p:=opt_p S:=opt_S s:=opt_s d:=opt_d 2>/dev/null
  # What is shown of the words stands in an array: of it, too, the entries of those that fit.
  [[ ${opt_d[2]-} == [[:alpha:]_]* ]] && shown=("${(@P)opt_d[2]}")
  builtin compadd -A hits ${shown:+-D} ${shown:+shown} "$@"
  local hit text tab=$'\t' target=_copane_found
  (( ${options[(I)-[akQqeflC12Un]#f[akQqeflC12Un]#]} )) && target=_copane_files
  (( ${funcstack[(I)_default]} )) && hits=()
  (( ${#shown} == ${#hits} )) || shown=()
  local -i i
  for (( i = 1; i <= ${#hits}; i++ )); do
    (( ${#${(P)target}} < _copane_max )) || break
    hit=${hits[i]} text=
    [[ ${shown[i]-} == *[^[:blank:]]*\ --\ * ]] && text=${${shown[i]#* -- }[1,80]}
    [[ $hit$text == *[[:cntrl:]]* ]] || set -A $target "${(@P)target}" "$IPREFIX${opt_P[2]-}${opt_p[2]-}$hit${text:+$tab$text}"
  done
  # Telling the functions that something fitted keeps them from trying ever wilder guesses.
  (( ${#hits} ))
}

_copane_capture() {
  _main_complete
  compstate[insert]= compstate[list]=
}
zle -C _copane_capture complete-word _copane_capture

_copane_answer() {
  local request folder
  request=$(<$COPANE_HIDDEN_DIR/request)
  folder=${request%%$'\n'*}
  _copane_found=() _copane_files=()
  if builtin cd -q -- "$folder" 2>/dev/null; then
    BUFFER=${request#*$'\n'}
    BUFFER=${BUFFER%.}
    CURSOR=${#BUFFER}
    { zle _copane_capture } 2>/dev/null
  fi
  BUFFER=
  (( ${#_copane_found} )) || _copane_found=("${(@)_copane_files}")
  print -rl -- "${(@)_copane_found}" >| $COPANE_HIDDEN_DIR/answer.new
  zf_mv -f -- $COPANE_HIDDEN_DIR/answer.new $COPANE_HIDDEN_DIR/answer
}
zle -N _copane_answer
for _copane_keymap in emacs viins; bindkey -M $_copane_keymap '^X^G' _copane_answer
print -r -- ready >| $COPANE_HIDDEN_DIR/answer
