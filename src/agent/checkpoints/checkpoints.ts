/** Checkpoints: files from before a run, stored by content; three texts side by side; rollbacks in the working text. */
import { append } from '../../lib/append.ts';
import { fail, ok, type Result } from '../../lib/result.ts';
import type { Checkpoint, RollbackMode } from '../../protocol/agent.ts';
import type { Diff3, RollbackResult } from '../../protocol/commands/agent.ts';
import { type ByteString, displayBytes, utf8Bytes } from '../../review/core/bytes.ts';
import type { FileReview } from '../../review/core/file-review.ts';
import { type FileImage, sameImage } from '../../review/core/file-state.ts';
import { lineTable } from '../../review/core/line-table.ts';
import { merge3 } from '../../review/core/merge3.ts';
import { realPath } from '../../review/files/target-folder.ts';
import type { Proposals } from '../../review/proposals/proposals.ts';
import { diffOf } from '../../review/showing/describe-suggestion.ts';
import { imagePatch } from '../../review/sources/folder-source.ts';
import type { ChangeLog, LogState, MovedFiles } from '../change-log.ts';
import type { AgentRecords, StoredCheckpoint } from '../records.ts';
import {
  decisionsAt,
  noSuchHunk,
  planHard,
  planScoped,
  type RollbackPlan,
  type RollbackPoint,
} from './plan-rollback.ts';
import { type MergedFile, planByMerge } from './scoped-by-merge.ts';

/** The limit of the three texts and their merge, in bytes: they are sent in one message. */
const SIDES_MAX_BYTES = 6 * 1024 * 1024;
/** Reverse patches of one checkpoint, in characters; hunks beyond it can only be undone with the whole run. */
const REVERSE_MAX_CHARACTERS = 2_000_000;
/** Diffs of one preview, in characters. */
const PREVIEW_MAX_CHARACTERS = 2_000_000;

export interface CheckpointsOptions {
  readonly records: AgentRecords;
  readonly proposals: Proposals;
  readonly now: () => number;
  readonly newId: () => string;
}

export interface CheckpointOf {
  readonly session: string;
  readonly job: string | null;
  readonly kind: Checkpoint['kind'];
  readonly seq: number;
  readonly bases: ReadonlyMap<ByteString, FileImage | null>;
  readonly proposed: ReadonlyMap<ByteString, FileImage | null>;
  readonly reviews: readonly FileReview[];
  readonly decisions: StoredCheckpoint['decisions'];
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const textOf = (image: FileImage | null) => (image === null ? null : decoder.decode(image.bytes));

export class Checkpoints {
  readonly #options: CheckpointsOptions;

  constructor(options: CheckpointsOptions) {
    this.#options = options;
  }

  /** Makes the record; stores only the bytes of the files. */
  async make(log: ChangeLog, about: CheckpointOf): Promise<Result<StoredCheckpoint>> {
    const files: StoredCheckpoint['files'][number][] = [];
    for (const [path, image] of about.bases) {
      const base = await log.keep(image);
      if (!base.ok) return base;
      const proposed = await log.keep(about.proposed.get(path) ?? null);
      if (!proposed.ok) return proposed;
      files.push({ path, base: base.value, proposed: proposed.value });
    }
    const budget = { characters: REVERSE_MAX_CHARACTERS };
    const checkpoint: Checkpoint = {
      checkpoint_id: `ckpt_${this.#options.newId()}`,
      session_id: about.session,
      job_id: about.job,
      created_at: this.#options.now(),
      kind: about.kind,
      affected_files: files.map(({ path, base, proposed }) => ({
        file_path: displayBytes(path),
        base_snapshot_hash: base === null ? null : `sha256:${base.blob}`,
        proposed_hash: proposed === null ? null : `sha256:${proposed.blob}`,
        hunks: hunksAt(about.reviews, path, budget),
      })),
    };
    return ok({ checkpoint, root: log.root, seq: about.seq, files, decisions: about.decisions });
  }

  /** Of a session, a folder, or all; newest first. */
  list(session: string | null, root: string | null): Checkpoint[] {
    const folder = root === null ? null : realPath(root);
    const kept = this.#options.records.checkpoints(session);
    return kept.filter((one) => folder === null || one.root === folder).map(({ checkpoint }) => checkpoint);
  }

  get(id: string): Result<StoredCheckpoint> {
    const found = this.#options.records.checkpoint(id);
    return found === null ? fail('not_found', `Checkpoint not found: ${id}`) : ok(found);
  }

