/** Commands on some lines of a hunk: select, decide, split and join. */
import type { LineRange } from '../../protocol/review.ts';
import { count } from '../kit/time.ts';
import { GERUNDS, intend, intending, onFrame } from './acting.ts';
import { type ReviewFrame, reviewFrame } from './frame.ts';
import type { HunkDoc } from './hunk-doc.ts';
import { done, type ReviewEffect, type ReviewHandler, type ReviewHandlers, say } from './model.ts';
import { changeReview } from './moves.ts';
import { bodyStart, linesAt, rowOfLine, type Sides } from './segment.ts';

/** The numbers of a hunk line; empty for a line that cannot be selected. */
type LineNumber = (doc: HunkDoc, index: number) => readonly number[];

/** Only lines of its body. */
const bodyLine: LineNumber = ({ lines }, index) => [lines[index]?.body ?? 0].filter((body) => body > 0);

/** Also lines of the file around it: those above it are numbered 0 and down. */
export const commentedLine: LineNumber = ({ lines, own }, index) => {
  const line = lines[index];
  return line !== undefined && (line.op === 'around' || line.body > 0) ? [index - own.from + 1] : [];
};

/** The lines in these rows of the hunk, from its header; null if there are none. */
export function linesIn(
  { segment }: ReviewFrame,
  rows: { readonly first: number; readonly last: number },
  { of, sides }: { readonly of: LineNumber; readonly sides: Sides },
): LineRange | null {
  const known: number[] = [];
  for (let row = Math.max(rows.first, bodyStart(segment)); row <= rows.last; row += 1)
    for (const index of linesAt(segment, row, sides)) known.push(...of(segment.doc, index));
  const [first] = known;
  return first === undefined ? null : { first, last: known.at(-1) ?? first };
}

/** The selected lines; null if the selection has none. */
export function selectedLines(frame: ReviewFrame, anchor: number, of = bodyLine): LineRange | null {
  const at = frame.row - frame.segment.start;
  const rows = { first: Math.min(anchor, at), last: Math.max(anchor, at) };
  return linesIn(frame, rows, { of, sides: 'one' });
}

const onLines = (run: (frame: ReviewFrame, lines: LineRange) => ReviewEffect): ReviewHandler =>
  onFrame((state, facts, frame) => {
    const { anchor } = state.review;
    const lines = anchor === null ? null : selectedLines(frame, anchor);
    if (lines === null) return say(state, facts, 'info', 'No line of the hunk is selected');
    return done(changeReview(state, { anchor: null }), run(frame, lines));
  });

/** The reader saw its status when selecting the lines. */
const onWholeHunk = ({ segment: { hunk } }: ReviewFrame) => ({ hunk: hunk.id, seen: hunk.status });

const decideLines = (kind: 'accept' | 'reject'): ReviewHandler =>
  onLines((frame, lines) =>
    intending(frame, { kind, ...onWholeHunk(frame), lines }, `${GERUNDS[kind]} ${lineWords(lines)}`),
  );

const lineWords = ({ first, last }: LineRange): string => count(last - first + 1, 'line');

const splitLines = onLines((frame, lines) =>
  intending(
    frame,
    { kind: 'split', ...onWholeHunk(frame), lines, at: null },
    `Splitting at ${lineWords(lines)}`,
  ),
);

/** At the change under the cursor, or the next one below. */
const split = onFrame((state, facts, frame) => {
  const { segment, layout } = frame;
  const indices = linesAt(segment, frame.row - segment.start, layout.sides);
  const [index = 0] = indices;
  // The reader's version is also shown as changed lines, but does not belong to the hunk.
  const at = segment.doc.lines.slice(index).find(({ body }) => body > 0)?.body ?? segment.doc.lines.length;
  return intend(state, facts, frame, {
    intent: { kind: 'split', ...onWholeHunk(frame), lines: null, at },
    what: 'Splitting',
  });
});

const join = onFrame((state, facts, frame) =>
  intend(state, facts, frame, { intent: { kind: 'join', ...onWholeHunk(frame) }, what: 'Joining' }),
);

export const hunkCommands: ReviewHandlers = { 'review/split': split, 'review/join': join };

export const lineCommands: ReviewHandlers = {
  'review/accept': decideLines('accept'),
  'review/reject': decideLines('reject'),
  'review/split': splitLines,
  'visual/leave': (state) => done(changeReview(state, { anchor: null })),
};

/** Starts a selection of lines; header and notes are not lines. */
export const startLines: ReviewHandler = onFrame((state, facts, frame) => {
  const { segment, layout } = frame;
  if (!segment.doc.lines.some(({ body }) => body > 0))
    return say(state, facts, 'info', 'There are no lines to select here');
  const at = frame.row - segment.start;
  const [index = 0] = linesAt(segment, at, layout.sides);
  // A selection is on one side, so the line's row is known only in that layout.
  const selecting = changeReview(state, { anchor: at });
  const there = reviewFrame(selecting, facts)?.segment ?? segment;
  const row = rowOfLine(there, index, 'one');
  return done(changeReview(selecting, { anchor: row, cursor: { hunk: segment.hunk.id, row } }));
});
