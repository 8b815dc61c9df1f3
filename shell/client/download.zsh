# Offers to download a model that the daemon lacks. Asks once, at a prompt, never inside a widget; "no" applies to the
# whole life of the shell.

typeset -ga _ashlet_offer                # name, url, file, dir, sha256 of each missing model
typeset -gi _ashlet_offer_made=${_ashlet_offer_made:-0}

.ashlet:offer-download() {
  (( _ashlet_offer_made || ! ${#_ashlet_parsed_models} )) && return 0
  _ashlet_offer=("${(@)_ashlet_parsed_models}")
}

# Runs in precmd, outside the line editor.
.ashlet:ask-download() {
  (( ${#_ashlet_offer} && ! _ashlet_offer_made )) || return 0
  _ashlet_offer_made=1
  local -a offer names
  local name url file dir sum answer
  offer=("${(@)_ashlet_offer}")
  _ashlet_offer=()
  for name url file dir sum in "${(@)offer}"; do names+=("${(V)name}"); done
  print -r -- "ashlet: the daemon needs a model that is not here: ${(j:, :)names}"
  read -q 'answer?Download it now? [y/N] ' || { print; return 0 }
  print
  for name url file dir sum in "${(@)offer}"; do
    .ashlet:download "$url" "$dir" "$file" "$sum" || {
      print -u2 -r -- "ashlet: ${(V)name} was not downloaded"
      return 0
    }
  done
  return 0
}

# Resumable, into a .part file; the final name appears only when the file is complete and verified.
.ashlet:download() {
  local url=$1 dir=$2 file=${3:t} sum=$4
  [[ $url == https://* || $url == http://(127.0.0.1|localhost)[:/]* ]] || {
    print -u2 -r -- 'ashlet: only https addresses are downloaded from'
    return 1
  }
  [[ $file == ?*.gguf && -n $dir ]] || {
    print -u2 -r -- 'ashlet: only models, files named *.gguf, are downloaded'
    return 1
  }
  [[ ! -e $dir/$file ]] || {
    print -u2 -r -- "ashlet: ${(V)dir}/${(V)file} exists already and is kept; remove it to download it again"
    return 1
  }
  command mkdir -p -- "$dir" || return 1
  local part=$dir/$file.part
  # Already complete: a server has nothing to add, and answers with an error.
  if [[ -z $sum || ! -f $part ]] || ! .ashlet:has-sum "$part" "$sum"; then
    .ashlet:fetch-file "$url" "$part" || return 1
  fi
  if [[ -n $sum ]] && ! .ashlet:has-sum "$part" "$sum"; then
    command rm -f -- "$part"
    print -u2 -r -- 'ashlet: the file is not what was announced; it was removed'
    return 1
  fi
  command mv -f -- "$part" "$dir/$file"
}

.ashlet:fetch-file() {
  local url=$1 part=$2
  if (( $+commands[aria2c] )); then
    command aria2c --continue=true --max-connection-per-server=4 --dir="${part:h}" --out="${part:t}" -- "$url"
  elif (( $+commands[curl] )); then
    command curl --location --fail --progress-bar --continue-at - --output "$part" -- "$url"
  elif (( $+commands[wget] )); then
    command wget --continue --output-document="$part" -- "$url"
  else
    print -u2 -r -- 'ashlet: needs aria2c, curl or wget to download'
    return 1
  fi
}

# Whether file $1 has the SHA-256 $2.
.ashlet:has-sum() {
  # Quoted: otherwise each word of the substitution would be cut separately, and all would stay.
  local found=${"$(command sha256sum -- "$1" 2>/dev/null || command shasum -a 256 -- "$1")"%% *}
  [[ ${found:l} == ${2:l} ]]
}
