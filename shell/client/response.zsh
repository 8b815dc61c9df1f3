# Parses responses: separators from our own daemon, JSON from any other. Both put the result into _ashlet_parsed_*;
# neither touches the state.

typeset -gi _ashlet_parsed_id=0
typeset -ga _ashlet_parsed_completions
typeset -ga _ashlet_parsed_cursors
typeset -ga _ashlet_parsed_risks
typeset -ga _ashlet_parsed_notes         # description of the last word
typeset -ga _ashlet_parsed_reasons       # reason for the offer
typeset -g  _ashlet_parsed_error=
typeset -g  _ashlet_parsed_message=      # of the error or notice
typeset -g  _ashlet_parsed_kind=         # of the first candidate
typeset -ga _ashlet_parsed_models        # name, url, file, dir, sha256 of each model in sequence
# Text with ESC or NUL, or a longer line than this, never reaches the buffer or the screen, whoever sent it.
typeset -g  _ashlet_unfit=$'*[\e\0]*'
typeset -gi _ashlet_max_line=4096
# zsh prints an error into the line for a number that it cannot hold.
typeset -g  _ashlet_number='[0-9](#c1,9)'

# Each parses one line, and fails if it is not a response.
.ashlet:parse-separated() {
  # $'…' means nothing inside double quotes.
  local record newline=$'\n' newline_mark=$'\x1d'
  local -a records fields
  local -i count
  records=("${(@ps:\x1e:)1}")
  fields=("${(@ps:\x1f:)records[1]}")
  [[ ${fields[2]} == ${~_ashlet_number} ]] || return 1
  _ashlet_parsed_id=${fields[2]}
  _ashlet_parsed_error=${fields[4]}
  _ashlet_parsed_message=${(V)fields[5]}
  [[ ${fields[3]} == ${~_ashlet_number} ]] && count=${fields[3]}
  for record in "${(@)records[2,1+count]}"; do
    fields=("${(@ps:\x1f:)record}")
    [[ -n ${fields[1]} && ${#fields[1]} -le _ashlet_max_line && ${fields[1]} != ${~_ashlet_unfit} ]] || continue
    _ashlet_parsed_completions+=("${fields[1]//$newline_mark/$newline}")
    _ashlet_parsed_cursors+=("${(M)fields[2]:#${~_ashlet_number}}")
    _ashlet_parsed_risks+=("${(M)fields[7]:#[a-z]##}")
    _ashlet_parsed_notes+=("${(V)fields[8]-}")
    _ashlet_parsed_reasons+=("${(V)fields[9]-}")
    _ashlet_parsed_kind=${_ashlet_parsed_kind:-${fields[5]}}
  done
  # The rest are the missing models.
  for record in "${(@)records[2+count,-1]}"; do
    fields=("${(@ps:\x1f:)record}")
    (( ${#fields} == 5 )) && _ashlet_parsed_models+=("${(@)fields}")
  done
  return 0
}

.ashlet:parse-json-response() {
  typeset -gA _ashlet_json
  local _ashlet_rest=$1 completion
  local -i i=0
  _ashlet_json=()
  .ashlet:json-value '' 0 || return 1
  # An acknowledgement of ours has no id and is not a response.
  [[ ${_ashlet_json[request_id]-} == ${~_ashlet_number} ]] || return 1
  _ashlet_parsed_id=${_ashlet_json[request_id]}
  _ashlet_foreign=1
  _ashlet_parsed_error=${_ashlet_json[error.code]-}
  while (( ${+_ashlet_json[candidates.$i.completion]} )); do
    completion=${_ashlet_json[candidates.$i.completion]}
    if [[ -n $completion && ${#completion} -le _ashlet_max_line && $completion != ${~_ashlet_unfit} ]]; then
      _ashlet_parsed_completions+=("$completion")
      _ashlet_parsed_cursors+=("${(M)_ashlet_json[candidates.$i.cursor_pos]:#${~_ashlet_number}}")
    fi
    i+=1
  done
  for (( i = 0; ${+_ashlet_json[error.models.$i.url]}; i++ )); do
    _ashlet_parsed_models+=(
      "${_ashlet_json[error.models.$i.name]-model}" "${_ashlet_json[error.models.$i.url]}"
      "${_ashlet_json[error.models.$i.file]-}" "${_ashlet_json[error.models.$i.dir]-}"
      "${_ashlet_json[error.models.$i.sha256]-}"
    )
  done
  return 0
}

# Reads one JSON value from the front of _ashlet_rest into _ashlet_json, under path $1 at depth $2. Takes runs of
# characters at a time: single characters take quadratic time in zsh.
.ashlet:json-value() {
  (( $2 <= 8 )) || return 1
  .ashlet:json-blanks
  case $_ashlet_rest in
    (\{*) .ashlet:json-members "$1" $2 ;;
    (\[*) .ashlet:json-items "$1" $2 ;;
    (\"*) .ashlet:json-text && _ashlet_json[$1]=$_ashlet_result ;;
    (*)
      local word=${_ashlet_rest%%[],\}[:space:]]*}
      [[ $word == (true|false|null|[-0-9]*) ]] || return 1
      _ashlet_rest=${_ashlet_rest[$(( ${#word} + 1 )),-1]}
      [[ $word == null ]] || _ashlet_json[$1]=$word
      ;;
  esac
}

.ashlet:json-blanks() {
  # A pattern for the blanks themselves would try every length of the whole rest.
  _ashlet_rest=${_ashlet_rest#"${_ashlet_rest%%[^[:space:]]*}"}
}

.ashlet:json-members() {
  local key
  _ashlet_rest=${_ashlet_rest[2,-1]}
  .ashlet:json-blanks
  while [[ $_ashlet_rest != \}* ]]; do
    .ashlet:json-text || return 1
    key=$_ashlet_result
    .ashlet:json-blanks
    [[ $_ashlet_rest == :* ]] || return 1
    _ashlet_rest=${_ashlet_rest[2,-1]}
    .ashlet:json-value "${1:+$1.}$key" $(( $2 + 1 )) || return 1
    .ashlet:json-next \} || return 1
  done
  _ashlet_rest=${_ashlet_rest[2,-1]}
}

.ashlet:json-items() {
  local -i index=0
  _ashlet_rest=${_ashlet_rest[2,-1]}
  .ashlet:json-blanks
  while [[ $_ashlet_rest != \]* ]]; do
    .ashlet:json-value "$1.$index" $(( $2 + 1 )) || return 1
    .ashlet:json-next \] || return 1
    index+=1
  done
  _ashlet_rest=${_ashlet_rest[2,-1]}
}

# After a value: a comma, or the closing bracket $1.
.ashlet:json-next() {
  .ashlet:json-blanks
  if [[ $_ashlet_rest == ,* ]]; then
    _ashlet_rest=${_ashlet_rest[2,-1]}
    .ashlet:json-blanks
    return 0
  fi
  [[ ${_ashlet_rest[1]} == "$1" ]]
}

# A JSON string from the front of _ashlet_rest. Sets _ashlet_result.
.ashlet:json-text() {
  local text= run escaped
  local -i code low
  [[ $_ashlet_rest == \"* ]] || return 1
  _ashlet_rest=${_ashlet_rest[2,-1]}
  while true; do
    [[ $_ashlet_rest == *[\"\\]* ]] || return 1
    run=${_ashlet_rest%%[\"\\]*}
    text+=$run
    _ashlet_rest=${_ashlet_rest[$(( ${#run} + 1 )),-1]}
    if [[ $_ashlet_rest == \"* ]]; then
      _ashlet_rest=${_ashlet_rest[2,-1]}
      _ashlet_result=$text
      return 0
    fi
    escaped=${_ashlet_rest[2]}
    _ashlet_rest=${_ashlet_rest[3,-1]}
    case $escaped in
      (n) text+=$'\n' ;;
      (t) text+=$'\t' ;;
      (r) text+=$'\r' ;;
      (b) text+=$'\b' ;;
      (f) text+=$'\f' ;;
      (u)
        [[ $_ashlet_rest == [[:xdigit:]](#c4)* ]] || return 1
        code=$(( 16#${_ashlet_rest[1,4]} ))
        _ashlet_rest=${_ashlet_rest[5,-1]}
        if (( code >= 0xd800 && code < 0xdc00 )) && [[ $_ashlet_rest == \\u[[:xdigit:]](#c4)* ]]; then
          low=$(( 16#${_ashlet_rest[3,6]} ))
          _ashlet_rest=${_ashlet_rest[7,-1]}
          code=$(( 0x10000 + (code - 0xd800) * 0x400 + (low - 0xdc00) ))
        fi
        printf -v run '%08x' $code
        run="\\U$run"
        # zsh treats a character that this locale cannot hold as an error: replace it by a mark.
        { text+=${(g::)run} } 2>/dev/null || text+='?'
        ;;
      (*) text+=$escaped ;;
    esac
  done
}
