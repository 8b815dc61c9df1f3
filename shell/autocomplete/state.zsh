# State of the client: one state name, and the candidates of one response with their request.

typeset -g  _ashlet_state=idle           # idle fetching showing browsing dismissed error
typeset -g  _ashlet_response=            # raw response with the candidates
typeset -gi _ashlet_candidate_count=0
typeset -ga _ashlet_completions          # 1-based: the whole lines
typeset -ga _ashlet_risks            # effect on existing files when applied, or empty
typeset -ga _ashlet_notes            # description of the last word: a target's comment, an option's meaning
typeset -ga _ashlet_reasons          # reason for the offer
typeset -g  _ashlet_walks=           # menu: TAB ran the shell's own completion
typeset -gF _ashlet_tab_patience=0.15   # seconds that TAB waits for a pending row
typeset -ga _ashlet_cursors              # byte offset after applying, or empty for the end
typeset -gi _ashlet_browse_index=0       # 0-based
typeset -g  _ashlet_message=             # a message instead of a row
typeset -gi _ashlet_asked_id=0           # the request for which a model writes a command
typeset -g  _ashlet_author=              # the model that wrote the candidate
typeset -gi _ashlet_dismissed=0
typeset -gi _ashlet_at_history_tip=1
typeset -gi _ashlet_private=0
typeset -gi _ashlet_failed=0             # the command before this line failed: a repair may be requested
typeset -g  _ashlet_lbuffer=             # the line of the last request
typeset -g  _ashlet_rbuffer=
typeset -gi _ashlet_next_req_id=${_ashlet_next_req_id:-1}
typeset -gi _ashlet_last_resp_id=${_ashlet_last_resp_id:-0}
typeset -gi _ashlet_answered_id=0        # the request whose answer is shown, even if empty
typeset -gi _ashlet_guarding=0           # the trap on Ctrl-C is set
typeset -g  _ashlet_trap_list=           # the user's trap on Ctrl-C: of `trap ... INT`
# What stands around it while a line is edited. A `return` in a trap that comes while a function runs, as one of ours does
# for an answer, returns from that function alone, and the line stays: this makes an interrupt of it.
typeset -g  _ashlet_trap_before=$'.ashlet:wake-zsh\n{ _ashlet_trap_returned=1\n'
typeset -g  _ashlet_trap_after=$'\n_ashlet_trap_returned=0 } always { (( ! _ashlet_trap_returned )) || TRY_BLOCK_INTERRUPT=1 }'
typeset -gi _ashlet_trap_returned=0
typeset -g  _ashlet_trap_body=           # or of TRAPINT
typeset -gi _ashlet_wake_fd=0            # of the process that wakes zsh after a Ctrl-C
typeset -gi _ashlet_wait_fd=0            # quiet-time timer, for daemons without one
typeset -gi _ashlet_complete_fd=${_ashlet_complete_fd:-0}   # the connection

# Whether buffer and cursor are unchanged since the last request.
.ashlet:same-state() {
  [[ $_ashlet_lbuffer == "$LBUFFER" && $_ashlet_rbuffer == "$RBUFFER" ]]
}

.ashlet:save-state() {
  _ashlet_lbuffer=$LBUFFER
  _ashlet_rbuffer=$RBUFFER
}

.ashlet:clear-candidates() {
  _ashlet_response=
  _ashlet_candidate_count=0
  _ashlet_completions=()
  _ashlet_cursors=()
  _ashlet_risks=()
  _ashlet_notes=()
  _ashlet_reasons=()
  _ashlet_browse_index=0
  _ashlet_answered_id=0
  _ashlet_message=
  _ashlet_author=
  # Nobody waits for the model any more: closing the connection cancels its work.
  (( _ashlet_asked_id )) && .ashlet:disconnect
  [[ -n $_ashlet_segment ]] && .ashlet:hide-row
  return 0
}

# Until the next answer arrives, only candidates that still continue the line stay: TAB must be able to apply the
# visible one.
.ashlet:narrow-candidates() {
  local -a lines cursors risks notes reasons
  local -i i
  if [[ -z $RBUFFER ]]; then
    for (( i = 1; i <= _ashlet_candidate_count; i++ )); do
      [[ ${_ashlet_completions[i]} == "$LBUFFER"?* ]] || continue
      lines+=("${_ashlet_completions[i]}")
      cursors+=("${_ashlet_cursors[i]}")
      risks+=("${_ashlet_risks[i]-}")
      notes+=("${_ashlet_notes[i]-}")
      reasons+=("${_ashlet_reasons[i]-}")
    done
  fi
  if (( ! ${#lines} )); then
    .ashlet:clear-candidates
    return 0
  fi
  _ashlet_completions=("${(@)lines}")
  _ashlet_cursors=("${(@)cursors}")
  _ashlet_risks=("${(@)risks}")
  _ashlet_notes=("${(@)notes}")
  _ashlet_reasons=("${(@)reasons}")
  _ashlet_candidate_count=${#lines}
  _ashlet_browse_index=0
  .ashlet:show-row
}

# Resets everything except the connection and the ids, which outlive a line.
.ashlet:reset-state() {
  .ashlet:stop-waiting
  .ashlet:clear-candidates
  _ashlet_state=idle
  _ashlet_dismissed=0
  _ashlet_at_history_tip=1
  _ashlet_lbuffer=
  _ashlet_rbuffer=
}
