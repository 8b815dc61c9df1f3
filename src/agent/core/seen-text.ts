/** What a model last saw of each file, line by line with exact bytes: edits of unseen lines are refused. No I/O. */
import type { DraftEdit, EditFault, ProposedEdit } from '../../protocol/agent.ts';
import { concatBytes } from '../../review/core/bytes.ts';
import type { HashBytes } from '../../review/core/change.ts';
import { lineRange, lineTable } from '../../review/core/line-table.ts';

/** Some lines of a file as they were shown. */
export interface SeenRange {
  readonly path: string;
  /** From 1. */
  readonly startLine: number;
  /** Whole lines, with their line ends. */
  readonly bytes: Uint8Array;
  /** How many lines the whole file has, if known. */
  readonly lineCount?: number;
}

interface SeenFile {
  readonly lines: Map<number, Uint8Array>;
  lineCount: number | null;
}

/** An edit with its hash, or why it has none. */
export type Filled =
  | { readonly ok: true; readonly edit: ProposedEdit }
  | { readonly ok: false; readonly fault: EditFault };

export class SeenText {
  readonly #hash: HashBytes;
  readonly #files = new Map<string, SeenFile>();

  constructor(hash: HashBytes) {
    this.#hash = hash;
  }

  /** `sha256:…` over these bytes, as in results and edits. */
  hashOf(parts: readonly Uint8Array[]): string {
    return `sha256:${this.#hash(parts)}`;
  }

  /** The model was shown these lines; earlier versions of them are void. */
  saw(range: SeenRange): void {
    const file = this.#fileOf(range.path);
    const table = lineTable(range.bytes);
    if (range.lineCount !== undefined) {
      file.lineCount = range.lineCount;
      for (const line of [...file.lines.keys()]) if (line > range.lineCount) file.lines.delete(line);
    }
    for (let i = 0; i < table.count; i += 1) {
      file.lines.set(range.startLine + i, lineRange(table, i, i + 1).slice());
    }
  }

  /** The model was shown another version of the file: what it saw before is void. */
  forget(path: string): void {
    this.#files.delete(path);
  }

  /** Whether all lines of the file were shown. */
  isWhole(path: string): boolean {
    const file = this.#files.get(path);
    return file !== undefined && file.lineCount !== null && file.lines.size >= file.lineCount;
  }

  /** The edit with the hash of the lines that the model saw. A hash from the model is not used. */
  fill(edit: DraftEdit, fallbackId: string): Filled {
    const editId = edit.edit_id ?? fallbackId;
    const wanted = this.#wanted(edit);
    if ('missing' in wanted) {
      const [from, to] = wanted.missing;
      const lines = from === to ? `line ${from}` : `lines ${from}-${to}`;
      const message = `You have not seen ${lines} of ${edit.file_path}: read ${from}-${to} first, then propose the edit again.`;
      return { ok: false, fault: { edit_id: editId, code: 'unseen', message } };
    }
    return { ok: true, edit: { ...edit, edit_id: editId, expected_hash: this.hashOf([wanted.bytes]) } };
  }

  #wanted(edit: DraftEdit): { readonly bytes: Uint8Array } | { readonly missing: readonly [number, number] } {
    const file = this.#files.get(edit.file_path);
    // A file that was never read may be new: no bytes. The check tells whether it exists.
    if (file === undefined && edit.operation === 'insert' && (edit.start_line ?? 1) === 1)
      return { bytes: new Uint8Array(0) };
    if (isWholeFile(edit) && (file?.lineCount ?? null) === null) return { missing: [1, 1] };
    const [from, to] = rangeOf(edit, file?.lineCount ?? null);
    const parts: Uint8Array[] = [];
    for (let line = from; line <= to; line += 1) {
      const bytes = file?.lines.get(line);
      if (bytes === undefined) return { missing: [line, to] };
      parts.push(bytes);
    }
    return { bytes: concatBytes(parts) };
  }

  #fileOf(path: string): SeenFile {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    const file: SeenFile = { lines: new Map(), lineCount: null };
    this.#files.set(path, file);
    return file;
  }
}

const isWholeFile = ({ operation }: DraftEdit) => operation === 'delete_file' || operation === 'rename_file';

/** A range with more lines than this is checked only by its beginning. */
const RANGE_MAX_LINES = 1_000_000;

/** The lines whose bytes the hash covers. */
function rangeOf(edit: DraftEdit, lineCount: number | null): readonly [number, number] {
  const last = lineCount ?? Number.POSITIVE_INFINITY;
  const start = edit.start_line ?? 1;
  switch (edit.operation) {
    case 'delete_file':
    case 'rename_file':
      return [1, lineCount ?? 1];
    case 'insert':
      return [Math.max(1, start - 1), Math.min(start, last)];
    default:
      return [start, Math.min(edit.end_line ?? start, last, start + RANGE_MAX_LINES)];
  }
}
