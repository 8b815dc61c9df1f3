/** The stored data of a review, and the port to its store. Bytes are base64, names have one character per byte. */

import type { Result } from '../../lib/result.ts';
import type { Sync } from '../../protocol/intent.ts';
import type { Report } from '../../protocol/report.ts';
import type { DecisionEntry, LineRange, SuggestionSummary } from '../../protocol/review.ts';
import type { TurnRange } from '../../protocol/turn-range.ts';
import type { ChangeState, FileImage } from '../core/file-state.ts';
import type { InterruptedWrite } from '../files/interrupted-write.ts';
import type { Taken } from '../vcs/stage-accepted.ts';

export interface StoredSuggestion {
  readonly id: string;
  readonly createdAt: number;
  readonly description: string;
  /** Absolute, no links. */
  readonly target: string;
  /** For people. */
  readonly source: string;
  /** The patch's bytes, by SHA-256. */
  readonly patch: string;
  readonly notes: readonly string[];
  readonly authorNotes: Readonly<Record<string, string>>;
  /** Ids of hunks that perhaps the author did not make. Omitted: none. */
  readonly unsure?: Readonly<Record<string, true>>;
  readonly inPlace: boolean;
  /** When decisions are written to disk. Omitted: immediately. */
  readonly write?: 'immediate' | 'on-save';
  /** In place: stage accepted changes regardless of the settings. Omitted: no. */
  readonly stage?: boolean;
  /** The top folder of its sandbox, where decisions are repeated; null or omitted: none. */
  readonly sandbox?: string | null;
  /** The user's request; a review of the same replaces this one. Null or omitted: repeats are not recognized. */
  readonly asked?: string | null;
  /** The review that it replaced. */
  readonly replaces?: string;
  /** The review of another scope of the same work that it replaced. */
  readonly scopeOf?: string;
  /** How often it was published. Omitted: once. */
  readonly version?: number;
  /** The version that added a hunk, by hunk id. Omitted: the first. */
  readonly arrived?: Readonly<Record<string, number>>;
  /** The reviewer has decided or commented since it began or grew. Omitted: no. */
  readonly acted?: true;
  /** The ids of all hunks at the reviewer's last action, by SHA-256. Omitted: no action yet. */
  readonly round?: string;
  /** Its author; null or omitted: the user's own programs. */
  readonly author?: string | null;
  /** Contents of binary files by position: SHA-256 of each side, or why there is none. */
  readonly binaries: Readonly<Record<string, StoredBinary>>;
  /** Patch positions of the selected files; null: all. The positions below count these. */
  readonly selected: readonly number[] | null;
  /** Positions of missing files that the patch adds lines to, and so creates. */
  readonly created: readonly number[];
  /** Positions of files that have CRLF line ends in the target. */
  readonly crlf: readonly number[];
  /** The concatenated ids of all its changes, by SHA-256; null or omitted: computed. */
  readonly ids?: string | null;
  /** The turns that made its changes. Omitted: none. */
  readonly turns?: TurnRange;
  readonly end: 'finalized' | 'discarded' | null;
  /** What was done with accepted changes. Omitted: no choice was made. */
  readonly sync?: Sync;
  readonly revision: number;
  /** As of its last look, so that a list need not read every target. */
  readonly hunkCount: number;
  readonly decidedCount: number;
  readonly files: readonly string[];
  /** Files that the repository's attributes call generated or not. Omitted: their names decide. */
  readonly generated?: Readonly<Record<string, boolean>>;
}

/** Whether it is unknown if the author made this change, or the hunk that it is part of. */
export const isUnsure = (
  { unsure }: Pick<StoredSuggestion, 'unsure'>,
  { id, parent }: { readonly id: string; readonly parent: string | null },
) => unsure?.[parent ?? id] === true;

export type StoredBinary =
  | {
      readonly old: string | null;
      readonly new: string | null;
      /** It came without lines but is decided by lines. Omitted: as a whole. */
      readonly byLines?: true;
    }
  | { readonly problem: string };

/** `[start, end, order, text]` */
export type StoredPiece = readonly [number, number, number, string];

