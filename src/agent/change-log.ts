/** The change log of a project folder: its files, their proposals, their working and saved texts. Writes no file. */
import { fail, ok, type Result } from '../lib/result.ts';
import { type ByteString, displayBytes, utf8Bytes } from '../review/core/bytes.ts';
import type { FileReview } from '../review/core/file-review.ts';
import { type FileImage, sameImage, stateOf } from '../review/core/file-state.ts';
import { sha256 } from '../review/files/hash.ts';
import { readImage } from '../review/files/target-files.ts';
import type { Proposals } from '../review/proposals/proposals.ts';
import type { Blobs } from '../review/records/records.ts';
import { imagePatch } from '../review/sources/folder-source.ts';
import { FoldMemo, type StackFile, type StackLayer, type StackTexts, stackTexts } from './core/stack.ts';
import type { WorkingBuffers } from './loop/port.ts';
import type { AgentRecords, StoredImage, StoredLayer, StoredTracked } from './records.ts';

export interface ChangeLogOptions {
  readonly root: string;
  readonly records: AgentRecords;
  readonly blobs: Blobs;
  readonly proposals: Proposals;
}

export interface LogState {
  readonly tracked: ReadonlyMap<ByteString, StoredTracked>;
  readonly files: ReadonlyMap<ByteString, StackFile>;
  readonly layers: readonly (StackLayer & { readonly stored: StoredLayer })[];
  readonly working: StackTexts;
  readonly saved: StackTexts;
}

/** Files that changed on disk since the log last read them, each with the reason why they are not written. */
export type MovedFiles = ReadonlyMap<ByteString, string>;

/** How many texts are kept in memory. */
const IMAGES_MAX_KEPT = 256;

interface KeptLayer {
  readonly revision: number;
  readonly ended: boolean;
  readonly files: readonly FileReview[];
}

export class ChangeLog {
  readonly root: string;
  readonly #options: ChangeLogOptions;
  readonly #layers = new Map<string, KeptLayer>();
  readonly #images = new Map<string, FileImage>();
  readonly #memos = { working: new FoldMemo(), saved: new FoldMemo() };
  #known: { readonly key: string; readonly state: LogState } | null = null;

  constructor(options: ChangeLogOptions) {
    this.root = options.root;
    this.#options = options;
  }

