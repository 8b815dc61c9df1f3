/** Commands on some lines of a hunk: select, decide, split and join. */
import type { Hunk, LineRange } from '../../protocol/review.ts';
import { count } from '../kit/time.ts';
import { acting, GERUNDS, onFrame } from './acting.ts';
import { type ReviewFrame, reviewFrame } from './frame.ts';
import type { ReviewModel } from './model.ts';
import {
  done,
  type ReviewFacts,
  type ReviewHandler,
  type ReviewHandlers,
  type ReviewOutcome,
  say,
} from './model.ts';
import { changeReview } from './moves.ts';
import type { ReviewAct } from './port.ts';
import { bodyStart, linesAt, rowOfLine } from './segment.ts';

const PART_NOT_READ = 'The lines of this part are still being read; press the key again';
const PART_BETWEEN = 'Lines of another part of the hunk lie between these; select fewer';

/** Lines as decisions count them: those of a part by the hunk that it was split from. In words why not. */
export function inWholeHunk(facts: ReviewFacts, hunk: Hunk, { first, last }: LineRange): LineRange | string {
  if (hunk.parent === null) return { first, last };
  const { part } = facts.review;
  if (part?.hunk !== hunk.id) return PART_NOT_READ;
  const [from, to] = [part.numbers[first - 1], part.numbers[last - 1]];
  if (from === undefined || to === undefined) return PART_NOT_READ;
  // A range is decided on as a whole: it must not reach into what was split off.
  if (part.others.some((number) => number >= from && number <= to)) return PART_BETWEEN;
  return { first: from, last: to };
}

/** Lines of the body that are selected; null where the selection holds none. */
export function selectedLines(frame: ReviewFrame, anchor: number): LineRange | null {
  const { segment } = frame;
  const at = frame.row - segment.start;
  const [first, last] = [Math.min(anchor, at), Math.max(anchor, at)];
  const bodies: number[] = [];
  for (let row = Math.max(first, bodyStart(segment)); row <= last; row += 1) {
    for (const index of linesAt(segment, row, 'one')) bodies.push(segment.doc.lines[index]?.body ?? 0);
  }
  const known = bodies.filter((body) => body > 0);
  const [from] = known;
  const to = known.at(-1);
  return from === undefined || to === undefined ? null : { first: from, last: to };
}

const onLines = (
  run: (state: ReviewModel, frame: ReviewFrame, lines: LineRange) => ReviewOutcome,
): ReviewHandler =>
  onFrame((state, facts, frame) => {
    const { anchor } = state.review;
    const lines = anchor === null ? null : selectedLines(frame, anchor);
    if (lines === null) return say(state, facts, 'info', 'No line of the hunk is selected');
    const counted = inWholeHunk(facts, frame.segment.hunk, lines);
    return typeof counted === 'string'
      ? say(state, facts, 'info', counted)
      : run(changeReview(state, { anchor: null }), frame, counted);
  });

const decideLines = (action: 'accept' | 'reject'): ReviewHandler =>
  onLines((state, frame, lines) => {
    const { hunk } = frame.segment;
    const act: ReviewAct = { kind: 'decide', hunk: hunk.id, action, lines };
    return done(state, acting(frame, act, `${GERUNDS[action]} ${lineWords(lines)}`));
  });

function lineWords({ first, last }: LineRange): string {
  return count(last - first + 1, 'line');
}

const split = onFrame((state, facts, frame) => {
  const { segment, layout } = frame;
  const [index = 0] = linesAt(segment, frame.row - segment.start, layout.sides);
  const shown = changeAround(segment.doc.lines, index);
  if (shown === null) return say(state, facts, 'warn', `A ${segment.hunk.kind} has no lines to split`);
  const lines = inWholeHunk(facts, segment.hunk, shown);
  if (typeof lines === 'string') return say(state, facts, 'info', lines);
  return done(
    state,
    acting(frame, { kind: 'split', hunk: segment.hunk.id, lines }, `Splitting at ${lineWords(lines)}`),
  );
});

/** The run of changed lines at `index`, or the next one after it, or the last one before. */
function changeAround(lines: ReviewFrame['segment']['doc']['lines'], index: number): LineRange | null {
  // What the reader made of it is shown as changed lines, too, and is not of the hunk.
  const isChanged = (at: number) => {
    const line = lines[at];
    return line !== undefined && line.body > 0 && (line.op === 'added' || line.op === 'removed');
  };
  let first = index;
  while (first < lines.length && !isChanged(first)) first += 1;
  if (first === lines.length) first = lines.findLastIndex((_, at) => isChanged(at));
  if (first < 0) return null;
  let last = first;
  while (isChanged(first - 1)) first -= 1;
  while (isChanged(last + 1)) last += 1;
  return { first: lines[first]?.body ?? 1, last: lines[last]?.body ?? 1 };
}

const join = onFrame((state, facts, frame) => {
  const { hunk } = frame.segment;
  if (hunk.parent === null) return say(state, facts, 'info', 'This hunk was not split');
  return done(state, acting(frame, { kind: 'join', hunk: hunk.parent }, 'Joining'));
});

export const hunkCommands: ReviewHandlers = { 'review/split': split, 'review/join': join };

export const lineCommands: ReviewHandlers = {
  'review/accept': decideLines('accept'),
  'review/reject': decideLines('reject'),
  'review/split': onLines((state, frame, lines) =>
    done(
      state,
      acting(
        frame,
        { kind: 'split', hunk: frame.segment.hunk.id, lines },
        `Splitting at ${lineWords(lines)}`,
      ),
    ),
  ),
  'visual/leave': (state) => done(changeReview(state, { anchor: null })),
};

/** Lines are selected from here on; header and notes are no lines. */
export const startLines: ReviewHandler = onFrame((state, facts, frame) => {
  const { segment, layout } = frame;
  if (!segment.doc.lines.some(({ body }) => body > 0))
    return say(state, facts, 'info', 'There are no lines to select here');
  const at = frame.row - segment.start;
  const [index = 0] = linesAt(segment, at, layout.sides);
  // Lines are selected in one side: where the line stands there is known when it is laid out so.
  const selecting = changeReview(state, { anchor: at });
  const there = reviewFrame(selecting, facts)?.segment ?? segment;
  const row = rowOfLine(there, index, 'one');
  return done(changeReview(selecting, { anchor: row, cursor: { hunk: segment.hunk.id, row } }));
});
