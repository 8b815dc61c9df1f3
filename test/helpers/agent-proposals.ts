/** Edits, files and proposals in memory, for tests of the agent's core: no store, no disk. */
import { type ComposedFile, composeEdits, type FileFact, hashedLines } from '../../src/agent/core/compose.ts';
import { formatProposal } from '../../src/agent/core/proposal-patch.ts';
import { ok } from '../../src/lib/result.ts';
import type { ProposedEdit } from '../../src/protocol/agent.ts';
import { utf8Bytes } from '../../src/review/core/bytes.ts';
import type { Change } from '../../src/review/core/change.ts';
import type { FileReview } from '../../src/review/core/file-review.ts';
import type { FileImage } from '../../src/review/core/file-state.ts';
import { lineRange, lineTable } from '../../src/review/core/line-table.ts';
import { sha256 } from '../../src/review/files/hash.ts';
import { prepareProposal } from '../../src/review/proposals/prepare-proposal.ts';
import { type Loaded, openFile } from '../../src/review/records/load-suggestion.ts';
import type { Blobs, StoredSuggestion } from '../../src/review/records/records.ts';

export const bytesOf = (text: string) => new TextEncoder().encode(text);
export const textOf = (bytes: Uint8Array | null | undefined) =>
  bytes === null || bytes === undefined ? null : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

export const fact = (text: string): FileFact => ({ kind: 'text', bytes: bytesOf(text), executable: false });

/** An edit with the hash that a correct loop would fill in. */
export function testEdit(
  files: Readonly<Record<string, string>>,
  edit: Omit<ProposedEdit, 'expected_hash' | 'new_text' | 'edit_id'> & Partial<ProposedEdit>,
): ProposedEdit {
  const full = { edit_id: 'e1', new_text: '', expected_hash: '', ...edit };
  const table = lineTable(bytesOf(files[edit.file_path] ?? ''));
  const [from, to] = hashedLines(full, table.count);
  return { ...full, expected_hash: edit.expected_hash ?? `sha256:${sha256([lineRange(table, from, to)])}` };
}

/** Composes edits against these files. */
export function compose(files: Readonly<Record<string, string>>, edits: readonly ProposedEdit[]) {
  const facts = new Map(Object.entries(files).map(([path, text]) => [path, fact(text)]));
  return composeEdits(edits, { files: facts, hash: sha256 });
}

/** A blob store in memory. */
export function memoryBlobs(): Blobs {
  const kept = new Map<string, Uint8Array>();
  return {
    put: async (bytes) => {
      const hash = sha256([bytes]);
      kept.set(hash, bytes);
      return ok(hash);
    },
    get: async (hash) => {
      const bytes = kept.get(hash);
      return bytes === undefined ? { ok: false, error: { code: 'not_found', message: hash } } : ok(bytes);
    },
  };
}

/** An image of a text file. */
export function image(path: string, text: string): FileImage {
  return { path: utf8Bytes(path), type: 'file', executable: false, bytes: bytesOf(text) };
}

/** The reviews of a composed proposal, with nothing decided. */
export async function reviewsOf(
  files: readonly ComposedFile[],
  split: (change: Change) => readonly (readonly number[])[] | null = () => null,
): Promise<FileReview[]> {
  const blobs = memoryBlobs();
  const bases = new Map(
    files.map((file): [string, FileImage | null] => [
      utf8Bytes(file.path),
      file.base === null ? null : { ...image(file.path, ''), bytes: file.base.table.bytes },
    ]),
  );
  const patch = formatProposal(files);
  const prepared = await prepareProposal({ patch, bases, results: new Map(), split }, blobs);
  if (!prepared.ok) throw new Error(prepared.error.message);
  const stored = {
    ...prepared.value.facts,
    target: '/nowhere',
    inPlace: true,
    write: 'on-save',
  } as StoredSuggestion;
  const loaded: Loaded = {
    stored,
    subjects: prepared.value.subjects,
    files: prepared.value.files,
    changes: new Map(),
    reviews: new Map(),
  };
  const reviews: FileReview[] = [];
  for (const position of loaded.subjects.keys()) {
    const opened = await openFile(loaded, position, blobs);
    if (!opened.ok) throw new Error(opened.error.message);
    reviews.push(opened.value.review);
  }
  return reviews;
}
