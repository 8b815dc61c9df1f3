/** Turns edits into a proposal: checks each against the user's view of the files, and passes on hunks. No writes. */
import { ok, type Result } from '../lib/result.ts';
import type { AgentLimits, EditFault, ProposedEdit } from '../protocol/agent.ts';
import type { Suggestion } from '../protocol/review.ts';
import { type ByteString, displayBytes, utf8Bytes } from '../review/core/bytes.ts';
import type { Change } from '../review/core/change.ts';
import type { FileReview } from '../review/core/file-review.ts';
import type { FileImage } from '../review/core/file-state.ts';
import { sha256 } from '../review/files/hash.ts';
import { readImage } from '../review/files/target-files.ts';
import type { OpenProposal, Proposals } from '../review/proposals/proposals.ts';
import type { ChangeLog, LogState, MovedFiles } from './change-log.ts';
import { type ComposedFile, composeEdits, type FileFact, pathsOfEdits } from './core/compose.ts';
import { formatProposal } from './core/proposal-patch.ts';
import { splitHunk } from './core/split-hunk.ts';
import { IN_CONFLICT } from './loop/memory.ts';
import type { AgentRecords } from './records.ts';

export interface ProposerOptions {
  readonly records: AgentRecords;
  readonly proposals: Proposals;
  readonly limits: AgentLimits;
}

export interface ProposalOf {
  readonly description: string;
  readonly author: string;
  readonly job: string;
}

/** A proposal that the review holds. */
export interface Proposed {
  readonly suggestion: Suggestion;
  readonly seq: number;
  readonly files: readonly ComposedFile[];
  readonly hunkEdits: Readonly<Record<string, readonly string[]>>;
  readonly reviews: readonly FileReview[];
  /** Every file before and after, by path. */
  readonly bases: ReadonlyMap<ByteString, FileImage | null>;
  readonly results: ReadonlyMap<ByteString, FileImage | null>;
}

export class Proposer {
  readonly #options: ProposerOptions;

  constructor(options: ProposerOptions) {
    this.#options = options;
  }

  /** Composes the edits against the current files. */
  async compose(
    log: ChangeLog,
    edits: readonly ProposedEdit[],
  ): Promise<
    Result<{
      readonly files: readonly ComposedFile[];
      readonly faults: readonly EditFault[];
      readonly state: LogState;
    }>
  > {
    const synced = await log.sync();
    if (!synced.ok) return synced;
    const { state, moved } = synced.value;
    const facts = new Map<string, FileFact>();
    for (const path of pathsOfEdits(edits)) facts.set(path, await factAt(log, state, moved, path));
    const composed = composeEdits(edits, { files: facts, hash: sha256 });
    return ok(
      composed.ok
        ? { files: composed.files, faults: [], state }
        : { files: [], faults: composed.faults, state },
    );
  }

  /** Passes composed files to the review. */
  async propose(
    log: ChangeLog,
    files: readonly ComposedFile[],
    about: ProposalOf,
  ): Promise<Result<Proposed>> {
    const { proposals, records, limits } = this.#options;
    const { bases, results } = sidesOf(files);
    const tracked = await log.track([...bases.keys()]);
    if (!tracked.ok) return tracked;
    let seq = 0;
    const added = await proposals.add({
      target: log.root,
      description: about.description,
      source: `agent ${about.job}`,
      author: about.author,
      notes: notesOf(files),
      decision: 'pending',
      patch: formatProposal(files),
      bases,
      results,
      split: (change: Change) => (change.body === null ? null : splitHunk(change.body, limits)),
      alongside: (suggestion) => {
        seq = records.inside.addLayer({ root: log.root, suggestion, origin: 'agent', job: about.job });
      },
    });
    if (!added.ok) return added;
    const opened = await proposals.open(added.value.id);
    if (!opened.ok) return opened;
    const { reviews } = opened.value;
    return ok({
      suggestion: added.value,
      seq,
      files,
      hunkEdits: hunkEditsOf(files, opened.value),
      reviews,
      bases,
      results,
    });
  }
}

