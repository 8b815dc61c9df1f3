/** A part of an integration that consists of one marked block in a configuration file. */
import { ok } from '../../../lib/result.ts';
import type { FilePart } from '../integration.ts';

/** `lines` form the block, each with its line end. Removal deletes a file that holds nothing else. */
export function blockPart(
  part: Pick<FilePart, 'name' | 'file' | 'about'> & { readonly lines: string },
): FilePart {
  const { lines, ...place } = part;
  return {
    kind: 'file',
    ...place,
    add: (text) => ok(addBlock(text ?? '', lines)),
    remove: (text, original) => {
      const rest = removeBlock(text);
      return ok(rest === '' && original === null ? null : rest);
    },
    isIn: (text) => findBlock(text) !== null,
  };
}

const BEGIN = '# >>> copane >>>';
const END = '# <<< copane <<<';
const JOINED = ' (the line above had no end)';

/** `lines` must end with a line end. */
const block = (lines: string, joined: boolean): string => `${BEGIN}${joined ? JOINED : ''}\n${lines}${END}\n`;

/** Adds the block of `lines`, replacing the block of another copane. */
export function addBlock(text: string, lines: string): string {
  const found = findBlock(text);
  if (found !== null) {
    if (text.slice(found.start, found.end) === block(lines, found.joined)) return text;
    return addBlock(removeBlock(text), lines);
  }
  const joined = text !== '' && !text.endsWith('\n');
  return `${text}${joined ? lineEndOf(text) : ''}${block(lines, joined)}`;
}

/** How the lines of a text end. */
export const lineEndOf = (text: string) => (text.includes('\r\n') ? '\r\n' : '\n');

/** The text before the block was added. */
export function removeBlock(text: string): string {
  const found = findBlock(text);
  if (found === null) return text;
  const { start, end, joined } = found;
  // Lines added later must not be joined to the preceding line.
  const undoJoin = joined && end === text.length;
  const rest = text.slice(0, start);
  return (undoJoin ? rest.slice(0, -lineEndOf(rest.slice(0, -2)).length) : rest) + text.slice(end);
}

function findBlock(text: string): { start: number; end: number; joined: boolean } | null {
  const start = text.startsWith(BEGIN) ? 0 : text.indexOf(`\n${BEGIN}`) + 1;
  if (start === 0 && !text.startsWith(BEGIN)) return null;
  const last = text.indexOf(`${END}\n`, start);
  if (last === -1) return null;
  return { start, end: last + END.length + 1, joined: text.startsWith(BEGIN + JOINED, start) };
}
