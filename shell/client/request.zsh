# Builds and sends requests over one connection that stays open. Never blocks: a daemon that does not answer gets no
# more requests.

typeset -g  _ashlet_result=              # results of functions: cheaper than a subshell
typeset -gi _ashlet_foreign=0            # the daemon knows only JSON and has no quiet time
typeset -gF _ashlet_sent_at=0            # when the newest unanswered request was sent
typeset -gi _ashlet_newest_id=0
typeset -gi _ashlet_unanswered_bytes=0
typeset -gi _ashlet_strikes=0
typeset -gF _ashlet_off_until=0
typeset -g  _ashlet_inbox=               # bytes of an incomplete answer
typeset -g  _ashlet_cwd_of=              # the directory in _ashlet_cwd_json
typeset -g  _ashlet_cwd_json=
typeset -ga _ashlet_outbox               # messages without an answer, for the next connection

typeset -gi _ashlet_max_unanswered_bytes=16384
typeset -gi _ashlet_max_inbox_bytes=262144
typeset -gi _ashlet_max_strikes=3
typeset -gi _ashlet_max_outbox=16
typeset -gF _ashlet_answer_timeout=0.3
typeset -gF _ashlet_off_seconds=10

# A JSON string of $1. Sets _ashlet_result.
.ashlet:json-string() {
  local text=${1//\\/\\\\} code
  text=${text//\"/\\\"}
  if [[ $text == *[[:cntrl:]]* ]]; then
    local -a match mbegin mend
    text=${text//$'\n'/\\n}
    text=${text//$'\t'/\\t}
    text=${text//$'\r'/\\r}
    while [[ $text == (#b)*([[:cntrl:]])* ]]; do
      printf -v code '\\u%04x' "'${match[1]}"
      text=${text//"${match[1]}"/$code}
    done
  fi
  _ashlet_result="\"$text\""
}

# Length of $1 in bytes: zsh counts characters, the wire counts bytes. Sets _ashlet_result.
.ashlet:byte-length() {
  setopt local_options no_multibyte
  _ashlet_result=${#1}
}

# The number of characters in the first $2 bytes of $1. Sets _ashlet_result.
.ashlet:chars-of-bytes() {
  local head
  .ashlet:byte-prefix "$1" $2
  head=$_ashlet_result
  _ashlet_result=${#head}
  (( _ashlet_result > ${#1} )) && _ashlet_result=${#1}
  return 0
}

.ashlet:byte-prefix() {
  setopt local_options no_multibyte
  _ashlet_result=${1[1,$2]}
}

# The request for the current line. Sets _ashlet_result. Converts only what needs it, since this runs at every key.
.ashlet:build-request() {
  local input="\"$BUFFER\""
  local -i cursor=${#LBUFFER} delay_ms=$(( ASHLET_DELAY * 1000 ))
  [[ $BUFFER == *[\"\\[:cntrl:]]* ]] && { .ashlet:json-string "$BUFFER"; input=$_ashlet_result }
  [[ $LBUFFER == *[^[:ascii:]]* ]] && { .ashlet:byte-length "$LBUFFER"; cursor=$_ashlet_result }
  if [[ $_ashlet_cwd_of != "$PWD" ]]; then
    .ashlet:json-string "$PWD"
    _ashlet_cwd_json=$_ashlet_result
    _ashlet_cwd_of=$PWD
  fi
  _ashlet_result="{\"request_id\":$_ashlet_next_req_id,\"input\":$input,\"cursor_pos\":$cursor,\"cwd\":$_ashlet_cwd_json"
  _ashlet_result+=",\"session_id\":$_ashlet_session,\"max_candidates\":$(( ASHLET_MAX_CANDIDATES ))"
  _ashlet_result+=",\"cursor_unit\":\"byte\""
  (( _ashlet_failed && ! ${#BUFFER} && ASHLET_MIN_INPUT > 0 )) && _ashlet_result+=',"repair":true'
  (( ${to_command:-0} )) && _ashlet_result+=',"to_command":true'
  (( _ashlet_foreign )) || _ashlet_result+=",\"delay_ms\":$delay_ms,\"format\":\"sep1\""
  _ashlet_result+='}'
}

# An open connection, existing or new. Fails silently without a daemon.
.ashlet:connect() {
  (( _ashlet_complete_fd > 2 )) && return 0
  local REPLY sock
  local -i fd low
  .ashlet:socket-path; sock=$_ashlet_result
  .ashlet:socket-usable "$sock" && .ashlet:heartbeat-fresh "$sock" || return 1
  zsocket "$sock" 2>/dev/null || return 1
  fd=$REPLY
  # Some zsh run editor hooks without a standard input: a connection with that descriptor would be lost with it.
  if (( fd <= 2 )); then
    low=fd
    { exec {fd}>&$low && exec {low}>&- } 2>/dev/null || return 1
  fi
  _ashlet_complete_fd=fd
  _ashlet_inbox=
  _ashlet_unanswered_bytes=0
  zle -Fw $_ashlet_complete_fd .ashlet:complete-callback
}

# Closes the connection. Harmless if there is none.
.ashlet:disconnect() {
  local -i fd=_ashlet_complete_fd
  _ashlet_complete_fd=0
  _ashlet_asked_id=0
  _ashlet_sent_at=0
  _ashlet_unanswered_bytes=0
  _ashlet_inbox=
  .ashlet:close-fd $fd
}

# The redirection is outside the braces: after `exec` it would silence the shell's own stderr permanently.
.ashlet:close-fd() {
  (( $1 > 2 )) || return 0
  local -i fd=$1
  { zle -F $fd } 2>/dev/null
  { exec {fd}>&- } 2>/dev/null
  return 0
}

# Whether a request may be sent now: the circuit breaker.
.ashlet:may-send() {
  local sock
  if (( EPOCHREALTIME < _ashlet_off_until )); then return 1; fi
  if (( _ashlet_strikes >= _ashlet_max_strikes )); then
    # The probe reads the old connection, and never opens a new one beside it.
    (( _ashlet_complete_fd > 2 )) && .ashlet:drain
    if (( _ashlet_strikes >= _ashlet_max_strikes )); then
      .ashlet:socket-path; sock=$_ashlet_result
      if (( _ashlet_complete_fd > 2 )) && ! { .ashlet:heartbeat-known "$sock" && .ashlet:heartbeat-fresh "$sock" }; then
        _ashlet_off_until=$(( EPOCHREALTIME + _ashlet_off_seconds ))
        return 1
      fi
      .ashlet:disconnect
      _ashlet_strikes=0
    fi
  fi
  if (( _ashlet_sent_at > 0 && EPOCHREALTIME - _ashlet_sent_at > _ashlet_answer_timeout + ASHLET_DELAY )); then
    (( _ashlet_complete_fd > 2 )) && .ashlet:drain
    if (( _ashlet_sent_at > 0 )) && ! .ashlet:strike; then return 1; fi
  fi
  return 0
}

# The newest request was not answered in time. Fails if it was one too many.
.ashlet:strike() {
  _ashlet_sent_at=0
  (( ++_ashlet_strikes < _ashlet_max_strikes )) && return 0
  _ashlet_off_until=$(( EPOCHREALTIME + _ashlet_off_seconds ))
  return 1
}

# Sends the request for the current line.
.ashlet:send-request() {
  # The circuit breaker is needed only after an error, or if an answer takes long.
  if (( _ashlet_strikes || _ashlet_off_until > 0 ||
        _ashlet_sent_at > 0 && EPOCHREALTIME - _ashlet_sent_at > _ashlet_answer_timeout + ASHLET_DELAY )); then
    .ashlet:may-send || return 1
  fi
  if [[ $_ashlet_transport == socat ]]; then .ashlet:send-by-socat; return; fi
  # A daemon with one request per connection would not read a second one.
  (( _ashlet_foreign )) && .ashlet:abandon
  (( _ashlet_complete_fd > 2 )) || .ashlet:connect || return 1
  .ashlet:build-request
  local request=$_ashlet_result
  (( _ashlet_unanswered_bytes + ${#request} > _ashlet_max_unanswered_bytes )) && return 1
  (( ${#_ashlet_outbox} )) && { .ashlet:flush-outbox || return 1 }
  # The buffer of the socket is far larger than the unanswered requests: this does not block.
  syswrite -o $_ashlet_complete_fd "$request"$'\n' || { .ashlet:disconnect; return 1 }
  (( _ashlet_unanswered_bytes += ${#request} ))
  _ashlet_newest_id=_ashlet_next_req_id++
  _ashlet_sent_at=$EPOCHREALTIME
}

# Abandons unanswered requests: closing the connection cancels them.
.ashlet:abandon() {
  (( _ashlet_complete_fd > 2 && _ashlet_sent_at > 0 )) || return 0
  .ashlet:drain
  if (( _ashlet_sent_at > 0 )); then
    (( ++_ashlet_strikes >= _ashlet_max_strikes )) && _ashlet_off_until=$(( EPOCHREALTIME + _ashlet_off_seconds ))
    .ashlet:disconnect
  fi
}

# Writes one line that needs no answer.
.ashlet:write() {
  syswrite -o $_ashlet_complete_fd "$1"$'\n' || { .ashlet:disconnect; return 1 }
  (( _ashlet_unanswered_bytes += ${#1} ))
  return 0
}

# Keeps a message that needs no answer until there is a connection.
.ashlet:post() {
  (( ${#_ashlet_outbox} < _ashlet_max_outbox )) && _ashlet_outbox+=("$1")
}

.ashlet:flush-outbox() {
  local message
  (( _ashlet_foreign )) && _ashlet_outbox=()
  while (( ${#_ashlet_outbox} )); do
    message=${_ashlet_outbox[1]}
    (( _ashlet_unanswered_bytes + ${#message} > _ashlet_max_unanswered_bytes )) && return 0
    .ashlet:write "$message" || return 1
    _ashlet_outbox=("${(@)_ashlet_outbox[2,-1]}")
  done
}

# Without zsocket: one socat per request, JSON both ways.
.ashlet:send-by-socat() {
  local sock
  local -i fd
  .ashlet:socket-path; sock=$_ashlet_result
  .ashlet:socket-usable "$sock" && .ashlet:heartbeat-fresh "$sock" || return 1
  _ashlet_foreign=1
  .ashlet:disconnect
  .ashlet:build-request
  sysopen -r -o cloexec -u fd <(
    print -r -- "$_ashlet_result" | command socat -t5 - "UNIX-CONNECT:$sock" 2>/dev/null
  ) || return 1
  _ashlet_complete_fd=fd
  _ashlet_newest_id=_ashlet_next_req_id++
  _ashlet_sent_at=$EPOCHREALTIME
  zle -Fw $fd .ashlet:complete-callback
}
