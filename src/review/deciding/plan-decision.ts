/** Turns a command into changes to the files' reviews, in an executable order. */
import { count, firstFew } from '../../lib/count.ts';
import { fail, ok, type Result } from '../../lib/result.ts';
import type { CommandInput } from '../../protocol/command.ts';
import type { DecisionEntry } from '../../protocol/review.ts';
import type { Change, Subject } from '../core/change.ts';
import type { FileReview } from '../core/file-review.ts';
import { stateOf } from '../core/file-state.ts';
import { ACCEPT_RUNNING_HINT, REJECT_UNSURE_HINT, runningWords, unsureWords } from '../core/many-question.ts';
import { modifiedPieces } from '../core/modified-pieces.ts';
import { phasesOf } from '../core/phases.ts';
import { whyItRuns } from '../core/self-running.ts';
import { leavesOf, splitLines } from '../core/split.ts';
import { sha256 } from '../files/hash.ts';
import { runningLinks } from '../files/running-links.ts';
import { type Loaded, positionOf, positionsOf } from '../records/load-suggestion.ts';
import { isUnsure } from '../records/records.ts';
import { changesOf } from '../records/stored-file.ts';
import { fileName } from '../showing/describe-suggestion.ts';
import type { About, FileEdit } from './decision-writer.ts';

type Decide = CommandInput<'review/decide'>;
type Applied = Result<{ review: FileReview; ids: readonly string[] }>;

type Decision = (typeof OUTCOME)[keyof typeof OUTCOME];

const OUTCOME = { accept: 'accepted', reject: 'rejected', modify: 'modified' } as const;

/** Keywords in place of a hunk id. */
export const isMany = (hunk: string) => hunk === 'all' || hunk === 'every';

/** One hunk, or some lines of it. */
export function decideHunk(loaded: Loaded, input: Decide): Result<FileEdit[]> {
  const position = positionOf(loaded, input.hunk);
  if (position < 0) {
    return fail(
      'not_found',
      `Hunk not found: ${input.hunk}`,
      `"copane show ${input.suggestion}" lists the hunks.`,
    );
  }
  const decided = loaded.changes.get(input.hunk)?.decision ?? 'pending';
  if (input.onlyUndecided && decided !== 'pending' && decided !== OUTCOME[input.action]) {
    return fail('refused', `The hunk is already ${decided}.`, 'Undo that decision first.');
  }
  return ok([{ position, apply: (review) => decideOne(review, input) }]);
}

/** `all`: everything open. `every`: also what is already decided. */
export async function decideAll(loaded: Loaded, input: Decide): Promise<Result<FileEdit[]>> {
  const { action } = input;
  if (action === 'modify' || input.lines !== null) {
    return fail('invalid', 'Lines and edited text apply to one hunk; name it.');
  }
  const positions = [...loaded.subjects.keys()].filter((position) => {
    const subject = loaded.subjects[position];
    return input.file === null || (subject !== undefined && fileName(subject) === input.file);
  });
  if (positions.length === 0) return fail('not_found', `The suggestion has no file ${input.file}.`);
  const onlyOpen = input.hunk === 'all';
  // Hunks already so decided stay as they are and need no check.
  const among = { positions, but: onlyOpen ? null : OUTCOME[action] };
  if (action === 'accept' && !input.acceptSelfRunning) {
    const links = await runningLinks(loaded.stored.target);
    const running = filesIn(loaded, among, (_, subject) => whyItRuns(fileName(subject), links) !== null);
    if (running.length > 0)
      return fail('refused', `${runningWords(running)} Nothing was accepted.`, ACCEPT_RUNNING_HINT);
  }
  if (action === 'reject' && !input.rejectUnsure) {
    const unsure = filesIn(loaded, among, (change) => isUnsure(loaded.stored, change));
    if (unsure.length > 0)
      return fail('refused', `${unsureWords(unsure)} Nothing was rejected.`, REJECT_UNSURE_HINT);
  }
  const apply = (review: FileReview): Applied => {
    const ids = review.changes
      .filter((change) => !onlyOpen || stateOf(review.state, change.id).decision === 'pending')
      .map((change) => change.id);
    if (input.onlyFitting && action === 'accept') return ok(review.acceptFitting(new Set(ids)));
    const decided = review.decide(new Set(ids), action);
    return decided.ok ? ok({ review: decided.value, ids }) : decided;
  };
  return ok(positions.map((position) => ({ position, apply })));
}

/** Open hunks of an "all" that fit nowhere, in words; null if there are none. */
export function leftOpen({ subjects, files, changes }: Loaded, file: string | null): string | null {
  const names: string[] = [];
  for (const [position, subject] of subjects.entries()) {
    const stored = files[position];
    if (stored === undefined || (file !== null && fileName(subject) !== file)) continue;
    const open = changesOf(subject, stored).filter(
      ({ id }) => (changes.get(id)?.decision ?? 'pending') === 'pending',
    );
    for (const _ of open) names.push(fileName(subject));
  }
  if (names.length === 0) return null;
  const list = firstFew([...new Set(names)]);
  return `Left open, because ${names.length === 1 ? 'it does' : 'they do'} not fit: ${count(names.length, 'hunk')} of ${list}.`;
}

