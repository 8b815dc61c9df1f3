/** What there is to decide about one file: hunks, rename, copy, mode, link, binary content, creation, deletion. Known by content. */
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
  /** The body lines of the hunk that belong to this change; null for all. */
  readonly picked: Picked;
  /** The whole hunk that this is a part of. */
  readonly parent: string | null;
}

/** SHA-256 of all parts, hex. */
export type HashBytes = (parts: readonly Uint8Array[]) => string;

/** Entire content that is taken or left as one. */
export interface WholeContent {
  readonly type: 'file' | 'symlink' | 'submodule';
  readonly bytes: Uint8Array;
}

/** One file of a suggestion. */
export interface Subject {
  readonly operation: FilePatch['operation'];
  /** Where the file is in the base; the source of a copy. Null for a file that is created. */
  readonly oldPath: ByteString | null;
  /** Its final place. Null for a deleted file. */
  readonly newPath: ByteString | null;
  readonly oldMode: number | null;
  readonly newMode: number | null;
  readonly oldBlob: string | null;
  readonly patchBytes: Uint8Array;
  readonly changes: readonly Change[];
  /** Set for links, submodules, binary files and changes of type; null sides are absent files. */
  readonly whole: { readonly old: WholeContent | null; readonly new: WholeContent | null } | null;
  /** The patch names a change whose bytes it does not hold. */
  readonly problem: string | null;
}

/** Hex digits of an id: two hunks of a suggestion with the same id would take 2^32 hunks. */
export const ID_LENGTH = 16;

const LONG_HUNK_LINES = 20_000;

/** Ids from content: path, kind, old bytes, new bytes, and which of several equal ones. */
export class IdMaker {
  readonly #hash: HashBytes;
  /** Ids in the order in which they are asked for, where they were worked out before. */
  readonly #known: readonly string[] | null;
  #made = 0;
  readonly #seen = new Map<string, number>();
  /** A name and both sides of a hunk are gathered here: a copy a line would cost more than the hash. */
  #scratch = new Uint8Array(64 * 1024);

  constructor(hash: HashBytes, known: readonly string[] | null = null) {
    this.#hash = hash;
    this.#known = known;
  }

  make(path: ByteString, kind: ChangeKind, old: Uint8Array, neu: Uint8Array, hunk: PatchHunk | null): Change {
    const id = this.#given() ?? this.#idOfSides(path, kind, old, neu);
    return { id, kind, hunk, body: null, picked: null, parent: null };
  }

  /** The id of a hunk is of what it takes away and adds: from the first changed line to the last. A long one in steps. */
  *makeHunk(path: ByteString, kind: ChangeKind, hunk: PatchHunk, body: HunkBody): Steps<Change> {
    const id = this.#given() ?? (yield* this.#idOfHunk(path, kind, body));
    return { id, kind, hunk, body, picked: null, parent: null };
  }

  #given(): string | null {
    const id = this.#known?.[this.#made] ?? null;
    this.#made += 1;
    return id;
  }

  #idOfSides(path: ByteString, kind: ChangeKind, old: Uint8Array, neu: Uint8Array): string {
    const bytes = concatBytes([old, neu]);
    return this.#idOf(path, kind, { old: old.length, new: neu.length }, (at) => {
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

  /** Puts the lines of one side behind the first `at` bytes; gives where they end. */
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

  /** `write` puts the content behind the head of the name and gives where it ends. */
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
      // What is gathered may move to a larger place: only then is it looked at.
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

/** A part of `change`: the picked lines, known by its parent and its lines. */
export function partOf(change: Change, picked: ReadonlySet<number>, hash: HashBytes): Change {
  const lines = [...picked].sort((a, b) => a - b).join(',');
  const id = hash([fromLatin1(`part\0${change.id}\0${lines}`)]).slice(0, ID_LENGTH);
  return { ...change, id, picked, parent: change.id };
}
