/**
 * The one gate for text from outside that is about to be drawn: control characters, bidi overrides and
 * zero-width characters become visible, so that no string can move the cursor, hide text or reverse it.
 */

/** C0 (but TAB and LF), DEL, C1; zero width; bidi embeddings, overrides and isolates; line and paragraph separator; BOM. */
const UNSAFE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200c\u200e-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

/** A quick test that plain text (nearly all of it) passes without a copy. */
const MAYBE_UNSAFE = /[^\t\n\u0020-\u007e\u00a0-\u00ac\u00ae-\u0600]/;

function show(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code); // ␀ … ␟
  if (code === 0x7f) return '␡';
  return `<${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** `text` with everything invisible made visible. TAB and LF stay: the layout decides about them. ZWJ stays: emoji need it. */
export function sanitize(text: string): string {
  if (!MAYBE_UNSAFE.test(text)) return text;
  return text.replace(UNSAFE, show);
}

/** CSI, OSC, DCS/PM/APC/SOS and two-character escapes, 7- and 8-bit forms (ECMA-48). */
const ESCAPES =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b\]|\u009d)[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|$)|(?:\u001b[PX^_]|[\u0090\u0098\u009e\u009f])[^\u001b\u009c]*(?:\u001b\\|\u009c|$)|\u001b[ -/]*[0-~]/g;

/** `text` without terminal escape sequences. */
export function stripAnsi(text: string): string {
  return text.includes('\u001b') || /[\u0080-\u009f]/.test(text) ? text.replace(ESCAPES, '') : text;
}