/** Files with a wanted change: among the open ones, or all except those decided `but`. */
function filesIn(
  loaded: Loaded,
  { positions, but }: { readonly positions: readonly number[]; readonly but: Decision | null },
  isWanted: (change: Change, subject: Subject) => boolean,
): readonly string[] {
  const isAmong = ({ id }: Change) => {
    const decision = loaded.changes.get(id)?.decision ?? 'pending';
    return but === null ? decision === 'pending' : decision !== but;
  };
  return positions.flatMap((position) => {
    const [subject, file] = [loaded.subjects[position], loaded.files[position]];
    if (subject === undefined || file === undefined) return [];
    const wanted = changesOf(subject, file).some((change) => isWanted(change, subject) && isAmong(change));
    return wanted ? [fileName(subject)] : [];
  });
}

/** The changes in the order of writing. `bringsIn`: they put the suggested text into the target. */
export function inOrder(
  subjects: readonly Subject[],
  changes: readonly FileEdit[],
  bringsIn: boolean,
): FileEdit[][] {
  const byPosition = Map.groupBy(changes, ({ position }) => position);
  return phasesOf(subjects, [...byPosition.keys()], !bringsIn).map((phase) =>
    phase.flatMap((position) => byPosition.get(position) ?? []),
  );
}

/** Whether the action puts suggested text into the target. In place, an undo reverts a rejection. */
export function bringsIn(action: About['action'], { inPlace }: Loaded['stored']): boolean {
  if (action === 'undo' || action === 'redo') return (action === 'undo') === inPlace;
  return action === 'accept';
}

/** Changes that lead from `after` back to `before`, in order. Earlier decisions stay. */
export function takeBack(before: Loaded, after: Loaded, outcomes: readonly DecisionEntry[]): FileEdit[][] {
  const action = outcomes[0]?.action ?? null;
  const direction = action === 'undo' ? 'redo' : 'undo';
  const hunks = outcomes.flatMap(({ hunk }) =>
    before.changes.get(hunk) === after.changes.get(hunk) ? [] : [hunk],
  );
  const positions = positionsOf(after, hunks);
  const edits = [...Map.groupBy(hunks, (_, at) => positions[at] ?? -1)].map(
    ([position, ids]): FileEdit => ({
      position,
      apply: (review) => {
        const back = review.step(new Set(ids), direction);
        return back.ok ? ok({ review: back.value, ids }) : back;
      },
    }),
  );
  return inOrder(after.subjects, edits, !bringsIn(action, after.stored));
}

function decideOne(review: FileReview, input: Decide): Applied {
  let current = review;
  let ids: readonly string[] = leavesOf(review, input.hunk).map((leaf) => leaf.id);
  if (input.lines !== null) {
    const cut = splitLines(review, input.hunk, input.lines, sha256);
    if (!cut.ok) return cut;
    current = cut.value.review;
    ids = cut.value.selected;
  }
  if (input.action !== 'modify') {
    const decided = current.decide(new Set(ids), input.action);
    return decided.ok ? ok({ review: decided.value, ids }) : decided;
  }
  const [id, ...more] = ids;
  const change = id === undefined ? null : current.find(id);
  if (change === null || more.length > 0) return fail('invalid', 'Name one part of this hunk to modify it.');
  if (input.modified === null) return fail('invalid', 'To modify a hunk, give the edited diff or text.');
  const { modified } = input;
  const pieces = modifiedPieces(
    current,
    change,
    modified.kind === 'merge'
      ? modified
      : { kind: modified.kind, bytes: Buffer.from(modified.base64, 'base64') },
  );
  if (!pieces.ok) return pieces;
  const done = current.modify(change.id, pieces.value);
  return done.ok ? ok({ review: done.value, ids }) : done;
}

/** Steps one hunk; with `id` null all changes, back to none decided (or on to all). */
export function stepAll(review: FileReview, id: string | null, direction: 'undo' | 'redo'): Applied {
  const wanted = id === null ? review.changes : leavesOf(review, id);
  // A split hunk's parts step together; those with nothing to undo stay.
  const some = id === null || wanted.length > 1;
  // With `all`, changes that later edits made unrecognizable stay as they are.
  const isLeft = (at: FileReview, one: string) =>
    !at.canStep(one, direction) || (id === null && stateOf(at.state, one).frozen !== null);
  const steppable = (at: FileReview) =>
    wanted.map((change) => change.id).filter((one) => !some || !isLeft(at, one));
  const ids = steppable(review);
  let next = review;
  for (let left = ids; left.length > 0; left = id === null ? steppable(next) : []) {
    const stepped = next.step(new Set(left), direction);
    if (!stepped.ok) return stepped;
    next = stepped.value;
  }
  return ok({ review: next, ids });
}

/** Steps all hunks that can; hunks that others changed since stay as they are. */
export function stepSome(review: FileReview, ids: ReadonlySet<string>, direction: 'undo' | 'redo'): Applied {
  const able = review.changes
    .map(({ id }) => id)
    .filter(
      (id) => ids.has(id) && review.canStep(id, direction) && stateOf(review.state, id).frozen === null,
    );
  const stepped = review.step(new Set(able), direction);
  return stepped.ok ? ok({ review: stepped.value, ids: able }) : stepped;
}
