/**
 * Responses as lines to read: split once, grown in place while they stream, with headings and code told apart.
 * Keeps the line objects of an unchanged beginning, because the layout is cached by line object.
 */
import type { LaidOutLine } from '../../lib/text-layout.ts';
import type { Turn } from '../../protocol/turn.ts';
import { codeBlocks } from '../../responses/core/code-blocks.ts';

export type LineKind = 'text' | 'heading' | 'code';

export interface ReadingDoc {
  readonly turnId: string;
  readonly source: string;
  readonly lines: readonly LaidOutLine[];
  readonly kinds: readonly LineKind[];
  /** First line of each run of text between tool calls. */
  readonly partStarts: readonly number[];
}

export type ReadingDocs = (turn: Turn) => ReadingDoc;

/** Documents kept at a time; the ones read last stay. */
const KEPT_DOCS = 8;

/** Makes the store of documents. */
export function createReadingDocs(): ReadingDocs {
  const kept = new Map<string, ReadingDoc>();
  return (turn) => {
    const known = kept.get(turn.id);
    if (known !== undefined && known.source === turn.response) return known;
    const doc = grow(turn, known);
    kept.delete(turn.id);
    kept.set(turn.id, doc);
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT_DOCS) break;
      kept.delete(oldest);
    }
    return doc;
  };
}

function grow(turn: Turn, known: ReadingDoc | undefined): ReadingDoc {
  const source = turn.response;
  const lines: LaidOutLine[] = [];
  let rest = source;
  if (known !== undefined && known.lines.length > 1 && source.startsWith(known.source)) {
    // The last line may have grown; everything before it stands.
    const lastLine = known.lines.at(-1)?.text ?? '';
    lines.push(...known.lines.slice(0, -1));
    rest = source.slice(known.source.length - lastLine.length);
  }
  if (source !== '') for (const text of rest.split('\n')) lines.push({ text });
  return { turnId: turn.id, source, lines, kinds: kindsOf(lines, source), partStarts: partStartsOf(turn) };
}

function kindsOf(lines: readonly LaidOutLine[], source: string): readonly LineKind[] {
  const kinds = lines.map(({ text }): LineKind => (/^#{1,6} /.test(text) ? 'heading' : 'text'));
  for (const { start, end } of codeBlocks(source)) kinds.fill('code', start, end);
  return kinds;
}

function partStartsOf(turn: Turn): readonly number[] {
  const starts: number[] = [];
  let line = 0;
  for (const part of turn.parts) {
    starts.push(line);
    line += countLines(part) + 1;
  }
  return starts;
}

/** Lines of a response; counted once per turn. */
export type LinesOf = (turn: Turn) => number;

/** Makes a counter that remembers as long as the turn lives. */
export function createLineCounter(): LinesOf {
  const kept = new WeakMap<Turn, number>();
  return (turn) => {
    const known = kept.get(turn);
    if (known !== undefined) return known;
    const lines = countLines(turn.response);
    kept.set(turn, lines);
    return lines;
  };
}

/** Lines of a text; an empty text has none. */
export function countLines(text: string): number {
  if (text === '') return 0;
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
