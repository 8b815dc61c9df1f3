/** Makes text safe to paste: removes characters that a terminal would obey. Never changes a printable character. */

/** The start and end of a bracketed paste, 7-bit and 8-bit, with the leading zeros that parsers accept. */
const PASTE_FRAME = /(?:\u001b\[|\u009b)0*20[01]~/g;

/** C0 but TAB and LF, DEL (an erase key to a terminal), C1. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** LF line ends, no control characters, no paste frame, no newline at the end. Normalising twice changes nothing. */
export function normalise(text: string): string {
  let clean = text.toWellFormed().replace(/\r\n?/g, '\n');
  // Removing a frame may join the halves of another one around it.
  for (let before = ''; before !== clean; ) {
    before = clean;
    clean = clean.replace(PASTE_FRAME, '');
  }
  return clean.replace(CONTROL, '').replace(/\n+$/, '');
}
