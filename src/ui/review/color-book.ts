/**
 * Syntax colours of the hunks in view, asked for when the reader has come to rest, after the frame that shows them.
 * What is under way is given up when one moves on. Bounded; what is too long stays without, and says so.
 */

import type { ClockPort } from '../kit/ports.ts';
import { segmentAt } from './diff-layout.ts';
import { reviewFrame } from './frame.ts';
import type { HunkDoc } from './hunk-doc.ts';
import type { ReviewFacts, ReviewModel } from './model.ts';
import type { ColoredLine, ColorPort } from './port.ts';

/** Hunks of more lines, or more characters, stay without colours. */
export const COLORED_HUNK_MAX_LINES = 5_000;
export const COLORED_HUNK_MAX_CHARACTERS = 200_000;
/** So long after the last key the colours of what is in view are asked for. */
export const COLOR_REST_MS = 40;

/** The colours of a hunk's own lines; in words why there are none, where that should be said. */
export type HunkColors = { readonly lines: readonly ColoredLine[] } | { readonly why: string };

export interface ColorBook {
  /** Null: not known yet, or none. */
  readonly of: (doc: HunkDoc) => HunkColors | null;
  /** Looks what is in view now; the work is done later. */
  readonly onState: (state: ReviewModel, facts: ReviewFacts) => void;
  readonly stop: () => void;
}

export interface ColorBookOptions {
  readonly port: ColorPort;
  readonly clock: ClockPort;
  /** There are more colours than before. */
  readonly onColors: () => void;
}

/** Makes the book. */
export function createColorBook({ port, clock, onColors }: ColorBookOptions): ColorBook {
  // By document: another text of the same hunk is another document.
  const known = new WeakMap<HunkDoc, HunkColors>();
  let pending: unknown = null;
  let work = new AbortController();
  let seen: readonly unknown[] = [];

  const color = async (docs: readonly (readonly [doc: HunkDoc, file: string])[]): Promise<void> => {
    const { signal } = work;
    for (const [doc, file] of docs) {
      if (signal.aborted) return;
      const sides = sidesOf(doc);
      if (sides === null) {
        known.set(doc, { why: 'too long to colour' });
        continue;
      }
      const colored = await port.color({ file, texts: [sides.before, sides.after] }, signal);
      if (signal.aborted) return;
      // A language without colours needs no word; one that took too long does.
      known.set(doc, colored.ok ? { lines: sides.merge(colored.value) } : wordsOf(colored.error.code));
      onColors();
    }
  };

  const run = (state: ReviewModel, facts: ReviewFacts): void => {
    pending = null;
    const docs = docsInView(state, facts).filter(([doc]) => !known.has(doc));
    // A defect in a port reaches the process's own boundary.
    if (docs.length > 0) void color(docs);
  };

  const stop = (): void => {
    if (pending !== null) clock.clear(pending);
    pending = null;
    work.abort();
  };

  return {
    of: (doc) => known.get(doc) ?? null,
    stop,
    onState: (state, facts) => {
      const { screen, review, size } = state;
      const now = [screen, review.cursor?.hunk, review.top, review.suggestion, size, facts.review.open];
      if (now.every((part, index) => part === seen[index])) return;
      seen = now;
      stop();
      if (screen !== 'review' || review.suggestion === null) return;
      work = new AbortController();
      pending = clock.set(() => run(state, facts), COLOR_REST_MS);
    },
  };
}

const wordsOf = (code: string): HunkColors =>
  code === 'not_found' ? { lines: [] } : { why: 'not coloured: it took too long' };

/** The documents of the hunks in view, as they were read: what is shown around them is not coloured. */
function docsInView(state: ReviewModel, facts: ReviewFacts): (readonly [doc: HunkDoc, file: string])[] {
  const frame = reviewFrame(state, facts);
  if (frame === null) return [];
  const docs: (readonly [doc: HunkDoc, file: string])[] = [];
  const end = Math.min(frame.layout.rows, state.review.top + frame.height);
  for (let row = state.review.top; row < end; ) {
    const segment = segmentAt(frame.layout, row);
    if (segment === null) break;
    const doc = facts.reviewDocs.hunkDoc(frame.suggestion.id, segment.hunk);
    if (doc.ranges !== '') docs.push([doc, segment.hunk.file]);
    row = segment.end;
  }
  return docs;
}

interface HunkSides {
  readonly before: string;
  readonly after: string;
  /** The colours of both sides, by line of the hunk: what stands on both is coloured as it is afterwards. */
  readonly merge: (sides: readonly (readonly ColoredLine[])[]) => readonly ColoredLine[];
}

/** Both sides of a hunk as texts; null where they are too long. */
function sidesOf({ lines }: HunkDoc): HunkSides | null {
  if (lines.length > COLORED_HUNK_MAX_LINES) return null;
  if (lines.reduce((sum, { text }) => sum + text.length, 0) > COLORED_HUNK_MAX_CHARACTERS) return null;
  const side = (absent: string) =>
    lines
      .filter(({ op }) => op !== absent)
      .map(({ text }) => text)
      .join('\n');
  return {
    before: side('added'),
    after: side('removed'),
    merge: ([before = [], after = []]) => {
      let [old, neu] = [0, 0];
      return lines.map(({ op }) => {
        const line = (op === 'removed' ? before[old] : after[neu]) ?? [];
        if (op !== 'added') old += 1;
        if (op !== 'removed') neu += 1;
        return line;
      });
    },
  };
}
