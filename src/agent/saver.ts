/** Writes decided changes to disk: only files in their last known state, and all or none, even after a crash. */
import { type Failure, ok, type Result } from '../lib/result.ts';
import type { AgentConflict } from '../protocol/commands/agent.ts';
import { type ByteString, displayBytes } from '../review/core/bytes.ts';
import { type FileImage, sameImage } from '../review/core/file-state.ts';
import { leftOf, putBack, recordOf, writeAll } from '../review/deciding/write-journal.ts';
import { AccessLists } from '../review/files/access-lists.ts';
import { type FileWrite, performWrite, planWrite, temporaryName } from '../review/files/atomic-writer.ts';
import type { WriteOutcome } from '../review/files/interrupted-write.ts';
import { readImage } from '../review/files/target-files.ts';
import type { Blobs } from '../review/records/records.ts';
import { type ChangeLog, isStored, type LogState } from './change-log.ts';
import type { AgentRecords, StoredSave, StoredTracked } from './records.ts';

export interface SaverOptions {
  readonly records: AgentRecords;
  readonly blobs: Blobs;
  readonly newId: () => string;
}

export type Saved =
  | { readonly kind: 'saved'; readonly paths: readonly ByteString[] }
  | { readonly kind: 'conflict'; readonly conflicts: readonly AgentConflict[] };

interface Step {
  readonly write: FileWrite;
  readonly save: StoredSave;
}

/** Files whose saved text is not on disk. */
export function unsavedPaths(state: LogState): ByteString[] {
  return [...state.tracked.values()]
    .filter(({ path, disk }) => !isStored(state.saved.tree.get(path) ?? null, disk))
    .map(({ path }) => path);
}

/** Accepted hunks of these files that do not fit the text to be saved. */
export function saveConflicts(state: LogState, paths: ReadonlySet<ByteString>): AgentConflict[] {
  return state.layers.flatMap((layer) =>
    layer.files.flatMap((review) => {
      const { oldPath, newPath } = review.subject;
      if (!paths.has(oldPath ?? '') && !paths.has(newPath ?? '')) return [];
      return review.changes.flatMap((change) => {
        const reason = state.saved.conflicts.get(`${layer.id} ${change.id}`);
        if (reason === undefined) return [];
        return [{ file_path: displayBytes(newPath ?? oldPath ?? ''), hunk_id: change.id, reason }];
      });
    }),
  );
}

export class Saver {
  readonly #options: SaverOptions;
  readonly #lists = new AccessLists();
  /** Whether no unfinished save is recorded. */
  #isSettled = true;

  constructor(options: SaverOptions) {
    this.#options = options;
  }

  /** Writes the saved text of these files. */
  async save(log: ChangeLog, paths: readonly ByteString[]): Promise<Result<Saved>> {
    const settled = this.#isSettled ? ok(undefined) : await this.recover();
    if (!settled.ok) return settled;
    this.#isSettled = true;
    const synced = await log.sync();
    if (!synced.ok) return synced;
    const { state, moved } = synced.value;
    const wanted = withPartners(state, new Set(paths));
    const conflicts = [...wanted].flatMap((path): AgentConflict[] => {
      const reason = moved.get(path);
      return reason === undefined ? [] : [{ file_path: displayBytes(path), hunk_id: null, reason }];
    });
    conflicts.push(...saveConflicts(state, wanted));
    if (conflicts.length > 0) return ok({ kind: 'conflict', conflicts });
    const steps = await this.#plan(log, state, wanted);
    if (!steps.ok) return steps;
    if (steps.value.length === 0) return ok({ kind: 'saved', paths: [] });
    const written = await this.#write(steps.value);
    if (!written.ok) return written;
    return ok({
      kind: 'saved',
      paths: steps.value.flatMap(({ save }) => save.after.map((file) => file.path)),
    });
  }

