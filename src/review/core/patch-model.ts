/** A patch's content: files, hunks, modes, binary parts. Bodies stay in the patch's bytes, referenced by offset. */
import type { ByteString } from './bytes.ts';

/** Mode bits of a file in git's header. The upper ones are the type. */
export const MODE_SYMLINK = 0o120000;
export const MODE_FILE = 0o100644;
export const MODE_EXECUTABLE = 0o100755;
export const MODE_GITLINK = 0o160000;
export const MODE_TYPE_MASK = 0o170000;

export interface PatchHunk {
  /** First old line, from 1 (for an insertion into nothing: the line before). Null if the header has no number. */
  readonly oldStart: number | null;
  readonly oldCount: number;
  readonly newStart: number | null;
  readonly newCount: number;
  /** The header's offset in the patch; a rewritten body is elsewhere. */
  readonly headerStart: number;
  /** The body in the patch's bytes: whole lines, markers included. */
  readonly bodyStart: number;
  readonly bodyEnd: number;
  /** Lines of the body, including markers of a missing line end. */
  readonly lines: number;
  /** The patch line, from 0, of the body's first line; -1 if unknown. */
  readonly firstLine: number;
  /** The header's counts were wrong and were replaced by those of the lines. */
  readonly recounted: boolean;
}

/** One direction of a git binary patch, with a base85-decoded, still deflated payload. */
export interface BinaryPart {
  readonly kind: 'literal' | 'delta';
  readonly size: number;
  readonly deflated: Uint8Array;
}

export type BinaryPatch =
  /** `Binary files … differ`: the patch does not have the bytes. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'present'; readonly forward: BinaryPart; readonly reverse: BinaryPart | null };

export interface FilePatch {
  readonly operation: 'modify' | 'create' | 'delete' | 'rename' | 'copy';
  /** Null if that side has no file. */
  readonly oldPath: ByteString | null;
  readonly newPath: ByteString | null;
  readonly oldMode: number | null;
  readonly newMode: number | null;
  /** Hex names, perhaps abbreviated, of the blobs in git's `index` line. */
  readonly oldBlob: string | null;
  readonly newBlob: string | null;
  readonly hunks: readonly PatchHunk[];
  readonly binary: BinaryPatch | null;
}

export interface Patch {
  /** The text that the offsets refer to: the input without colours, with a final LF. */
  readonly bytes: Uint8Array;
  readonly lineStarts: Uint32Array;
  readonly files: readonly FilePatch[];
  /** The corrections in words: recounted hunks, removed colours. */
  readonly notes: readonly string[];
}

/** A larger patch is refused. */
export const PATCH_MAX_BYTES = 32 * 1024 * 1024;
/** A patch with more lines is refused. */
export const PATCH_MAX_LINES = 1_000_000;
/** A patch with more files is refused. */
export const PATCH_MAX_FILES = 10_000;
/** A patch with more hunks is refused: nobody reviews so many, and placing each takes time. */
export const PATCH_MAX_HUNKS = 10_000;
/** Bytes of a header's names: two paths of Linux's maximum length, each byte in octal. */
export const HEADER_MAX_BYTES = 40 * 1024;
/** A higher line number is a mistake or an attack; this one fits every 32-bit index. */
export const LINE_NUMBER_MAX = 0x7fffffff;