export interface StoredFile {
  /** The target's file without our changes; null while it equals the disk's, or if there is none (`absent`). */
  readonly base: {
    readonly blob: string;
    readonly path: string;
    readonly type: FileImage['type'];
    readonly executable: boolean;
  } | null;
  readonly absent: boolean;
  /** SHA-256 of the text that the patch was made from; null if unknown. */
  readonly origin: string | null;
  readonly unmoved: boolean;
  readonly parts: readonly (readonly [string, readonly (readonly number[])[]])[];
  /** Changes whose target differs: taken out by hand (`open`), or there undecided (`done`). Omitted: none. */
  readonly seen?: Readonly<Record<string, 'open' | 'done'>>;
  /** Its staged content is not on disk: decisions leave the disk alone. Omitted: it is. */
  readonly indexOnly?: true;
}

/** A comment on the whole hunk is only its text. The author's replies follow the comment that they answer. */
export type StoredComment =
  | string
  | {
      readonly text: string;
      readonly lines: LineRange | null;
      /** The old lines, if not all are in the hunk, which never changes. Without `lines`, they are gone. */
      readonly quote?: string;
      readonly by?: 'author';
    };

export interface StoredChange extends Omit<ChangeState, 'pieces' | 'modified'> {
  readonly id: string;
  readonly file: number;
  readonly pieces: readonly StoredPiece[] | null;
  readonly modified: readonly StoredPiece[] | null;
  readonly comments: readonly StoredComment[];
  /** How accepting it changed the index. Omitted: nothing was staged. */
  readonly staged?: Taken;
  /** How rejecting it changed the index. Omitted: not at all. */
  readonly unstaged?: Taken;
}

/** A change to be stored. It is serialized before the transaction, which must be short. */
export interface ChangeRow {
  readonly id: string;
  readonly json: string;
}

/** A write that has begun, and the records that hold once it is done. */
export interface StoredIntent {
  readonly id: string;
  readonly suggestion: string;
  readonly file: number;
  readonly write: StoredWrite;
  readonly after: { readonly file: StoredFile; readonly changes: readonly StoredChange[] };
}

export interface StoredWrite extends InterruptedWrite {
  readonly inPlace: { readonly oldBlob: string; readonly newBlob: string } | null;
}

/** The operations of one transaction. */
export interface ReviewWriter {
  putSuggestion(suggestion: StoredSuggestion): void;
  putFile(suggestion: string, position: number, file: StoredFile): void;
  putChanges(suggestion: string, changes: readonly ChangeRow[]): void;
  /** Deletes changes that no longer exist: parts of a hunk that was split again or joined. */
  dropChanges(suggestion: string, ids: readonly string[]): void;
  /** Deletes its files and changes, to be replaced by others. */
  dropContent(suggestion: string): void;
  putIntent(intent: StoredIntent): void;
  dropIntent(id: string): void;
  /** Tells every client, after the commit. */
  published(summary: SuggestionSummary): void;
  changed(summary: SuggestionSummary, decisions: readonly DecisionEntry[]): void;
  /** A decision on a suggestion other than these wrote files of their target. */
  touched(target: string, files: readonly string[], suggestions: readonly StoredSuggestion[]): void;
  /** Reports what went wrong beside a decision, or what it led to. */
  reported(report: Report): void;
}

export interface ReviewRecords {
  suggestion(id: string): StoredSuggestion | null;
  /** Newest first. */
  suggestions(): readonly StoredSuggestion[];
  /** The same without finished ones. */
  openSuggestions(): readonly StoredSuggestion[];
  files(suggestion: string): readonly StoredFile[];
  changes(suggestion: string): readonly StoredChange[];
  acceptedFiles(suggestion: string): readonly number[];
  intents(): readonly StoredIntent[];
  /** One transaction. `ordered`: after a power cut, what is on disk would lead to it again. */
  write<T>(change: (writer: ReviewWriter) => Result<T>, commit?: 'synced' | 'ordered'): Result<T>;
}

/** Bytes by their SHA-256. */
export interface Blobs {
  put(bytes: Uint8Array): Promise<Result<string>>;
  get(hash: string): Promise<Result<Uint8Array>>;
}
