/** Cursor offsets in UTF-8 bytes (wire), code points (zsh) and UTF-16 units (strings). Clamped to whole characters. */

export type OffsetUnit = 'byte' | 'char';

function byteLength(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}

/** The index in `text` of the character at `offset`, which counts `unit`s. */
export function indexOfOffset(text: string, offset: number, unit: OffsetUnit): number {
  let counted = 0;
  let index = 0;
  for (const character of text) {
    counted += unit === 'char' ? 1 : byteLength(character.codePointAt(0) ?? 0);
    if (counted > offset) return index;
    index += character.length;
  }
  return text.length;
}

/** The offset in `unit`s of `index` in `text`. */
export function offsetOfIndex(text: string, index: number, unit: OffsetUnit): number {
  let offset = 0;
  for (const character of text.slice(0, index))
    offset += unit === 'char' ? 1 : byteLength(character.codePointAt(0) ?? 0);
  return offset;
}