  /** Deletes the record; the bytes of its files stay if others need them. */
  forget(id: string): Result<{ checkpoint_id: string }> {
    return this.#options.records.write((writer) => {
      writer.dropCheckpoint(id);
      return ok({ checkpoint_id: id });
    });
  }

  async diff3(log: ChangeLog, stored: StoredCheckpoint, filePath: string): Promise<Result<Diff3>> {
    const path = utf8Bytes(filePath);
    const file = stored.files.find((one) => one.path === path);
    const id = stored.checkpoint.checkpoint_id;
    if (file === undefined) return fail('not_found', `Checkpoint ${id} is not about ${filePath}.`);
    const state = await log.state();
    if (!state.ok) return state;
    const current = await log.working(state.value, filePath);
    if (!current.ok) return current;
    const base = await log.imageOf(path, file.base);
    if (!base.ok) return base;
    const proposed = await log.imageOf(path, file.proposed);
    if (!proposed.ok) return proposed;
    const table = (image: FileImage | null) => lineTable(image?.bytes ?? new Uint8Array(0));
    const size = [current.value, base.value, proposed.value].reduce(
      (sum, one) => sum + (one?.bytes.length ?? 0),
      0,
    );
    if (size * 2 > SIDES_MAX_BYTES)
      return fail('refused', `${filePath} is too large for a three-way comparison.`);
    const merged = merge3(table(base.value), table(current.value), table(proposed.value));
    return ok({
      checkpoint_id: id,
      file_path: filePath,
      current_file: textOf(current.value),
      checkpoint_base: textOf(base.value),
      agent_proposed: textOf(proposed.value),
      merged: decoder.decode(merged.text),
      conflicts: merged.conflicts,
    });
  }

  /** Plans a rollback against the current log; `preview` stops there. */
  async rollback(
    log: ChangeLog,
    stored: StoredCheckpoint,
    wanted: { readonly mode: RollbackMode; readonly hunkIds: readonly string[]; readonly preview: boolean },
  ): Promise<Result<RollbackResult>> {
    const tracked = await log.track(stored.files.map(({ path }) => path));
    if (!tracked.ok) return tracked;
    const synced = await log.sync();
    if (!synced.ok) return synced;
    const { state, moved } = synced.value;
    const planned = await this.#plan(log, state, stored, wanted);
    if (!planned.ok) return planned;
    const plan = planned.value;
    const answer = {
      checkpoint_id: stored.checkpoint.checkpoint_id,
      mode: wanted.mode,
      files: diffsOf(plan),
      later_hunks: plan.laterHunks,
      conflicts: [...plan.conflicts, ...movedConflicts(plan, moved)],
      undo_checkpoint_id: null,
    };
    if (answer.conflicts.length > 0) return ok({ ...answer, status: 'conflict' });
    if (plan.files.length === 0 && plan.decisions.size === 0) return ok({ ...answer, status: 'unchanged' });
    if (wanted.preview) return ok({ ...answer, status: 'preview' });
    const undo = await this.#undoPoint(log, state, stored, plan);
    if (!undo.ok) return undo;
    const done = await this.#carryOut(log, plan);
    if (!done.ok) return done;
    return ok({ ...answer, status: 'completed', undo_checkpoint_id: undo.value });
  }

  async #plan(
    log: ChangeLog,
    state: LogState,
    stored: StoredCheckpoint,
    wanted: { readonly mode: RollbackMode; readonly hunkIds: readonly string[] },
  ): Promise<Result<RollbackPlan>> {
    const suggestion =
      state.layers.find(({ seq, stored: layer }) => seq === stored.seq && layer.job !== null)?.id ?? null;
    if (wanted.mode === 'hard_all') {
      const point = await this.#pointOf(log, stored, suggestion);
      return point.ok ? ok(planHard(state, point.value)) : point;
    }
    if (wanted.hunkIds.length === 0) return fail('invalid', 'Name the hunks to roll back (hunk_ids).');
    if (suggestion === null) return this.#planByMerge(log, state, stored, wanted.hunkIds);
    const plan = planScoped(state, suggestion, wanted.hunkIds);
    if (!plan.ok || plan.value.conflicts.length === 0) return plan;
    // If the user has restored the lines by hand, there is no conflict: only the texts show that, not the log.
    const merged = await this.#planByMerge(log, state, stored, wanted.hunkIds);
    return merged.ok && merged.value.conflicts.length === 0 ? merged : plan;
  }

  /** The log of the run is gone: merges its reverse patches into the current text. */
  async #planByMerge(
    log: ChangeLog,
    state: LogState,
    stored: StoredCheckpoint,
    hunkIds: readonly string[],
  ): Promise<Result<RollbackPlan>> {
    const wanted = new Set(hunkIds);
    const files: MergedFile[] = [];
    for (const { path, proposed } of stored.files) {
      const about = stored.checkpoint.affected_files.find((file) => file.file_path === displayBytes(path));
      const hunks = about?.hunks.filter((hunk) => wanted.delete(hunk.hunk_id)) ?? [];
      if (hunks.length === 0) continue;
      const image = await log.imageOf(path, proposed);
      if (!image.ok) return image;
      files.push({ path, proposed: image.value, current: state.working.tree.get(path) ?? null, hunks });
    }
    const [missing] = wanted;
    return missing === undefined ? ok(planByMerge(files)) : noSuchHunk(missing);
  }

  async #pointOf(
    log: ChangeLog,
    stored: StoredCheckpoint,
    suggestion: string | null,
  ): Promise<Result<RollbackPoint>> {
    const bases = new Map<ByteString, FileImage | null>();
    for (const file of stored.files) {
      const base = await log.imageOf(file.path, file.base);
      // A missing snapshot does not mean that the file was absent: do nothing.
      if (!base.ok) return base;
      bases.set(file.path, base.value);
    }
    const decisions = new Map(
      Object.entries(stored.decisions).map(([layer, own]) => [layer, new Map(Object.entries(own))]),
    );
    return ok({ seq: stored.seq, bases, decisions, suggestion });
  }

  /** The undo point of the rollback: a checkpoint of the texts that it changes. */
  async #undoPoint(
    log: ChangeLog,
    state: LogState,
    stored: StoredCheckpoint,
    plan: RollbackPlan,
  ): Promise<Result<string>> {
    const { records } = this.#options;
    const paths = new Map(stored.files.map(({ path }) => [path, state.working.tree.get(path) ?? null]));
    for (const { path, before } of plan.files) paths.set(path, before);
    const made = await this.make(log, {
      session: stored.checkpoint.session_id,
      job: stored.checkpoint.job_id,
      kind: 'rollback',
      seq: records.nextLayer(),
      bases: paths,
      proposed: new Map(plan.files.map(({ path, after }) => [path, after])),
      reviews: [],
      decisions: decisionsAt(state, paths),
    });
    if (!made.ok) return made;
    const kept = records.write((writer) => {
      writer.putCheckpoint(made.value);
      return ok(undefined);
    });
    return kept.ok ? ok(made.value.checkpoint.checkpoint_id) : kept;
  }

  async #carryOut(log: ChangeLog, plan: RollbackPlan): Promise<Result<void>> {
    const { proposals } = this.#options;
    const tracked = await log.track(plan.files.map(({ path }) => path));
    if (!tracked.ok) return tracked;
    for (const [suggestion, decisions] of plan.decisions) {
      const decided = await proposals.redecide(suggestion, decisions);
      if (!decided.ok) return decided;
    }
    for (const { path, after, decided } of plan.files) {
      if (sameImage(decided, after)) continue;
      const fixed = await this.#replace(log, path, decided, after);
      if (!fixed.ok) return fixed;
    }
    return ok(undefined);
  }

  /** The part that decisions alone cannot restore becomes a separate change. */
  async #replace(
    log: ChangeLog,
    path: ByteString,
    from: FileImage | null,
    to: FileImage | null,
  ): Promise<Result<void>> {
    const { proposals, records } = this.#options;
    const added = await proposals.add({
      target: log.root,
      description: `Rollback of ${displayBytes(path)}`,
      source: 'rollback',
      author: null,
      notes: {},
      decision: 'accepted',
      patch: imagePatch(from, to),
      bases: new Map([[path, from]]),
      results: new Map([[path, to]]),
      split: () => null,
      alongside: (suggestion) => {
        records.inside.addLayer({ root: log.root, suggestion, origin: 'rollback', job: null });
      },
    });
    return added.ok ? proposals.end(added.value.id, 'finalized') : added;
  }
}