  async #plan(log: ChangeLog, state: LogState, wanted: ReadonlySet<ByteString>): Promise<Result<Step[]>> {
    const pairs: [FileImage | null, FileImage | null, StoredTracked[]][] = [];
    const left = new Set(wanted);
    const images = new Map<ByteString, readonly [FileImage | null, FileImage | null]>();
    for (const path of wanted) {
      const found = await log.disk(path);
      if (!found.ok) return found;
      const image = state.saved.tree.get(path) ?? null;
      if (sameImage(found.value, image)) left.delete(path);
      else images.set(path, [found.value, image]);
    }
    for (const { from, to } of state.saved.moves) {
      const [old, gone] = images.get(from) ?? [null, null];
      const [taken, updated] = images.get(to) ?? [null, null];
      // A move keeps mode and owner; if either side is more than a move, both are written separately.
      if (old === null || gone !== null || taken !== null || updated === null) continue;
      pairs.push([old, updated, [tracked(state, from), tracked(state, to)]]);
      left.delete(from);
      left.delete(to);
    }
    for (const path of left) {
      const [old, updated] = images.get(path) ?? [null, null];
      pairs.push([old, updated, [tracked(state, path)]]);
    }
    // Deletions make room for new files.
    pairs.sort((a, b) => Number(a[1] !== null) - Number(b[1] !== null));
    return this.#steps(log, state, pairs);
  }

  async #steps(
    log: ChangeLog,
    state: LogState,
    pairs: readonly (readonly [FileImage | null, FileImage | null, readonly StoredTracked[]])[],
  ): Promise<Result<Step[]>> {
    const replaced = pairs.flatMap(([old, updated]) =>
      old !== null && updated?.path === old.path ? [old.path] : [],
    );
    const lists = await this.#lists.of(log.root, replaced);
    const steps: Step[] = [];
    const batch = this.#options.newId();
    for (const [old, updated, files] of pairs) {
      const id = this.#options.newId();
      const plan = await planWrite(log.root, old, updated, temporaryName(id), lists);
      if (!plan.ok) return plan;
      const after: StoredTracked[] = [];
      for (const file of files) {
        const disk = await log.keep(state.saved.tree.get(file.path) ?? null);
        if (!disk.ok) return disk;
        after.push({ ...file, disk: disk.value });
      }
      const write = await recordOf(plan.value, this.#options.blobs);
      if (!write.ok) return write;
      steps.push({ write: plan.value, save: { id, batch, write: write.value, after } });
    }
    return ok(steps);
  }

  async #write(steps: readonly Step[]): Promise<Result<void>> {
    const { records } = this.#options;
    const begun = records.write((writer) => {
      for (const { save } of steps) writer.putSave(save);
      return ok(undefined);
    });
    if (!begun.ok) return begun;
    const journalled = steps.map(({ write, save }) => ({ write, record: save.write }));
    const written = await writeAll(journalled);
    if (written.kind !== 'all') return this.#forget(steps, written);
    const ended = records.write((writer) => {
      for (const { save } of steps) {
        writer.dropSave(save.id);
        for (const file of save.after) writer.putTracked(file);
      }
      return ok(undefined);
    });
    if (ended.ok) return ended;
    const back = await putBack(journalled.reverse(), ended.error);
    return back.kind === 'all' ? ended : this.#forget(steps, back);
  }

  /** Nothing has happened; if that is untrue, or cannot be recorded, the recorded save ends before the next one. */
  #forget(steps: readonly Step[], { kind, error }: { kind: 'none' | 'some'; error: Failure }): Result<never> {
    const forgotten =
      kind === 'none' &&
      this.#options.records.write((writer) => {
        for (const { save } of steps) writer.dropSave(save.id);
        return ok(undefined);
      }).ok;
    this.#isSettled = forgotten;
    return { ok: false, error };
  }

  /** Finishes saves that a crash interrupted: one that had begun to write writes the rest, any other is dropped. */
  async recover(): Promise<Result<void>> {
    const { records } = this.#options;
    for (const batch of Map.groupBy(records.saves(), (save) => save.batch).values()) {
      const left = new Map<StoredSave, WriteOutcome>();
      for (const save of batch) {
        const outcome = await leftOf(save.write, this.#options.blobs);
        if (!outcome.ok) return outcome;
        left.set(save, outcome.value);
      }
      const hasBegun = [...left.values()].includes('new');
      for (const [save, outcome] of left) {
        const written = outcome === 'new' || (hasBegun && outcome === 'old' && (await this.#writeLate(save)));
        const ended = records.write((writer) => {
          writer.dropSave(save.id);
          if (written) for (const file of save.after) writer.putTracked(file);
          return ok(undefined);
        });
        if (!ended.ok) return ended;
      }
    }
    return ok(undefined);
  }

  /** Writes a file whose turn had not come; false if that fails, and the next save reports why. */
  async #writeLate({ write, after }: StoredSave): Promise<boolean> {
    const target = write.newPath ?? '';
    const kept = after.find((file) => file.path === target)?.disk ?? null;
    const bytes = kept === null ? null : await this.#options.blobs.get(kept.blob);
    const old = write.oldPath === null ? ok(null) : await readImage(write.root, write.oldPath);
    if (!old.ok || bytes?.ok === false) return false;
    const updated = kept === null || bytes === null ? null : { path: target, ...kept, bytes: bytes.value };
    const plan = await planWrite(write.root, old.value, updated, write.temporary);
    return plan.ok && (await performWrite(plan.value)).ok;
  }
}

/** Both ends of a move are written together. */
function withPartners(state: LogState, paths: ReadonlySet<ByteString>): ReadonlySet<ByteString> {
  const all = new Set([...paths].filter((path) => state.tracked.has(path)));
  for (const texts of [state.saved, state.working]) {
    for (const { from, to } of texts.moves) {
      if (all.has(from) && state.tracked.has(to)) all.add(to);
      if (all.has(to) && state.tracked.has(from)) all.add(from);
    }
  }
  return all;
}

function tracked(state: LogState, path: ByteString): StoredTracked {
  const file = state.tracked.get(path);
  if (file === undefined) throw new Error(`${displayBytes(path)} is not in the log`);
  return file;
}
