/** A proposal in the agent's API: files with their hunks, decisions and conflicts. */
import { runAtOnce } from '../lib/steps.ts';
import type { AgentLimits, BundleFile, BundleHunk, DiffBundle } from '../protocol/agent.ts';
import { type ByteString, displayBytes } from '../review/core/bytes.ts';
import type { Change } from '../review/core/change.ts';
import type { FileReview } from '../review/core/file-review.ts';
import { stateOf } from '../review/core/file-state.ts';
import { changedLines } from '../review/core/hunk-body.ts';
import type { RunningLinks } from '../review/core/self-running.ts';
import { sha256 } from '../review/files/hash.ts';
import { CONTEXT_LINES, diffOf, warningsOf } from '../review/showing/describe-suggestion.ts';
import type { LogState, MovedFiles } from './change-log.ts';
import { conflictOf } from './checkpoints/plan-rollback.ts';
import { isOversized } from './core/split-hunk.ts';
import type { StoredJob } from './records.ts';

/** The limit of diffs in one bundle, in characters: it is sent in one message. */
const BUNDLE_MAX_CHARACTERS = 4_000_000;

export interface BundleFacts {
  readonly state: LogState;
  readonly moved: MovedFiles;
  /** Files whose decided text is not on disk. */
  readonly unsaved: ReadonlySet<ByteString>;
  readonly limits: AgentLimits;
  readonly links: RunningLinks;
}

/** The proposal of the job; null before there is one. */
export function bundleOf(stored: StoredJob, facts: BundleFacts): DiffBundle | null {
  const { suggestion } = stored;
  const layer = facts.state.layers.find(({ id }) => id === suggestion);
  if (suggestion === null || layer === undefined) return null;
  let left = BUNDLE_MAX_CHARACTERS;
  const files = layer.files.map((review): BundleFile => {
    const hunks = review.changes.map((change): BundleHunk => {
      const hunk = hunkOf(stored, review, change, { ...facts, left, ended: layer.ended });
      left -= hunk.patch.length;
      return hunk;
    });
    const { base } = review.state;
    const hash = base === null ? null : `sha256:${sha256([base.bytes])}`;
    return { ...fileOf(review, facts, layer.ended), base_file_hash: hash, hunks };
  });
  return { job_id: stored.job.id, suggestion_id: suggestion, files };
}

function fileOf(
  review: FileReview,
  { moved, unsaved }: BundleFacts,
  ended: boolean,
): Omit<BundleFile, 'hunks' | 'base_file_hash'> {
  const { subject, state } = review;
  const { oldPath, newPath, operation } = subject;
  const paths = [oldPath, newPath].filter((path) => path !== null);
  const isOpen = !ended && review.changes.some((change) => stateOf(state, change.id).decision === 'pending');
  return {
    file_path: displayBytes(oldPath ?? newPath ?? ''),
    new_path: operation === 'rename' ? displayBytes(newPath ?? '') : null,
    change: operation === 'copy' ? 'create' : operation,
    conflict: paths.map((path) => moved.get(path)).find((reason) => reason !== undefined) ?? null,
    saved: !isOpen && !paths.some((path) => unsaved.has(path)),
  };
}

function hunkOf(
  { hunkEdits, suggestion }: StoredJob,
  review: FileReview,
  change: Change,
  { state, limits, links, left, ended }: BundleFacts & { readonly left: number; readonly ended: boolean },
): BundleHunk {
  const { decision } = stateOf(review.state, change.id);
  const lines = change.body === null ? [] : (change.picked ?? changedLines(change.body));
  return {
    hunk_id: change.id,
    patch: diffOf(review.subject, change, CONTEXT_LINES).slice(0, Math.max(0, left)),
    // Hunks that were undecided at the end are not in the text.
    accepted: decision === 'pending' ? (ended ? false : null) : decision !== 'rejected',
    edit_ids: [...(hunkEdits[change.parent ?? change.id] ?? [])],
    oversized_hunk: change.body !== null && isOversized(change.body, lines, limits),
    conflict: conflictOf(state, suggestion ?? '', change.id),
    warnings: runAtOnce(warningsOf(review.subject, links)(change)),
  };
}

/** The progress of a job's review, without its diffs. */
export interface Progress {
  readonly accepted: number;
  readonly rejected: number;
  readonly pending: number;
  readonly conflicts: number;
  /** Everything is decided and on disk. */
  readonly isDone: boolean;
  /** By final path: how many of its hunks were accepted and how many rejected. */
  readonly files: ReadonlyMap<string, { readonly accepted: number; readonly rejected: number }>;
  readonly paths: ReadonlySet<ByteString>;
}

/** The state of the review; null if the job has no proposal, or its proposal was deleted. */
export function progressOf(
  { suggestion }: Pick<StoredJob, 'suggestion'>,
  facts: BundleFacts,
): Progress | null {
  const layer = facts.state.layers.find(({ id }) => id === suggestion);
  if (layer === undefined) return null;
  const sum = { accepted: 0, rejected: 0, pending: 0, conflicts: 0 };
  const files = new Map<string, { accepted: number; rejected: number }>();
  const paths = new Set<ByteString>();
  let isDone = true;
  for (const review of layer.files) {
    const { conflict, saved, file_path, new_path } = fileOf(review, facts, layer.ended);
    const own = { accepted: 0, rejected: 0 };
    for (const change of review.changes) {
      const { decision } = stateOf(review.state, change.id);
      if (decision === 'pending' && !layer.ended) sum.pending += 1;
      else own[decision === 'rejected' || decision === 'pending' ? 'rejected' : 'accepted'] += 1;
      if (conflictOf(facts.state, layer.id, change.id) !== null) sum.conflicts += 1;
    }
    sum.accepted += own.accepted;
    sum.rejected += own.rejected;
    if (conflict !== null) sum.conflicts += 1;
    isDone &&= saved && conflict === null;
    files.set(new_path ?? file_path, own);
    for (const path of [review.subject.oldPath, review.subject.newPath]) if (path !== null) paths.add(path);
  }
  return { ...sum, isDone, files, paths };
}
