/** Makes untrusted text safe to show: hidden characters become visible, nothing is removed. All text goes through. */
import { findHidden } from './hidden-text.ts';

/** How a hidden character is shown: `␛`, `␡`, `<200B>`. */
export function shownAs(codePoint: number): string {
  if (codePoint < 0x20) return String.fromCharCode(0x2400 + codePoint);
  if (codePoint === 0x7f) return '␡';
  return `<${hex(codePoint)}>`;
}

/** At least four digits, as Unicode writes them. */
export const hex = (codePoint: number): string => codePoint.toString(16).toUpperCase().padStart(4, '0');

/** Text from outside as one line, so that its line breaks cannot fake lines of ours. */
export const oneLine = (text: string): string => text.replaceAll('\n', '␊');

/** `text` with hidden characters made visible. TAB and LF stay for the layout. */
export function sanitize(text: string): string {
  let shown = '';
  let from = 0;
  for (const { at, codePoint } of findHidden(text)) {
    shown += text.slice(from, at) + shownAs(codePoint);
    from = at + (codePoint > 0xffff ? 2 : 1);
  }
  return from === 0 ? text : shown + text.slice(from);
}
