# The row below the prompt, in POSTDISPLAY. Other plugins also write there: ours is always the last part, identified by
# its text, and is removed without touching theirs.

typeset -g _ashlet_segment=          # newline and row, as we appended it
typeset -gi _ashlet_row_columns=0    # terminal width for which the row was made

# Control characters in a readable form, so that no candidate moves the cursor. Sets _ashlet_result.
.ashlet:visible() {
  local text=${1//$'\n'/$_ashlet_newline_mark}
  _ashlet_result=${(V)text}
}

# Zero-width characters, combining marks and joiners, as zsh shows them in a line: as <0301>, unless the terminal
# combines them (COMBINING_CHARS), and then only after another character. Sets _ashlet_result.
.ashlet:spell-out() {
  local text=$1 shown= character code
  _ashlet_result=$text
  [[ -o combining_chars ]] && return 0
  for character in ${(s::)text}; do
    if (( ${(m)#character} == 0 )); then
      printf -v code '<%04x>' "'$character"
      shown+=$code
    else
      shown+=$character
    fi
  done
  _ashlet_result=$shown
}

# Cuts text to a number of columns, with a mark where something is missing. Sets _ashlet_result.
.ashlet:cut() {
  local text=$1
  local -i columns=$2
  if (( ${(m)#text} > columns )); then
    while (( ${(m)#text} > columns - 1 )); do
      # First in large steps: the widest character takes two columns.
      local -i surplus=$(( (${(m)#text} - columns + 1) / 2 ))
      (( surplus < 1 )) && surplus=1
      text=${text[1,-1-surplus]}
    done
    text+=$_ashlet_ellipsis
  fi
  _ashlet_result=$text
}

# Wraps text over up to four rows of a number of columns, at blanks if possible. Sets _ashlet_result.
.ashlet:fold() {
  local rest=$1 part folded=
  local -i columns=$2 rows=0
  while (( ${(m)#rest} > columns && ++rows < 4 )); do
    part=${rest[1,columns]}
    while (( ${(m)#part} > columns )); do part=${part[1,-2]}; done
    [[ $part == *' '* ]] && (( ${#${part% *}} > columns / 2 )) && part="${part% *} "
    folded+=$part$'\n'
    rest=${rest[${#part}+1,-1]}
  done
  .ashlet:cut "$rest" $columns
  _ashlet_result=$folded$_ashlet_result
}

# Puts the row of the current candidate into the next redraw.
.ashlet:show-row() {
  local -i index=_ashlet_browse_index+1
  local text=${_ashlet_completions[index]} offset=${_ashlet_cursors[index]}
  if [[ -n $offset ]]; then
    .ashlet:chars-of-bytes "$text" $offset
    text="${text[1,_ashlet_result]}|${text[_ashlet_result+1,-1]}"
  fi
  [[ $text == *[[:cntrl:]]* ]] && { .ashlet:visible "$text"; text=$_ashlet_result }
  [[ $text == *[^[:ascii:]]* ]] && { .ashlet:spell-out "$text"; text=$_ashlet_result }
  text="($index/$_ashlet_candidate_count${_ashlet_risks[index]:+ ${_ashlet_risks[index]}}) $text"
  # Beside the row, its notes and, if there is room, the keys; while the user browses, also the source of each row.
  local note=${_ashlet_notes[index]-} hint=$_ashlet_hint
  [[ -z $note && $_ashlet_state == browsing ]] && note=${_ashlet_reasons[index]-}
  if [[ -n $note ]]; then
    hint="$note | $_ashlet_hint"
    (( ${(m)#text} + ${(m)#hint} + 3 > COLUMNS )) && hint=$note
  fi
  .ashlet:place-row "$text" "$hint"
}

# Shows a message instead of a row.
.ashlet:say() {
  _ashlet_message=$1
  zle && { .ashlet:place-row "$1" ''; zle -R }
  return 0
}

.ashlet:show-private() {
  .ashlet:place-row 'private: nothing is sent or remembered' "$_ashlet_private_hint"
}

# A text on the left, a grey hint on the right if there is room for it.
.ashlet:place-row() {
  local row=$1 hint=$2
  # The last column stays empty: writing to it makes some terminals wrap.
  local -i columns=COLUMNS-1 used gap
  (( columns < 10 )) && { .ashlet:hide-row; return 0 }
  if (( ${(m)#row} > columns )); then
    if [[ -n $_ashlet_message$_ashlet_author ]]; then .ashlet:fold "$row" $columns; else .ashlet:cut "$row" $columns; fi
    row=$_ashlet_result
  fi
  used=${(m)#row##*$'\n'}
  gap=$(( columns - used - ${(m)#hint} ))
  if (( gap >= 2 )); then row+="${(l:gap:)}$hint"; else hint=; fi
  [[ -n $_ashlet_segment ]] && .ashlet:hide-row
  _ashlet_segment=$'\n'$row
  _ashlet_row_columns=COLUMNS
  POSTDISPLAY="${POSTDISPLAY-}$_ashlet_segment"
  if [[ -n $hint ]]; then
    local -i end=$(( ${#BUFFER} + ${#POSTDISPLAY} ))
    # Because of the comma, zsh before 5.9, which has no memo, does not read it as a colour.
    region_highlight+=("$(( end - ${#hint} )) $end fg=242, memo=ashlet")
  fi
}

# Removes our row and leaves the text of others.
.ashlet:hide-row() {
  [[ -n $_ashlet_segment ]] || return 0
  POSTDISPLAY=${${POSTDISPLAY-}%"$_ashlet_segment"}
  _ashlet_segment=
  region_highlight=("${(@)region_highlight:#*memo=ashlet*}")
}

# A Ctrl-C leaves the screen unchanged and moves below it, so the row would stay in the lines above. A trap that redraws
# would remove it too, but may run during a redraw.
.ashlet:erase-row() {
  [[ -n $_ashlet_segment ]] || return 0
  local -i rows=${#_ashlet_segment//[^$'\n']}
  _ashlet_segment=
  zmodload zsh/terminfo 2>/dev/null && (( ${+terminfo[cuu1]} && ${+terminfo[el]} )) || return 0
  print -rn -- $'\r'
  repeat $rows; do print -rn -- "${terminfo[cuu1]}${terminfo[el]}"; done
}

# zsh-autosuggestions accepts all of POSTDISPLAY, including our row: removes that from the buffer.
.ashlet:reclaim-row() {
  [[ -n $_ashlet_segment && $BUFFER == *"$_ashlet_segment" ]] || return 0
  BUFFER=${BUFFER%"$_ashlet_segment"}
  .ashlet:hide-row
}

# Marks for terminals with UTF-8, and for others.
if [[ ${LC_ALL:-${LC_CTYPE:-${LANG:-}}} == *[Uu][Tt][Ff]*8* ]]; then
  typeset -g _ashlet_ellipsis='…' _ashlet_newline_mark='⏎' _ashlet_hint='[↹] apply | [⇧]+[←/→] navigate'
else
  typeset -g _ashlet_ellipsis='~' _ashlet_newline_mark='^J' _ashlet_hint='[Tab] apply | [Shift]+[Left/Right] navigate'
fi
typeset -g _ashlet_private_hint="[$ASHLET_PRIVATE_KEY] leave"
