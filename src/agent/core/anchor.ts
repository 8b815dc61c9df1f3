/**
 * Finds the lines that a model means when it quotes them instead of naming their numbers. Lines that are equal count
 * first, then lines that are alike but for white space, quotation marks or escapes. The new text is then adapted: lines
 * that it has in common with the quote keep the bytes of the file, others get the indentation that the file has. Pure.
 */
import { alignSequences, Interner } from '../../lib/sequence-diff.ts';

/** Lines `[start, end)` from 0. `adapt` makes the new text fit the file there. */
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

type Rewrite = (text: string) => string;

const asIs: Rewrite = (text) => text;
const squeezed: Rewrite = (line) => line.trim().replace(/\s+/g, ' ');
/** Typographic characters as the plain ones that models write for them, and the reverse. */
const folded: Rewrite = (text) =>
  text
    .normalize('NFC')
    .replace(/[‘’‚‛′]/g, "'")
    .replace(/[“”„‟″]/g, '"')
    .replace(/[‐‑‒–—―−]/g, '-')
    .replace(/\u2026/g, '...')
    .replace(/[\u00a0\u2000-\u200a\u202f\u3000]/g, ' ')
    .replace(/[\u200b\u2060\ufeff]/g, '');
const foldedLine: Rewrite = (line) => squeezed(folded(line));

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  amp: '&',
};
const withoutEntities: Rewrite = (text) =>
  text.replace(/&(lt|gt|quot|apos|#39|amp);/g, (_, name: string) => ENTITIES[name] ?? '');
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '' };
/** A text that was escaped once more than its JSON needs. */
const withoutEscapes: Rewrite = (text) =>
  text.replace(/\\([ntr"'\\])/g, (_, character: string) => ESCAPED[character] ?? character);

/**
 * Where `quoted` stands in `lines` (without line ends). `near` is the line, from 1, that the model named besides: of
 * several places the nearest to it counts.
 */
export function anchor(lines: readonly string[], quoted: string, near: number | null): Anchoring {
  for (const read of [asIs, withoutEntities, withoutEscapes]) {
    const meant = read(quoted);
    if (read !== asIs && meant === quoted) continue;
    const found = anchorLines(lines, meant, near);
    if (found.kind === 'several') return found;
    if (found.kind === 'nowhere') continue;
    const { start, end, adapt } = found.at;
    return { kind: 'found', at: { start, end, adapt: (newText) => adapt(read(newText)) } };
  }
  return { kind: 'nowhere' };
}

function anchorLines(lines: readonly string[], quoted: string, near: number | null): Anchoring {
  const { lines: wanted, above, below } = quotedLines(quoted);
  if (wanted.length === 0) return { kind: 'nowhere' };
  for (const shape of [asIs, (line: string) => line.trimEnd(), squeezed, foldedLine]) {
    const places = placesOf(lines.map(shape), wanted.map(shape));
    if (places.length === 0) continue;
    const start = chosen(places, near);
    if (start === null) return { kind: 'several', lines: places.map((at) => at + 1) };
    const end = start + wanted.length;
    const found = lines.slice(start, end);
    const fitted = shape === asIs ? asIs : fitting(wanted, found, shape === foldedLine);
    const adapt = (newText: string) => fitted(withoutBlanks(newText, above, below));
    return { kind: 'found', at: { start, end, adapt } };
  }
  return { kind: 'nowhere' };
}

const linesOf = (text: string): readonly string[] =>
  text.replace(/\r\n/g, '\n').replace(/\n$/, '').split('\n');

/** The quote without the surrounding blank lines, which models add and drop, and the number of those lines. */
function quotedLines(quoted: string) {
  const lines = linesOf(quoted);
  const first = lines.findIndex((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return first === -1
    ? { lines: [], above: 0, below: 0 }
    : { lines: lines.slice(first, last + 1), above: first, below: lines.length - 1 - last };
}

/** The new text without the surrounding blank lines that the quote has too. */
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

/** Makes a new text fit where the quote only resembles what was found. */
function fitting(quoted: readonly string[], found: readonly string[], isFolded: boolean): Rewrite {
  const indent = indentAdapter(quoted, found);
  const words = isFolded ? wordAdapter(found) : asIs;
  return (newText) => {
    const lines = newText.split('\n');
    const interner = new Interner();
    const partners = alignSequences(interner.idsOf([...quoted]), interner.idsOf(lines));
    const kept = new Map<number, string>();
    partners.forEach((partner, at) => {
      if (partner >= 0) kept.set(partner, found[at] ?? '');
    });
    return lines.map((line, at) => kept.get(at) ?? words(indent(line))).join('\n');
  };
}

const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? '';

/** What the quote lacks at the left of its lines, or has too much, the new text lacks or has as well. */
function indentAdapter(quoted: readonly string[], found: readonly string[]): Rewrite {
  const known = new Map<string, string>();
  quoted.forEach((line, at) => {
    const theirs = indentOf(line);
    if (line.trim() !== '' && !known.has(theirs)) known.set(theirs, indentOf(found[at] ?? ''));
  });
  const [unit, own] = unitsOf([...known]);
  return (line) => {
    const theirs = indentOf(line);
    if (line.trim() === '') return line;
    for (let length = theirs.length; length >= 0; length -= 1) {
      const ours = known.get(theirs.slice(0, length));
      if (ours === undefined) continue;
      const deeper = theirs.slice(length);
      return ours + (unit === '' ? deeper : deeper.replaceAll(unit, own)) + line.slice(theirs.length);
    }
    return line;
  };
}

/** One step of indentation in the quote and in the file, where one has tabs and the other blanks. */
function unitsOf(known: readonly (readonly [string, string])[]): readonly [string, string] {
  for (const [theirs, ours] of known) {
    if (/^ +$/.test(theirs) && /^\t+$/.test(ours) && theirs.length % ours.length === 0)
      return [' '.repeat(theirs.length / ours.length), '\t'];
    if (/^\t+$/.test(theirs) && /^ +$/.test(ours) && ours.length % theirs.length === 0)
      return ['\t', ' '.repeat(ours.length / theirs.length)];
  }
  return ['', ''];
}

/** Words that the file has there are written as the file writes them. */
function wordAdapter(found: readonly string[]): Rewrite {
  const known = new Map(
    found.flatMap((line) => line.match(/\S+/g) ?? []).map((word) => [folded(word), word]),
  );
  const isPlain = found.every((line) => folded(line) === line);
  return (line) => line.replace(/\S+/g, (word) => known.get(folded(word)) ?? (isPlain ? folded(word) : word));
}
