/** What a patch says: files, hunks, modes, binary parts. Bodies stay in the patch's bytes, found by offset. */
import type { ByteString } from './bytes.ts';

/** `a/f` of git's header as mode bits; the upper ones say which type. */
export const MODE_SYMLINK = 0o120000;
export const MODE_FILE = 0o100644;
export const MODE_EXECUTABLE = 0o100755;
export const MODE_GITLINK = 0o160000;
export const MODE_TYPE_MASK = 0o170000;

export interface PatchHunk {
  /** First old line, counted from 1 as in the header (for an insertion into nothing: the line before). Null when the header names no place. */
  readonly oldStart: number | null;
  readonly oldCount: number;
  readonly newStart: number | null;
  readonly newCount: number;
  /** Its header in the patch's bytes; a body that was written again stands elsewhere. */
  readonly headerStart: number;
  /** The body in the patch's bytes: whole lines, markers included. */
  readonly bodyStart: number;
  readonly bodyEnd: number;
  /** Lines of the body, markers of a missing line end among them. */
  readonly lines: number;
  /** Which line of the patch, from 0, is the first of the body; -1 where that is not known. */
  readonly firstLine: number;
  /** The header's counts were wrong and have been taken from the lines. */
  readonly recounted: boolean;
}

/** One direction of git's binary patch; the payload is base85-decoded, still deflated. */
export interface BinaryPart {
  readonly kind: 'literal' | 'delta';
  readonly size: number;
  readonly deflated: Uint8Array;
}

export type BinaryPatch =
  /** `Binary files … differ`: the bytes are not in the patch. */
  { readonly kind: 'absent' } | { readonly kind: 'present'; readonly forward: BinaryPart };

export interface FilePatch {
  readonly operation: 'modify' | 'create' | 'delete' | 'rename' | 'copy';
  /** Null where there is no file on that side. */
  readonly oldPath: ByteString | null;
  readonly newPath: ByteString | null;
  readonly oldMode: number | null;
  readonly newMode: number | null;
  /** Hex, maybe abbreviated, of the blobs that git names in `index`. */
  readonly oldBlob: string | null;
  readonly newBlob: string | null;
  readonly hunks: readonly PatchHunk[];
  readonly binary: BinaryPatch | null;
}

export interface Patch {
  /** The text that the offsets refer to: the input without colours, ending in LF. */
  readonly bytes: Uint8Array;
  readonly lineStarts: Uint32Array;
  readonly files: readonly FilePatch[];
  /** The corrections, in words: recounted hunks, removed colours. */
  readonly notes: readonly string[];
}

/** A larger patch is not taken. */
export const PATCH_MAX_BYTES = 32 * 1024 * 1024;
/** A patch of more lines is not taken. */
export const PATCH_MAX_LINES = 1_000_000;
/** A patch that names more files is not taken. */
export const PATCH_MAX_FILES = 10_000;
/** A patch with more hunks is not taken: nobody reviews so many, and placing each takes its time. */
export const PATCH_MAX_HUNKS = 10_000;
/** Bytes of a name in a header: two paths of the length that Linux takes, each byte in octal. */
export const HEADER_MAX_BYTES = 40 * 1024;
/** A line number beyond this is a mistake or an attack; it fits every 32-bit index. */
export const LINE_NUMBER_MAX = 0x7fffffff;
