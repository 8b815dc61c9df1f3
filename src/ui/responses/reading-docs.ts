/** Responses as lines to read: Markdown once its renderer is loaded. Line objects, which key the cache, are kept. */

import { RecentMap } from '../../lib/recent-map.ts';
import type { Draft } from '../../protocol/draft.ts';
import type { Turn } from '../../protocol/turn.ts';
import { codeBlocks } from '../../responses/core/code-blocks.ts';
import { keepEach } from '../kit/memo.ts';
import type { Role } from '../kit/theme/role.ts';
import { withNotes } from './answer-notes.ts';
import type { ReadingDoc, ReadingForm, StyledLine } from './reading-doc.ts';

/** Makes the drawn lines of a source: as many as it has. */
export type MarkdownReader = (source: string) => readonly StyledLine[];

export interface ReadingDocs {
  /** With a draft, includes its notes on the response. */
  (turn: Turn, form?: ReadingForm, draft?: Draft): ReadingDoc;
  /** Renders responses as Markdown from now on: the renderer is loaded after the first frame. */
  readonly readBy: (reader: MarkdownReader) => void;
}

/** Documents cached; at least the most recently read half stays. */
const KEPT_DOCS = 8;
/** A longer response is shown as written: rendering it would delay a key. */
const MARKDOWN_MAX_CHARACTERS = 200_000;

/** Makes the document cache. */
export function createReadingDocs(): ReadingDocs {
  let kept = new RecentMap<string, ReadingDoc>(KEPT_DOCS);
  let reader: MarkdownReader | null = null;
  const plain = (turn: Turn, form: ReadingForm): ReadingDoc => {
    const key = `${form} ${turn.id}`;
    const known = kept.get(key);
    if (known !== undefined && known.source === turn.response) return known;
    const isRead = form === 'read' && turn.response.length <= MARKDOWN_MAX_CHARACTERS;
    const doc = grow(turn, known, isRead ? reader : null);
    kept.set(key, doc);
    return doc;
  };
  let noted: { readonly plain: ReadingDoc; readonly draft: Draft; readonly doc: ReadingDoc } | null = null;
  const docs = (turn: Turn, form: ReadingForm = 'read', draft: Draft | null = null): ReadingDoc => {
    const doc = plain(turn, form);
    if (draft === null) return doc;
    if (noted?.plain !== doc || noted.draft !== draft)
      noted = { plain: doc, draft, doc: withNotes(doc, draft) };
    return noted.doc;
  };
  return Object.assign(docs, {
    readBy: (next: MarkdownReader) => {
      reader = next;
      kept = new RecentMap(KEPT_DOCS);
    },
  });
}

function grow(turn: Turn, known: ReadingDoc | undefined, reader: MarkdownReader | null): ReadingDoc {
  const source = turn.response;
  const raw = source === '' ? [] : source.split('\n');
  const drawn = source === '' ? [] : (reader ?? asWritten)(source);
  // A line drawn as before stays the same object, so that its rows stay cached.
  const lines = drawn.map((line, at) => {
    const before = known?.lines[at];
    return before !== undefined && isAlike(before, line) ? before : line;
  });
  return { turnId: turn.id, source, raw, lines, partStarts: partStartsOf(turn) };
}

function isAlike(one: StyledLine, other: StyledLine): boolean {
  return (
    one.text === other.text &&
    one.styles.length === other.styles.length &&
    one.styles.every((style, at) => style.every((part, index) => part === other.styles[at]?.[index]))
  );
}

/** The source, with headings and code styled. */
function asWritten(source: string): readonly StyledLine[] {
  const texts = source.split('\n');
  const roles = texts.map((text): Role | null => (/^#{1,6} /.test(text) ? 'heading' : null));
  for (const { start, end } of codeBlocks(source)) roles.fill('code', start, end);
  return texts.map((text, at) => {
    const role = roles[at] ?? null;
    return { text, styles: role === null ? [] : [[0, text.length, role]] };
  });
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

/** A response's line count, computed once per turn. */
export type LinesOf = (turn: Turn) => number;

/** Makes a counter that caches for as long as the turn lives. */
export function createLineCounter(): LinesOf {
  const keep = keepEach<Turn, number>();
  return (turn) => keep(turn, [], () => countLines(turn.response));
}

/** A text's line count; 0 for an empty text. */
export function countLines(text: string): number {
  if (text === '') return 0;
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
