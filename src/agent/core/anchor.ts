/**
 * Finds the lines that a model means when it quotes them instead of giving their numbers. Equal lines count first, then
 * lines that differ only in white space, quotation marks or escapes. Then adapts the new text: lines that it shares
 * with the quote keep the bytes of the file, others get the file's indentation. Pure.
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
  /** Line numbers, from 1, of equally good places. */
  | { readonly kind: 'several'; readonly lines: readonly number[] };

type Rewrite = (text: string) => string;

const asIs: Rewrite = (text) => text;
const squeezed: Rewrite = (line) => line.trim().replace(/\s+/g, ' ');
/** Typographic characters as the plain ones that models write for them, and vice versa. */
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

/** The place of `quoted` in `lines` (without line ends), nearest to `near`: the line that the model named, from 1. */
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
  return anchorWithin(lines, quoted.trim(), near);
}

/** The place of a quote that begins or ends inside a line. The rest of its lines stays. */
function anchorWithin(lines: readonly string[], quoted: string, near: number | null): Anchoring {
  const text = lines.join('\n');
  const found: number[] = [];
  for (let at = text.indexOf(quoted); quoted !== '' && at !== -1; at = text.indexOf(quoted, at + 1))
    if (isWhole(text, at, at + quoted.length)) found.push(at);
  const lineOf = (at: number) => text.slice(0, at).split('\n').length - 1;
  const places = found.map(lineOf);
  const start = chosen(places, near);
  if (start === null)
    return found.length === 0 ? { kind: 'nowhere' } : { kind: 'several', lines: places.map((at) => at + 1) };
  const from = found[places.indexOf(start)] ?? 0;
  const end = lineOf(from + quoted.length) + 1;
  const head = text.slice(text.lastIndexOf('\n', from - 1) + 1, from);
  const tail = text.slice(from + quoted.length).split('\n', 1)[0] ?? '';
  return { kind: 'found', at: { start, end, adapt: (newText) => head + newText.trim() + tail } };
}

/** The quote begins and ends where words do. */
const isWhole = (text: string, from: number, to: number): boolean =>
  !/^\w\w$/.test(text.slice(from - 1, from + 1)) && !/^\w\w$/.test(text.slice(to - 1, to + 1));

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

/** The quote without surrounding blank lines, which models add and drop, and the number of those lines. */
function quotedLines(quoted: string) {
  const lines = linesOf(quoted);
  const first = lines.findIndex((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return first === -1
    ? { lines: [], above: 0, below: 0 }
    : { lines: lines.slice(first, last + 1), above: first, below: lines.length - 1 - last };
}

/** The new text without the surrounding blank lines that the quote also has. */
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

/** A line that only ends a block; another such line below it is not a duplicate. */
const CLOSES = /^\s*(?:\W+|end|fi|done|esac|endif|else|else:|\{|begin)[\W]*$/i;

/**
 * The new text without lines at its ends that already exist right above and below its place: models show where a change
 * belongs with lines that they did not quote. Lines within the place itself are intended.
 */
export function withoutNeighbours(
  newText: string,
  file: readonly string[],
  { start, end }: Pick<Anchored, 'start' | 'end'>,
): string {
  const lines = newText.replace(/\n$/, '').split('\n');
  // One more blank line, or one more bracket, is intended.
  const tells = (line: string) => line.trim() !== '' && !CLOSES.test(line);
  const isDouble = (count: number, at: number, from: number) => {
    for (let row = 0; row < count; row += 1) if (lines[at + row] !== file[from + row]) return false;
    return lines.slice(at, at + count).some(tells);
  };
  let [head, tail] = [0, 0];
  for (let count = Math.min(lines.length - 1, start); count > 0 && head === 0; count -= 1)
    if (isDouble(count, 0, start - count) && file[start] !== lines[0]) head = count;
  for (let count = Math.min(lines.length - 1 - head, file.length - end); count > 0 && tail === 0; count -= 1)
    if (isDouble(count, lines.length - count, end) && file[end - 1] !== lines.at(-1)) tail = count;
  return head + tail === 0 ? newText : lines.slice(head, lines.length - tail).join('\n');
}

/** Whether a text inserted before line `at`, from 0, only repeats the lines above or below. */
export function standsBeside(newText: string, file: readonly string[], at: number): boolean {
  const said = newText.split('\n').flatMap((line) => line.trim() || []);
  if (said.every((line) => CLOSES.test(line))) return false;
  const beside = (lines: readonly string[]) => lines.flatMap((line) => line.trim() || []);
  const below = beside(file.slice(at)).slice(0, said.length);
  const above = beside(file.slice(0, at)).slice(-said.length);
  return [above, below].some((lines) => lines.join('\n') === said.join('\n'));
}

/** Adapts a new text if the quote is only similar to the found lines. */
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

/** Indentation that the quote lacks or has in excess is corrected in the new text as well. */
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

/** One indentation step in the quote and in the file, if one uses tabs and the other blanks. */
function unitsOf(known: readonly (readonly [string, string])[]): readonly [string, string] {
  for (const [theirs, ours] of known) {
    if (/^ +$/.test(theirs) && /^\t+$/.test(ours) && theirs.length % ours.length === 0)
      return [' '.repeat(theirs.length / ours.length), '\t'];
    if (/^\t+$/.test(theirs) && /^ +$/.test(ours) && ours.length % theirs.length === 0)
      return ['\t', ' '.repeat(ours.length / theirs.length)];
  }
  return ['', ''];
}

/** Words that occur there in the file are written as in the file. */
function wordAdapter(found: readonly string[]): Rewrite {
  const known = new Map(
    found.flatMap((line) => line.match(/\S+/g) ?? []).map((word) => [folded(word), word]),
  );
  const isPlain = found.every((line) => folded(line) === line);
  return (line) => line.replace(/\S+/g, (word) => known.get(folded(word)) ?? (isPlain ? folded(word) : word));
}
