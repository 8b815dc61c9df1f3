/** What can be decided in a file: hunks, rename, copy, mode, link, binary content, creation, deletion. */
import type { Steps } from '../../lib/steps.ts';
import { type ByteString, concatBytes, fromLatin1 } from './bytes.ts';
import { ADDED, changedSpan, type HunkBody, REMOVED } from './hunk-body.ts';
import type { Picked } from './hunk-pieces.ts';
import type { FilePatch, PatchHunk } from './patch-model.ts';

export type ChangeKind =
  | 'text'
  | 'rename'
  | 'copy'
  | 'mode'
  | 'symlink'
  | 'binary'
  | 'create'
  | 'delete'
  | 'submodule';

export interface Change {
  readonly id: string;
  readonly kind: ChangeKind;
  readonly hunk: PatchHunk | null;
  readonly body: HunkBody | null;
  /** The lines of the hunk's body that belong to this change; null: all. */
  readonly picked: Picked;
  /** The whole hunk that this is part of. */
  readonly parent: string | null;
}

/** SHA-256 of all parts, hex. */
export type HashBytes = (parts: readonly Uint8Array[]) => string;

/** Content that is taken or left as a whole. */
export interface WholeContent {
  readonly type: 'file' | 'symlink' | 'submodule';
  readonly bytes: Uint8Array;
}

/** One file of a suggestion. */
export interface Subject {
  readonly operation: FilePatch['operation'];
  /** The file's path in the base; for a copy, its source. Null for a created file. */
  readonly oldPath: ByteString | null;
  /** Its final path. Null for a deleted file. */
  readonly newPath: ByteString | null;
  readonly oldMode: number | null;
  readonly newMode: number | null;
  readonly oldBlob: string | null;
  readonly patchBytes: Uint8Array;
  readonly changes: readonly Change[];
  /** Set for links, submodules, binary files and type changes. A null side is an absent file. */
  readonly whole: { readonly old: WholeContent | null; readonly new: WholeContent | null } | null;
  /** Set if the patch names a change but does not contain its bytes. */
  readonly problem: string | null;
}

/** Hex digits of an id: two equal ids in a suggestion would take 2^32 hunks. */
export const ID_LENGTH = 16;

const LONG_HUNK_LINES = 20_000;

/** Derives ids from content: path, kind, old bytes, new bytes, and the number among equal ones. */
export class IdMaker {
  readonly #hash: HashBytes;
  /** Precomputed ids in the order in which they are requested. */
  readonly #known: readonly string[] | null;
  #made = 0;
  readonly #seen = new Map<string, number>();
  /** A hunk's name and both sides are gathered here: a copy per line would cost more than the hash. */
  #scratch = new Uint8Array(64 * 1024);

  constructor(hash: HashBytes, known: readonly string[] | null = null) {
    this.#hash = hash;
    this.#known = known;
  }

  make(
    path: ByteString,
    kind: ChangeKind,
    old: Uint8Array,
    updated: Uint8Array,
    hunk: PatchHunk | null,
  ): Change {
    const id = this.#given() ?? this.#idOfSides(path, kind, old, updated);
    return { id, kind, hunk, body: null, picked: null, parent: null };
  }

  /** A hunk's id covers its first to last changed line, removed and added text. Long ones run in steps. */
  *makeHunk(path: ByteString, kind: ChangeKind, hunk: PatchHunk, body: HunkBody): Steps<Change> {
    const id = this.#given() ?? (yield* this.#idOfHunk(path, kind, body));
    return { id, kind, hunk, body, picked: null, parent: null };
  }

  #given(): string | null {
    const id = this.#known?.[this.#made] ?? null;
    this.#made += 1;
    return id;
  }

  #idOfSides(path: ByteString, kind: ChangeKind, old: Uint8Array, updated: Uint8Array): string {
    const bytes = concatBytes([old, updated]);
    return this.#idOf(path, kind, { old: old.length, new: updated.length }, (at) => {
      this.#reserve(at + bytes.length);
      this.#scratch.set(bytes, at);
      return at + bytes.length;
    });
  }

  *#idOfHunk(path: ByteString, kind: ChangeKind, body: HunkBody): Steps<string> {
    const span = changedSpan(body);
    const lengths = { old: sideLength(body, span, ADDED), new: sideLength(body, span, REMOVED) };
    if (body.count > LONG_HUNK_LINES) yield;
    return this.#idOf(path, kind, lengths, (at) =>
      this.#gather(body, span, REMOVED, this.#gather(body, span, ADDED, at)),
    );
  }

  /** Puts one side's lines after the first `at` bytes; returns the end. */
  #gather(body: HunkBody, span: ChangedSpan, skipped: number, at: number): number {
    if (span === null) return at;
    const { bytes } = body;
    let end = at;
    for (let i = span.first; i <= span.last; i += 1) {
      if (body.op(i) === skipped) continue;
      const from = body.start(i);
      const to = body.end(i);
      this.#reserve(end + to - from);
      const scratch = this.#scratch;
      for (let byte = from; byte < to; byte += 1, end += 1) scratch[end] = bytes[byte] ?? 0;
    }
    return end;
  }

  #reserve(length: number): void {
    if (length <= this.#scratch.length) return;
    const grown = new Uint8Array(length * 2);
    grown.set(this.#scratch);
    this.#scratch = grown;
  }

  /** `write` puts the content after the name's head and returns the end. */
  #idOf(
    path: ByteString,
    kind: ChangeKind,
    lengths: { readonly old: number; readonly new: number },
    write: (at: number) => number,
  ): string {
    const named = (occurrence: number) => {
      const head = `${kind}\0${path}\0${occurrence}\0${lengths.old}\0${lengths.new}\0`;
      this.#reserve(head.length);
      for (let i = 0; i < head.length; i += 1) this.#scratch[i] = head.charCodeAt(i);
      // Gathering may move the scratch buffer, so read it only afterwards.
      const end = write(head.length);
      return this.#hash([this.#scratch.subarray(0, end)]).slice(0, ID_LENGTH);
    };
    const key = named(0);
    const occurrence = this.#seen.get(key) ?? 0;
    this.#seen.set(key, occurrence + 1);
    return occurrence === 0 ? key : named(occurrence);
  }
}

type ChangedSpan = ReturnType<typeof changedSpan>;

function sideLength(body: HunkBody, span: ChangedSpan, skipped: number): number {
  let length = 0;
  for (let i = span?.first ?? 0; span !== null && i <= span.last; i += 1) {
    if (body.op(i) !== skipped) length += body.end(i) - body.start(i);
  }
  return length;
}

/** A part of `change`: the picked lines, identified by parent and lines. */
export function partOf(change: Change, picked: ReadonlySet<number>, hash: HashBytes): Change {
  const lines = [...picked].sort((a, b) => a - b).join(',');
  const id = hash([fromLatin1(`part\0${change.id}\0${lines}`)]).slice(0, ID_LENGTH);
  return { ...change, id, picked, parent: change.id };
}
