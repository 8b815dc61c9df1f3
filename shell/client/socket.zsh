# Where the daemon listens, and whether asking it could hang. All by stat: no process, no connection.

# Sets _ashlet_result to the socket's path.
.ashlet:socket-path() {
  if [[ -n ${ASHLET_SOCKET-} ]]; then
    _ashlet_result=$ASHLET_SOCKET
  elif [[ -n ${XDG_RUNTIME_DIR-} ]]; then
    _ashlet_result=$XDG_RUNTIME_DIR/ashlet.sock
  else
    _ashlet_result=/tmp/ashlet-$UID.sock
  fi
}

# The daemon touches its heartbeat file every two seconds, or dates it ahead and touches it less often. A stopped process
# still accepts connections until its backlog is full, and then a connect blocks for ever: so none is made when the
# heartbeat is 4 s old.
# A daemon without such a file is given the benefit of the doubt.
.ashlet:heartbeat-fresh() {
  local beat=$1.beat
  [[ -e $beat ]] || return 0
  local -a fresh
  fresh=($beat(Nms-4))
  (( ${#fresh} ))
}

.ashlet:heartbeat-known() {
  [[ -e $1.beat ]]
}

# A socket of our own user: nobody else's process may read what is typed.
.ashlet:socket-usable() {
  [[ -S $1 && -O $1 && ! -h $1 ]]
}
