/** Plans a rollback: decisions, texts, and later changes that prevent it. Preview and rollback share the plan. Pure. */
import { fail, ok, type Result } from '../../lib/result.ts';
import type { AgentConflict } from '../../protocol/commands/agent.ts';
import { type ByteString, displayBytes } from '../../review/core/bytes.ts';
import type { FileReview } from '../../review/core/file-review.ts';
import { type Decision, type FileImage, sameImage, stateOf } from '../../review/core/file-state.ts';
import { decidedAs } from '../../review/proposals/proposals.ts';
import type { LogState } from '../change-log.ts';
import { changeKey, type StackTexts, stackTexts, USER_EDITED } from '../core/stack.ts';

type Decisions = ReadonlyMap<string, ReadonlyMap<string, Decision>>;

export interface RollbackPlan {
  /** By proposal and change; only changed ones. */
  readonly decisions: Decisions;
  readonly files: readonly {
    readonly path: ByteString;
    readonly before: FileImage | null;
    readonly after: FileImage | null;
    /** The text from the decisions alone; a difference to `after` becomes one more change. */
    readonly decided: FileImage | null;
  }[];
  /** Later changes that are also removed. */
  readonly laterHunks: number;
  readonly conflicts: readonly AgentConflict[];
}

/** The position of a checkpoint. */
export interface RollbackPoint {
  readonly seq: number;
  readonly bases: ReadonlyMap<ByteString, FileImage | null>;
  /** The decisions at that time. */
  readonly decisions: Decisions;
  /** The proposal of the run; null for a checkpoint of a rollback. */
  readonly suggestion: string | null;
}

/** Restores the files from that time; also undoes later edits of them. */
export function planHard(state: LogState, point: RollbackPoint): RollbackPlan {
  const decisions = new Map<string, Map<string, Decision>>();
  let laterHunks = 0;
  for (const layer of state.layers) {
    for (const review of layer.files) {
      if (!touches(review, point.bases)) continue;
      for (const change of review.changes) {
        const now = stateOf(review.state, change.id).decision;
        const then: Decision | undefined =
          layer.seq >= point.seq ? 'rejected' : point.decisions.get(layer.id)?.get(change.id);
        if (then === undefined || then === now) continue;
        put(decisions, layer.id, change.id, then);
        if (layer.seq >= point.seq && layer.id !== point.suggestion && isIn(layer.ended, now))
          laterHunks += 1;
      }
    }
  }
  const texts = textsWith(state, decisions);
  const files = [...point.bases].flatMap(([path, after]) => {
    const before = state.working.tree.get(path) ?? null;
    const decided = texts.tree.get(path) ?? null;
    return sameImage(before, after) && sameImage(decided, after) ? [] : [{ path, before, after, decided }];
  });
  // A later move may have moved one of them: remove the moved file, too.
  for (const [path, decided] of texts.tree) {
    const before = state.working.tree.get(path) ?? null;
    if (!point.bases.has(path) && !sameImage(before, decided))
      files.push({ path, before, after: decided, decided });
  }
  return { decisions, files, laterHunks, conflicts: [] };
}

const isIn = (ended: boolean, decision: Decision) =>
  decision === 'accepted' || decision === 'modified' || (decision === 'pending' && !ended);