/** A file as the base of edits: its working text, if the log has one. */
async function factAt(log: ChangeLog, state: LogState, moved: MovedFiles, path: string): Promise<FileFact> {
  if (!path.isWellFormed()) return { kind: 'absent' };
  const name = utf8Bytes(path);
  if (moved.has(name)) {
    return { kind: 'refused', code: 'conflict', why: IN_CONFLICT };
  }
  const known = state.working.tree.get(name);
  return known === undefined ? readFact(log.root, path) : factOf(known);
}

function sidesOf(files: readonly ComposedFile[]) {
  const bases = new Map<ByteString, FileImage | null>();
  const results = new Map<ByteString, FileImage | null>();
  for (const file of files) {
    const [old, updated] = [utf8Bytes(file.path), utf8Bytes(file.newPath ?? file.path)];
    const executable = file.base?.executable ?? false;
    const base = file.base === null ? null : imageAt(old, file.base.table.bytes, executable);
    if (updated !== old) {
      bases.set(updated, bases.get(updated) ?? null);
      results.set(old, null);
    }
    bases.set(old, base);
    results.set(updated, file.change === 'delete' ? null : imageAt(updated, file.proposed.bytes, executable));
  }
  return { bases, results };
}

const imageAt = (path: ByteString, bytes: Uint8Array, executable: boolean): FileImage => ({
  path,
  type: 'file',
  executable,
  bytes,
});

/** How many decisions come before the hunks of a file: its move. */
const headCount = (file: ComposedFile) => (file.change === 'rename' ? 1 : 0);

/** The model's notes on each hunk, by its position in the review. */
function notesOf(files: readonly ComposedFile[]): Record<string, string> {
  const notes: Record<string, string> = {};
  for (const file of files) {
    const name = displayBytes(utf8Bytes(file.newPath ?? file.path));
    file.hunks.forEach(({ rationale }, i) => {
      if (rationale !== null) notes[`${name}:${i + 1 + headCount(file)}`] = rationale;
    });
  }
  return notes;
}

function hunkEditsOf(
  files: readonly ComposedFile[],
  opened: OpenProposal,
): Record<string, readonly string[]> {
  const edits: Record<string, readonly string[]> = {};
  files.forEach((file, position) => {
    const changes = opened.reviews[position]?.subject.changes ?? [];
    changes.forEach((change, i) => {
      const hunk = file.hunks[i - headCount(file)];
      edits[change.id] =
        hunk === undefined || (headCount(file) === 1 && i === 0) ? file.fileEditIds : hunk.editIds;
    });
  });
  return edits;
}

/** The largest file that a model may edit. */
const EDIT_MAX_BYTES = 32 * 1024 * 1024;

const nameOf = (path: string): ByteString => utf8Bytes(path);

/** The file on disk at `path`, as the base of edits. */
export async function readFact(root: string, path: string): Promise<FileFact> {
  const found = await readImage(root, nameOf(path));
  if (!found.ok) {
    const outside = found.error.message.includes('link') || found.error.message.includes('leaves the root');
    return {
      kind: 'refused',
      code: outside ? 'outside_root' : 'protected',
      why: `cannot be read: ${found.error.message}`,
    };
  }
  return factOf(found.value);
}

function factOf(image: FileImage | null): FileFact {
  if (image === null) return { kind: 'absent' };
  if (image.type === 'symlink') {
    return { kind: 'refused', code: 'outside_root', why: 'is a link; links are not followed.' };
  }
  if (image.type !== 'file') return { kind: 'refused', code: 'not_text', why: 'is not a regular file.' };
  if (image.bytes.length > EDIT_MAX_BYTES) {
    return { kind: 'refused', code: 'not_text', why: `has more than ${EDIT_MAX_BYTES / 1024 / 1024} MiB.` };
  }
  if (image.bytes.includes(0))
    return { kind: 'refused', code: 'not_text', why: 'is a binary file; only text can be edited.' };
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(image.bytes);
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown;
    return { kind: 'refused', code: 'not_text', why: 'is not valid UTF-8; only UTF-8 text can be edited.' };
  }
  return { kind: 'text', bytes: image.bytes, executable: image.executable };
}
