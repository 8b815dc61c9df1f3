/**
 * Finds the lines that a model means when it quotes them instead of naming their numbers: equal lines first, then lines
 * that are alike but for white space, with the indentation of the new text adapted by as much. Pure.
 */

/** Lines `[start, end)` from 0. `adapt` gives the new text the indentation that the file has there. */
export interface Anchored {
  readonly start: number;
  readonly end: number;
  readonly adapt: (newText: string) => string;
}

export type Anchoring =
  | { readonly kind: 'found'; readonly at: Anchored }
  | { readonly kind: 'nowhere' }
  /** Line numbers, from 1, of the places that are equally good. */
  | { readonly kind: 'several'; readonly lines: readonly number[] };

const asIs = (text: string): string => text;
const squeezed = (line: string): string => line.trim().replace(/\s+/g, ' ');

/**
 * Where `quoted` stands in `lines` (without line ends). `near` is the line, from 1, that the model named besides: of
 * several places the nearest to it counts.
 */
export function anchor(lines: readonly string[], quoted: string, near: number | null): Anchoring {
  const { lines: wanted, above, below } = quotedLines(quoted);
  if (wanted.length === 0) return { kind: 'nowhere' };
  for (const shape of [asIs, (line: string) => line.trimEnd(), squeezed]) {
    const places = placesOf(lines.map(shape), wanted.map(shape));
    if (places.length === 0) continue;
    const start = chosen(places, near);
    if (start === null) return { kind: 'several', lines: places.map((at) => at + 1) };
    const end = start + wanted.length;
    const indent = indentAdapter(wanted, lines.slice(start, end));
    const adapt = (newText: string) => indent(withoutBlanks(newText, above, below));
    return { kind: 'found', at: { start, end, adapt } };
  }
  return { kind: 'nowhere' };
}

const linesOf = (text: string): readonly string[] =>
  text.replace(/\r\n/g, '\n').replace(/\n$/, '').split('\n');

/** The quote without blank lines around, which models add and lose, and how many those were. */
function quotedLines(quoted: string) {
  const lines = linesOf(quoted);
  const first = lines.findIndex((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return first === -1
    ? { lines: [], above: 0, below: 0 }
    : { lines: lines.slice(first, last + 1), above: first, below: lines.length - 1 - last };
}

/** The new text without the blank lines around that the quote had, too. */
function withoutBlanks(newText: string, above: number, below: number): string {
  const lines = [...linesOf(newText)];
  for (let left = above; left > 0 && lines[0]?.trim() === ''; left -= 1) lines.shift();
  for (let left = below; left > 0 && lines.at(-1)?.trim() === ''; left -= 1) lines.pop();
  return lines.join('\n');
}

function placesOf(lines: readonly string[], wanted: readonly string[]): readonly number[] {
  const places: number[] = [];
  for (let at = lines.indexOf(wanted[0] ?? ''); at !== -1; at = lines.indexOf(wanted[0] ?? '', at + 1))
    if (wanted.every((line, row) => lines[at + row] === line)) places.push(at);
  return places;
}

function chosen(places: readonly number[], near: number | null): number | null {
  if (places.length === 1) return places[0] ?? null;
  if (near === null) return null;
  const distance = (at: number) => Math.abs(at + 1 - near);
  const [first, second] = [...places].sort((a, b) => distance(a) - distance(b));
  if (first === undefined) return null;
  return second !== undefined && distance(first) === distance(second) ? null : first;
}

const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? '';

/** What the model's quote lacks at the left of every line, or has too much, its new text lacks or has as well. */
function indentAdapter(quoted: readonly string[], found: readonly string[]): (newText: string) => string {
  const at = quoted.findIndex((line) => line.trim() !== '');
  const [theirs, ours] = [indentOf(quoted[at] ?? ''), indentOf(found[at] ?? '')];
  if (theirs === ours) return asIs;
  return (newText) =>
    newText
      .split('\n')
      .map((line) => {
        if (line.trim() === '') return line;
        return line.startsWith(theirs) ? ours + line.slice(theirs.length) : line;
      })
      .join('\n');
}
