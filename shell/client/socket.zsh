# Where the daemon listens, and whether connecting could hang. All by stat: no process, no connection.

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

# The daemon touches its heartbeat file every two seconds, or dates it ahead and touches it less often. A stopped
# process still accepts connections until its backlog is full, and then a connect blocks forever: so we do not connect
# if the heartbeat is 4 s old. A daemon without such a file is assumed to be alive.
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

# Whether the socket belongs to our own user: no other user's process may read the typed text.
.ashlet:socket-usable() {
  [[ -S $1 && -O $1 && ! -h $1 ]]
}