  /** The state computed from the stored data. Recomputed only after a change. */
  async state(): Promise<Result<LogState>> {
    const rows = this.#options.records.tracked(this.root);
    const layers = await this.#loadLayers();
    if (!layers.ok) return layers;
    const key = JSON.stringify([rows, layers.value.map(({ id }) => [id, this.#layers.get(id)?.revision])]);
    if (this.#known?.key === key) return ok(this.#known.state);
    const state = await this.#workOut(rows, layers.value);
    if (state.ok) this.#known = { key, state: state.value };
    return state;
  }

  async #loadLayers(): Promise<Result<LogState['layers']>> {
    const layers: LogState['layers'][number][] = [];
    for (const stored of this.#options.records.layers(this.root)) {
      const layer = await this.#layer(stored);
      if (!layer.ok) return layer;
      layers.push(layer.value);
    }
    return ok(layers);
  }

  async #workOut(rows: readonly StoredTracked[], layers: LogState['layers']): Promise<Result<LogState>> {
    const tracked = new Map(rows.map((file) => [file.path, file]));
    const files = new Map<ByteString, StackFile>();
    for (const file of tracked.values()) {
      const base = await this.imageOf(file.path, file.base);
      if (!base.ok) return base;
      files.set(file.path, { base: base.value, from: file.from });
    }
    const working = stackTexts(files, layers, 'working', this.#memos.working);
    const saved = stackTexts(files, layers, 'saved', this.#memos.saved);
    return ok({ tracked, files, layers, working, saved });
  }

  async #layer(stored: StoredLayer): Promise<Result<LogState['layers'][number]>> {
    const { suggestion: id, seq, origin } = stored;
    const opened = await this.#options.proposals.openSince(id, this.#layers.get(id)?.revision ?? 0);
    if (!opened.ok) return opened;
    const kept =
      opened.value === null
        ? this.#layers.get(id)
        : {
            revision: opened.value.stored.revision,
            ended: opened.value.stored.end !== null,
            files: opened.value.reviews,
          };
    if (kept === undefined) return fail('internal', `Proposal ${id} is not kept.`);
    this.#layers.set(id, kept);
    return ok({ seq, id, origin, ended: kept.ended, files: kept.files, stored });
  }

  /** The image stored as `stored`. */
  async imageOf(path: ByteString, stored: StoredImage): Promise<Result<FileImage | null>> {
    if (stored === null) return ok(null);
    const { blob, type, executable } = stored;
    const key = `${blob} ${type} ${executable} ${path}`;
    const known = this.#images.get(key);
    if (known !== undefined) return ok(known);
    const bytes = await this.#options.blobs.get(blob);
    if (!bytes.ok) return bytes;
    const image = { path, type, executable, bytes: new Uint8Array(bytes.value) };
    if (this.#images.size >= IMAGES_MAX_KEPT) this.#images.clear();
    this.#images.set(key, image);
    return ok(image);
  }

  async keep(image: FileImage | null): Promise<Result<StoredImage>> {
    if (image === null) return ok(null);
    const blob = await this.#options.blobs.put(image.bytes);
    if (!blob.ok) return blob;
    return ok({ blob: blob.value, type: image.type, executable: image.executable });
  }

  disk(path: ByteString): Promise<Result<FileImage | null>> {
    return readImage(this.root, path);
  }

  /** Adds these files to the log. */
  async track(paths: readonly ByteString[]): Promise<Result<void>> {
    const known = new Set(this.#options.records.tracked(this.root).map((file) => file.path));
    const added: StoredTracked[] = [];
    for (const path of new Set(paths)) {
      if (known.has(path)) continue;
      const found = await this.disk(path);
      if (!found.ok) return found;
      const kept = await this.keep(found.value);
      if (!kept.ok) return kept;
      const from = this.#options.records.nextLayer();
      added.push({ root: this.root, path, base: kept.value, disk: kept.value, from });
    }
    if (added.length === 0) return ok(undefined);
    return this.#options.records.write((writer) => {
      for (const file of added) writer.putTracked(file);
      return ok(undefined);
    });
  }

  /**
   * Checks the disk. If nothing in a file waits for a decision or a save, changes of the user go into the log as the
   * user's own edits. Otherwise the file counts as moved and the log keeps it unchanged.
   */
  async sync(): Promise<Result<{ readonly state: LogState; readonly moved: MovedFiles }>> {
    const state = await this.state();
    if (!state.ok) return state;
    const moved = new Map<ByteString, string>();
    let changed = false;
    for (const file of state.value.tracked.values()) {
      const found = await this.disk(file.path);
      // A file that cannot be read (replaced by a link, no permission) has changed: a conflict, not a failure.
      if (!found.ok) moved.set(file.path, withoutName(found.error.message, file.path));
      if (!found.ok) continue;
      if (isStored(found.value, file.disk)) continue;
      if (sameImage(found.value, state.value.saved.tree.get(file.path) ?? null)) {
        const noted = await this.#noteDisk(file, found.value);
        if (!noted.ok) return noted;
        changed = true;
      } else if (isSettled(state.value, file)) {
        const taken = await this.takeDisk(file, found.value);
        if (!taken.ok) return taken;
        changed = true;
      } else moved.set(file.path, whatChanged(found.value));
    }
    if (!changed) return ok({ state: state.value, moved });
    const next = await this.state();
    return next.ok ? ok({ state: next.value, moved }) : next;
  }

  async #noteDisk(file: StoredTracked, found: FileImage | null): Promise<Result<void>> {
    const disk = await this.keep(found);
    if (!disk.ok) return disk;
    return this.#options.records.write((writer) => {
      writer.putTracked({ ...file, disk: disk.value });
      return ok(undefined);
    });
  }

  /** Changes on disk since the last known version become the user's own edit. */
  async takeDisk(file: StoredTracked, found: FileImage | null): Promise<Result<void>> {
    const known = await this.imageOf(file.path, file.disk);
    if (!known.ok) return known;
    const disk = await this.keep(found);
    if (!disk.ok) return disk;
    const patch = imagePatch(known.value, found);
    if (patch.length === 0) return fail('refused', `${displayBytes(file.path)} is no longer a regular file.`);
    const added = await this.#options.proposals.add({
      target: this.root,
      description: `Your edits of ${displayBytes(file.path)}`,
      source: 'your edits',
      author: null,
      notes: {},
      decision: 'accepted',
      patch,
      bases: new Map([[file.path, known.value]]),
      results: new Map([[file.path, found]]),
      split: () => null,
      alongside: (suggestion) => {
        const { inside } = this.#options.records;
        inside.addLayer({ root: this.root, suggestion, origin: 'disk', job: null });
        inside.putTracked({ ...file, disk: disk.value });
      },
    });
    return added.ok ? this.#options.proposals.end(added.value.id, 'finalized') : added;
  }

  /** The project as the user sees it, for tools. */
  static buffers(state: LogState, moved: MovedFiles): WorkingBuffers {
    const texts = new Map<string, Uint8Array | null>();
    for (const [path, image] of state.working.tree) {
      const disk = state.tracked.get(path)?.disk ?? null;
      if (isStored(image, disk)) continue;
      texts.set(displayBytes(path), image === null ? null : image.bytes);
    }
    const conflicts = new Set([...moved.keys()].map(displayBytes));
    return { read: (path) => texts.get(path), paths: () => [...texts.keys()], conflicts };
  }

  /** The working text of a file: from the log, or else from disk. */
  async working(state: LogState, path: string): Promise<Result<FileImage | null>> {
    const name = utf8Bytes(path);
    const known = state.working.tree.get(name);
    return known === undefined ? this.disk(name) : ok(known);
  }
}

const withoutName = (message: string, path: ByteString) =>
  message.startsWith(`${displayBytes(path)}: `) ? message.slice(displayBytes(path).length + 2) : message;

function whatChanged(found: FileImage | null): string {
  if (found === null) return 'the file on disk is gone.';
  return found.type === 'symlink' ? 'a link stands in its place.' : 'the file on disk has changed since.';
}

/** Whether the image equals the stored one. */
export function isStored(image: FileImage | null, stored: StoredImage): boolean {
  if (image === null || stored === null) return image === null && stored === null;
  return (
    image.type === stored.type &&
    image.executable === stored.executable &&
    sha256([image.bytes]) === stored.blob
  );
}

/** Whether no change of this file waits for a decision or a save. */
export function isSettled(state: LogState, { path, disk }: StoredTracked): boolean {
  const saved = state.saved.tree.get(path) ?? null;
  const working = state.working.tree.get(path) ?? null;
  return isStored(saved, disk) && sameImage(working, saved) && !hasUndecided(state, path);
}

/** Undecided changes of open proposals in this file. */
export function hasUndecided(state: LogState, path: ByteString): boolean {
  return state.layers.some(
    (layer) =>
      !layer.ended &&
      layer.files.some(
        (review) =>
          (review.subject.oldPath === path || review.subject.newPath === path) &&
          review.changes.some((change) => stateOf(review.state, change.id).decision === 'pending'),
      ),
  );
}
