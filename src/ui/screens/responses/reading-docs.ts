/**
 * Responses as lines to read: split once, grown in place while they stream, with headings and code told apart.
 * Keeps the line objects of an unchanged beginning, because the layout is cached by line object.
 */
import type { LaidOutLine } from '../../../lib/text-layout.ts';
import type { Turn } from '../../../protocol/turn.ts';

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
  const kinds: LineKind[] = [];
  let rest = source;
  if (known !== undefined && known.lines.length > 1 && source.startsWith(known.source)) {
    // The last line may have grown; everything before it stands.
    const lastLine = known.lines.at(-1)?.text ?? '';
    lines.push(...known.lines.slice(0, -1));
    kinds.push(...known.kinds.slice(0, -1));
    rest = source.slice(known.source.length - lastLine.length);
  }
  if (source !== '') for (const text of rest.split('\n')) lines.push({ text });
  classify(lines, kinds);
  return { turnId: turn.id, source, lines, kinds, partStarts: partStartsOf(turn) };
}

const FENCE = /^\s{0,3}(```|~~~)/;

/** Fills `kinds` up to the length of `lines`. */
function classify(lines: readonly LaidOutLine[], kinds: LineKind[]): void {
  let isCode = false;
  for (let index = 0; index < kinds.length; index += 1) {
    if (FENCE.test(lines[index]?.text ?? '')) isCode = !isCode;
  }
  for (let index = kinds.length; index < lines.length; index += 1) {
    const text = lines[index]?.text ?? '';
    if (FENCE.test(text)) {
      kinds.push('code');
      isCode = !isCode;
    } else if (isCode) kinds.push('code');
    else kinds.push(/^#{1,6} /.test(text) ? 'heading' : 'text');
  }
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

/** Lines of a text; an empty text has none. */
export function countLines(text: string): number {
  if (text === '') return 0;
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
