/** Syntax colours of hunks in view, requested after the frame when the reader pauses; cancelled on moving on. */

import type { Hunk } from '../../protocol/review.ts';
import type { ColorSource } from '../kit/color-port.ts';
import { segmentAt } from './diff-layout.ts';
import { reviewFrame } from './frame.ts';
import type { ColorsOf, HunkColors, HunkDoc, HunkLine } from './hunk-doc.ts';
import type { ReviewFacts, ReviewModel } from './model.ts';
import type { ColoredLine, ReviewPort } from './port.ts';

/** Hunks with more lines or characters are not coloured. */
export const COLORED_HUNK_MAX_LINES = 5_000;
export const COLORED_HUNK_MAX_CHARACTERS = 200_000;
/** How long after the last key to request colours for what is in view. */
export const COLOR_REST_MS = 40;

export interface ColorBook {
  readonly of: ColorsOf;
  /** Notes what is in view now; the work happens later. */
  readonly onState: (state: ReviewModel, facts: ReviewFacts) => void;
  readonly stop: () => void;
}

export interface ColorBookOptions extends ColorSource {
  /** The whole text of a hunk's file. */
  readonly texts: ReviewPort['texts'];
}

/** Colours a hunk: in its whole file if readable, else by itself. */
function createColorer({ port, texts }: Pick<ColorBookOptions, 'port' | 'texts'>) {
  const colorAlone = async (doc: HunkDoc, file: string, signal: AbortSignal): Promise<HunkColors> => {
    const sides = sidesOf(doc);
    if (sides === null) return { why: 'too long to colour' };
    const colored = await port.color({ file, texts: [sides.before, sides.after] }, signal);
    // An unsupported language needs no message; one that took too long does.
    return colored.ok ? { lines: sides.merge(colored.value) } : wordsOf(colored.error.code);
  };

  // Caches the last file, because its other hunks come next.
  let lastFile: { readonly key: string; readonly file: ColoredFile } | null = null;

  const colorInFile = async (shown: Shown, signal: AbortSignal): Promise<HunkColors | null> => {
    const { suggestion, hunk, doc } = shown;
    const key = JSON.stringify([suggestion, hunk.file]);
    const known = lastFile?.key === key ? colorsInFile(doc.lines, lastFile.file) : null;
    if (known !== null) return { lines: known };
    const file = await colorFile(shown, signal);
    if (file === null || signal.aborted) return null;
    lastFile = { key, file };
    const lines = colorsInFile(doc.lines, file);
    return lines === null ? null : { lines };
  };

  const colorFile = async ({ suggestion, hunk }: Shown, signal: AbortSignal): Promise<ColoredFile | null> => {
    const read = await texts(suggestion, hunk.id);
    if (!read.ok || signal.aborted) return null;
    const { before, after } = read.value;
    const known = [before, after].filter((text) => text !== null);
    const colored = known.length === 0 ? null : await port.color({ file: hunk.file, texts: known }, signal);
    if (colored?.ok !== true) return null;
    const left = [...colored.value];
    const side = (text: string | null) =>
      text === null ? null : { lines: text.split('\n'), colors: left.shift() ?? [] };
    return { before: side(before), after: side(after) };
  };

  return async (shown: Shown, signal: AbortSignal): Promise<HunkColors> =>
    (await colorInFile(shown, signal)) ?? (await colorAlone(shown.doc, shown.hunk.file, signal));
}

/** Makes the cache. */
export function createColorBook({ port, texts, clock, onColors }: ColorBookOptions): ColorBook {
  // By document: a new text of the same hunk is another document.
  const known = new WeakMap<HunkDoc, HunkColors>();
  let pending: unknown = null;
  let work = new AbortController();
  let seen: readonly unknown[] = [];
  const colorHunk = createColorer({ port, texts });

  const color = async (docs: readonly Shown[]): Promise<void> => {
    const { signal } = work;
    for (const shown of docs) {
      if (signal.aborted) return;
      const colored = await colorHunk(shown, signal);
      if (signal.aborted) return;
      known.set(shown.doc, colored);
      onColors();
    }
  };

  const run = (state: ReviewModel, facts: ReviewFacts): void => {
    pending = null;
    const docs = docsInView(state, facts).filter(({ doc }) => !known.has(doc));
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

interface Shown {
  readonly suggestion: string;
  readonly hunk: Hunk;
  readonly doc: HunkDoc;
}

/** The documents of the hunks in view, as read: their surroundings are not coloured. */
function docsInView(state: ReviewModel, facts: ReviewFacts): Shown[] {
  const frame = reviewFrame(state, facts);
  if (frame === null) return [];
  const docs: Shown[] = [];
  const end = Math.min(frame.layout.rows, state.review.top + frame.height);
  for (let row = state.review.top; row < end; ) {
    const segment = segmentAt(frame.layout, row);
    if (segment === null) break;
    const { suggestion } = frame;
    const doc = facts.reviewDocs.hunkDoc(suggestion.id, segment.hunk);
    if (doc.ranges !== '') docs.push({ suggestion: suggestion.id, hunk: segment.hunk, doc });
    row = segment.end;
  }
  return docs;
}

interface HunkSides {
  readonly before: string;
  readonly after: string;
  /** The colours of both sides by hunk line; unchanged lines get those of the new side. */
  readonly merge: (sides: readonly (readonly ColoredLine[])[]) => readonly ColoredLine[];
}

/** Both sides of a hunk as texts; null if they are too long. */
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
      let [old, updated] = [0, 0];
      return lines.map(({ op }) => {
        const line = (op === 'removed' ? before[old] : after[updated]) ?? [];
        if (op !== 'added') old += 1;
        if (op !== 'removed') updated += 1;
        return line;
      });
    },
  };
}

/** How far from its number to search for a line. */
const MOVED_MAX_LINES = 2_000;

interface ColoredSide {
  readonly lines: readonly string[];
  readonly colors: readonly ColoredLine[];
}

/** Both sides; null for an unknown text. */
interface ColoredFile {
  readonly before: ColoredSide | null;
  readonly after: ColoredSide | null;
}

/** Each line's colours, by index; null if a required side lacks the hunk's lines. */
function colorsInFile(lines: readonly HunkLine[], file: ColoredFile): readonly ColoredLine[] | null {
  const removed = lines.some(({ op }) => op === 'removed');
  const kept = lines.some(({ op }) => op !== 'removed');
  const before = removed ? placeOf(lines, 'before', file.before) : null;
  const after = kept ? placeOf(lines, 'after', file.after) : null;
  if ((removed && before === null) || (kept && after === null)) return null;
  return lines.map((line) => {
    const side = line.op === 'removed' ? file.before : file.after;
    const shift = (line.op === 'removed' ? before : after) ?? 0;
    const number = line.op === 'removed' ? line.before : line.after;
    return side?.colors[(number ?? 0) - 1 + shift] ?? [];
  });
}

/** How many lines the side of a hunk has moved; null if it is not near. */
function placeOf(
  lines: readonly HunkLine[],
  which: 'before' | 'after',
  side: ColoredSide | null,
): number | null {
  if (side === null) return null;
  const own = lines.filter((line) => line[which] !== null);
  const fits = (shift: number) =>
    own.every((line) => side.lines[(line[which] ?? 0) - 1 + shift] === line.text);
  for (let distance = 0; distance <= Math.min(MOVED_MAX_LINES, side.lines.length); distance += 1) {
    if (fits(distance)) return distance;
    if (fits(-distance)) return -distance;
  }
  return null;
}
