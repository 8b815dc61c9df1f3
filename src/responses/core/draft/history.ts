/** Undo and redo of the draft. A step stores only the changed lines with their tags. */
import type { Draft, DraftLine } from '../../../protocol/draft.ts';
import type { Cursor } from './cursor.ts';

/** The most steps that can be undone. */
export const UNDO_MAX_STEPS = 1000;

/** A draft and its cursor. */
export interface Moment {
  readonly draft: Draft;
  readonly cursor: Cursor;
}

/** At `at`, `before` was replaced by `after`. */
interface Step {
  readonly at: number;
  readonly before: readonly DraftLine[];
  readonly after: readonly DraftLine[];
  readonly pulls: readonly [before: Draft['pulls'], after: Draft['pulls']];
  readonly cursor: readonly [before: Cursor, after: Cursor];
}

export interface History {
  /** Oldest first. */
  readonly past: readonly Step[];
  /** Next to redo last. */
  readonly future: readonly Step[];
}

/** The history after a change from `before` to `after`; the same object if nothing stored changed. */
export function record(history: History, before: Moment, after: Moment): History {
  if (before.draft.lines === after.draft.lines && before.draft.pulls === after.draft.pulls) return history;
  const step = stepBetween(before, after);
  return { past: [...history.past, step].slice(-UNDO_MAX_STEPS), future: [] };
}

/** Undoes one step; null if there is none. */
export function undo(
  history: History,
  now: Draft,
): { readonly history: History; readonly moment: Moment } | null {
  const step = history.past.at(-1);
  if (step === undefined) return null;
  const lines = replace(now.lines, step.at, step.after.length, step.before);
  return {
    history: { past: history.past.slice(0, -1), future: [...history.future, step] },
    moment: { draft: { ...now, lines, pulls: step.pulls[0] }, cursor: step.cursor[0] },
  };
}

/** Redoes one step; null if there is none. */
export function redo(
  history: History,
  now: Draft,
): { readonly history: History; readonly moment: Moment } | null {
  const step = history.future.at(-1);
  if (step === undefined) return null;
  const lines = replace(now.lines, step.at, step.before.length, step.after);
  return {
    history: { past: [...history.past, step], future: history.future.slice(0, -1) },
    moment: { draft: { ...now, lines, pulls: step.pulls[1] }, cursor: step.cursor[1] },
  };
}

function stepBetween(before: Moment, after: Moment): Step {
  const [a, b] = [before.draft.lines, after.draft.lines];
  const shorter = Math.min(a.length, b.length);
  let at = 0;
  while (at < shorter && a[at] === b[at]) at += 1;
  let tail = 0;
  while (tail < shorter - at && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  return {
    at,
    before: a.slice(at, a.length - tail),
    after: b.slice(at, b.length - tail),
    pulls: [before.draft.pulls, after.draft.pulls],
    cursor: [before.cursor, after.cursor],
  };
}

function replace(
  lines: readonly DraftLine[],
  at: number,
  count: number,
  added: readonly DraftLine[],
): DraftLine[] {
  return lines.slice(0, at).concat(added, lines.slice(at + count));
}