function hunksAt(
  reviews: readonly FileReview[],
  path: ByteString,
  budget: { characters: number },
): Checkpoint['affected_files'][number]['hunks'] {
  return reviews
    .filter(({ subject }) => (subject.newPath ?? subject.oldPath) === path)
    .flatMap((review) =>
      review.changes.map((change) => {
        const patch = reversePatch(diffOf(review.subject, change));
        budget.characters -= patch.length;
        return { hunk_id: change.id, reverse_patch: budget.characters < 0 ? '' : patch };
      }),
    );
}

function diffsOf(plan: RollbackPlan): RollbackResult['files'] {
  let left = PREVIEW_MAX_CHARACTERS;
  return plan.files.map(({ path, before, after }) => {
    const whole = decoder.decode(imagePatch(before, after));
    const diff = whole.slice(0, left);
    left -= diff.length;
    return { file_path: displayBytes(path), diff };
  });
}

const movedConflicts = (plan: RollbackPlan, moved: MovedFiles) =>
  plan.files
    .filter(({ path }) => moved.has(path))
    .map(({ path }) => ({
      file_path: displayBytes(path),
      hunk_id: null,
      reason:
        'the file on disk has changed since, and part of the working text is not saved; merge it first.',
    }));

const HEADER = /^@@ -(\S+) \+(\S+) @@/;

/** The unified diff of one hunk with its sides swapped; a change described in words stays. */
export function reversePatch(diff: string): string {
  const [header = '', ...body] = diff.split('\n');
  const ranges = HEADER.exec(header);
  if (ranges === null) return diff;
  const lines: string[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const flush = () => {
    append(lines, removed);
    append(lines, added);
    removed = [];
    added = [];
  };
  let previous = '';
  for (const line of body) {
    if (line.startsWith('+')) removed.push(`-${line.slice(1)}`);
    else if (line.startsWith('-')) added.push(`+${line.slice(1)}`);
    else if (line.startsWith('\\')) {
      // It belongs to the line above it, on whichever side that is.
      (previous.startsWith('+') ? removed : previous.startsWith('-') ? added : lines).push(line);
    } else {
      flush();
      lines.push(line);
    }
    previous = line;
  }
  flush();
  // The text ends with a line end: the empty piece after it stays last.
  return [`@@ -${ranges[2]} +${ranges[1]} @@`, ...lines].join('\n');
}