/** Only these hunks; later changes stay, and those on the same lines are reported. `not_found` names a hunk. */
export function planScoped(
  state: LogState,
  suggestion: string,
  hunkIds: readonly string[],
): Result<RollbackPlan> {
  const files = state.layers.find(({ id }) => id === suggestion)?.files ?? [];
  const known = new Map(
    files.flatMap((review) => review.changes.map((change) => [change.id, review] as const)),
  );
  const wanted = leavesOf(files, hunkIds);
  if (!wanted.ok) return wanted;
  const rejected = wanted.value.filter((id) => decisionOf(known, id) !== 'rejected');
  const decisions: Decisions =
    rejected.length === 0
      ? new Map()
      : new Map([[suggestion, new Map(rejected.map((id) => [id, 'rejected']))]]);
  const conflicts = rejected.flatMap((id) => {
    const one: Decisions = new Map([[suggestion, new Map([[id, 'rejected']])]]);
    const reason = newConflict(state, textsWith(state, one));
    const review = known.get(id);
    if (reason === null || review === undefined) return [];
    const { newPath, oldPath } = review.subject;
    return [{ file_path: displayBytes(newPath ?? oldPath ?? ''), hunk_id: id, reason }];
  });
  const texts = textsWith(state, decisions);
  const changed = [...texts.tree].flatMap(([path, after]) => {
    const before = state.working.tree.get(path) ?? null;
    // The text of a file in conflict lacks the later change: do not show it as the result.
    const inConflict = conflicts.some(({ file_path }) => file_path === displayBytes(path));
    return inConflict || sameImage(before, after) ? [] : [{ path, before, after, decided: after }];
  });
  return ok({ decisions, files: changed, laterHunks: 0, conflicts });
}

const decisionOf = (known: ReadonlyMap<string, FileReview>, id: string) => {
  const review = known.get(id);
  return review === undefined ? null : stateOf(review.state, id).decision;
};

export const noSuchHunk = (id: string) => fail('not_found', `This checkpoint has no hunk ${id}.`);

/** Hunks, or their parts if they were split. */
function leavesOf(files: readonly FileReview[], ids: readonly string[]): Result<string[]> {
  const changes = files.flatMap((review) => review.changes);
  const leaves: string[] = [];
  for (const id of ids) {
    const own = changes.filter((change) => change.id === id || change.parent === id);
    if (own.length === 0) return noSuchHunk(id);
    leaves.push(...own.map((change) => change.id));
  }
  return ok([...new Set(leaves)]);
}

function newConflict(before: LogState, after: StackTexts): string | null {
  for (const key of after.conflicts.keys()) {
    if (before.working.conflicts.has(key)) continue;
    const layer = before.layers.find(({ id }) => key.startsWith(`${id} `));
    return layer?.origin === 'agent' ? 'a later proposal builds on its lines.' : USER_EDITED;
  }
  return null;
}

function touches(review: FileReview, paths: ReadonlyMap<ByteString, unknown>): boolean {
  const { oldPath, newPath } = review.subject;
  return paths.has(oldPath ?? '') || paths.has(newPath ?? '');
}

function put(
  decisions: Map<string, Map<string, Decision>>,
  layer: string,
  change: string,
  decision: Decision,
) {
  const own = decisions.get(layer) ?? new Map<string, Decision>();
  own.set(change, decision);
  decisions.set(layer, own);
}

function textsWith(state: LogState, decisions: Decisions): StackTexts {
  const layers = state.layers.map((layer) => {
    const own = decisions.get(layer.id);
    if (own === undefined) return layer;
    return { ...layer, files: layer.files.map((review) => decidedAs(review, own).review) };
  });
  return stackTexts(state.files, layers, 'working');
}

/** The current decisions on everything that touches these files. */
export function decisionsAt(
  state: LogState,
  paths: ReadonlyMap<ByteString, unknown>,
): Record<string, Record<string, Decision>> {
  const decisions: Record<string, Record<string, Decision>> = {};
  for (const layer of state.layers) {
    const own: Record<string, Decision> = {};
    for (const review of layer.files.filter((one) => touches(one, paths))) {
      for (const change of review.changes) {
        const { decision } = stateOf(review.state, change.id);
        own[change.id] = decision === 'pending' && layer.ended ? 'rejected' : decision;
      }
    }
    if (Object.keys(own).length > 0) decisions[layer.id] = own;
  }
  return decisions;
}

/** Whether the change is in neither text although it was accepted, or is undecided. */
export function conflictOf(state: LogState, layer: string, change: string): string | null {
  const key = changeKey(layer, change);
  return state.working.conflicts.get(key) ?? state.saved.conflicts.get(key) ?? null;
}
