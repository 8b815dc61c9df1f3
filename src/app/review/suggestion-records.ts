/** Suggestions in memory: unchanged parts keep their identity, so that their layout stays valid. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type { EventBody } from '../../protocol/event.ts';
import type { Intent } from '../../protocol/intent.ts';
import type { Conflict, Hunk, Suggestion, SuggestionSummary } from '../../protocol/review.ts';
import { endOf } from '../../review/desk/desk.ts';
import type { ReviewView } from '../../ui/review/port.ts';

/** The list updated with a suggestion: new ones first, ended ones removed. */
export function replaced(
  list: readonly SuggestionSummary[],
  summary: SuggestionSummary,
): readonly SuggestionSummary[] {
  const known = list.find(({ id }) => id === summary.id);
  if (endOf(summary) !== null) return known === undefined ? list : list.filter((one) => one !== known);
  if (known === undefined) return [summaryOf(summary), ...list];
  // Events and answers may arrive out of order: the higher revision is newer.
  if (known.revision >= summary.revision) return list;
  return list.map((one) => (one === known ? summaryOf(summary) : one));
}

function summaryOf(summary: SuggestionSummary | Suggestion): SuggestionSummary {
  if (!('hunks' in summary)) return summary;
  const { hunks: _hunks, notes: _notes, ...rest } = summary;
  return rest;
}

/** `after`, with the identity of unchanged hunks from `before`, so that their layout stays valid. */
export function sameHunks(before: Suggestion | null, after: Suggestion): Suggestion {
  if (before?.id !== after.id) return after;
  const known = new Map(before.hunks.map((hunk) => [hunk.id, hunk]));
  const hunks = after.hunks.map((hunk) => {
    const old = known.get(hunk.id);
    const next = withKnownDiff(old, hunk);
    return old !== undefined && isSameHunk(old, next) ? old : next;
  });
  const isSame =
    before.revision === after.revision &&
    before.hunks.length === hunks.length &&
    hunks.every((hunk, index) => hunk === before.hunks[index]);
  return isSame ? before : { ...after, hunks };
}

/** Whether both have the same hunk ids. */
export function hasSameHunks(before: Suggestion | null, after: Suggestion): boolean {
  if (before?.hunks.length !== after.hunks.length) return false;
  return before.hunks.every(({ id }, index) => id === after.hunks[index]?.id);
}

/** `open` with the hunks of one file taken from `shown`; null if the hunk ids differ. */
export function withFile(open: Suggestion, file: string, shown: Suggestion): Suggestion | null {
  const before = open.hunks.filter((hunk) => hunk.file === file);
  const fresh = shown.hunks.filter((hunk) => hunk.file === file);
  if (!hasSameHunks({ ...open, hunks: before }, { ...shown, hunks: fresh })) return null;
  const byId = new Map(fresh.map((hunk) => [hunk.id, hunk]));
  return { ...shown, hunks: open.hunks.map((hunk) => byId.get(hunk.id) ?? hunk) };
}

/** The diff of a hunk never changes, so a longer part read earlier is kept. */
export function withKnownDiff(before: Hunk | undefined, after: Hunk): Hunk {
  if (before === undefined || after.diffComplete || before.diff.length <= after.diff.length) return after;
  return { ...after, diff: before.diff, diffComplete: before.diffComplete };
}

function isSameHunk(a: Hunk, b: Hunk): boolean {
  return (
    a.status === b.status &&
    a.reason === b.reason &&
    a.note === b.note &&
    a.parent === b.parent &&
    a.comments.length === b.comments.length &&
    a.needs.length === b.needs.length &&
    a.diffComplete === b.diffComplete &&
    a.diff === b.diff
  );
}

/** The sides of a conflict; the same object if nothing changed. */
export function sameConflict(
  before: ReviewView['conflict'],
  hunk: string,
  sides: Conflict | null,
): ReviewView['conflict'] {
  if (sides === null) return null;
  const next = { hunk, sides };
  return isDeepStrictEqual(before, next) ? before : next;
}

/** Whether every hunk is present with its diff. */
export function isComplete({ hunks, hunkCount }: Suggestion): boolean {
  return hunks.length >= hunkCount && hunks.every(({ diffComplete }) => diffComplete);
}

/** The files of a change; null if it does not name them all. */
export function filesOf({
  decisions,
  moreDecisions,
}: Extract<EventBody, { type: 'review/changed' }>): readonly string[] | null {
  return decisions.length === 0 || moreDecisions > 0 ? null : decisions.map(({ file }) => file);
}

/** Whether the intent changes the set of hunks. */
export function isCut(intent: Intent): boolean {
  if (intent.kind === 'accept' || intent.kind === 'reject') return intent.lines !== null;
  return intent.kind === 'split' || intent.kind === 'join' || intent.kind === 'reopen';
}

/** The viewed marks after marking or unmarking hunks of the open suggestion; null if nothing changes. */
export function withViewed(
  { open, viewed }: Pick<ReviewView, 'open' | 'viewed'>,
  hunks: readonly string[],
  isViewed: boolean,
): ReadonlySet<string> | null {
  const ids = new Set(open?.hunks.map(({ id }) => id));
  const news = hunks.filter((id) => ids.has(id) && viewed.has(id) !== isViewed);
  if (news.length === 0) return null;
  return new Set(isViewed ? [...viewed, ...news] : [...viewed].filter((id) => !news.includes(id)));
}
