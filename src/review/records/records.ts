/** What a review keeps on disk, and the port to the store that keeps it. Bytes stand as base64, names as one character a byte. */

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
  /** Absolute, without links. */
  readonly target: string;
  /** For people. */
  readonly source: string;
  /** The patch's bytes, by SHA-256. */
  readonly patch: string;
  readonly notes: readonly string[];
  readonly authorNotes: Readonly<Record<string, string>>;
  /** Hunks of which it is not known whether the author made them, by id; not kept: none. */
  readonly unsure?: Readonly<Record<string, true>>;
  readonly inPlace: boolean;
  /** When a decision reaches the disk; not kept: at once. */
  readonly write?: 'immediate' | 'on-save';
  /** In place: what is accepted is staged, whatever the settings say; not kept: it is not. */
  readonly stage?: boolean;
  /** The top folder of the sandbox that it came from, where decisions are followed; null or not kept: none. */
  readonly sandbox?: string | null;
  /** What the user asked for; a review of the same replaces it. Null or not kept: nothing that is known again. */
  readonly asked?: string | null;
  /** The review that it took the place of. */
  readonly replaces?: string;
  /** The review of another scope of the same work that it was published in place of. */
  readonly scopeOf?: string;
  /** How often it was published; not kept: once. */
  readonly version?: number;
  /** Which version brought a hunk, by its id; not kept: the first. */
  readonly arrived?: Readonly<Record<string, number>>;
  /** The reviewer has decided or said something since it began, or since it grew. Not kept: nothing. */
  readonly acted?: true;
  /** The ids of the hunks that there were when the reviewer last did something, by SHA-256; not kept: never. */
  readonly round?: string;
  /** Who offered it; null or not kept: the user's own programs. */
  readonly author?: string | null;
  /** Contents of binary files, by position: SHA-256 of each side, or why there is none. */
  readonly binaries: Readonly<Record<string, StoredBinary>>;
  /** Positions in the patch of the files that were taken; null for all. The positions below count these. */
  readonly selected: readonly number[] | null;
  /** Positions of files that the patch adds to and that are not there: it makes them. */
  readonly created: readonly number[];
  /** Positions of files whose lines stand in the target with CRLF. */
  readonly crlf: readonly number[];
  /** The ids of all its changes, one behind the other, by SHA-256; null or not kept: they are worked out. */
  readonly ids?: string | null;
  /** The turns whose changes these are; not kept: none. */
  readonly turns?: TurnRange;
  readonly end: 'finalized' | 'discarded' | null;
  /** What was done with what was accepted; not kept: nobody said. */
  readonly sync?: Sync;
  readonly revision: number;
  /** As it was last looked at: a list must not read every target. */
  readonly hunkCount: number;
  readonly decidedCount: number;
  readonly files: readonly string[];
  /** Files that the repository's attributes call generated, or not; not kept: their names tell. */
  readonly generated?: Readonly<Record<string, boolean>>;
}

/** Whether the author made this change, or the hunk that it is a part of, is not known. */
export const isUnsure = (
  { unsure }: Pick<StoredSuggestion, 'unsure'>,
  { id, parent }: { readonly id: string; readonly parent: string | null },
) => unsure?.[parent ?? id] === true;

export type StoredBinary =
  | {
      readonly old: string | null;
      readonly new: string | null;
      /** It is decided by its lines, which it came without; not kept: as a whole. */
      readonly byLines?: true;
    }
  | { readonly problem: string };

/** `[start, end, order, text]` */
export type StoredPiece = readonly [number, number, number, string];

export interface StoredFile {
  /** The target's file without our changes; null while the disk has it so, or when there is none (`absent`). */
  readonly base: {
    readonly blob: string;
    readonly path: string;
    readonly type: FileImage['type'];
    readonly executable: boolean;
  } | null;
  readonly absent: boolean;
  /** SHA-256 of the text that the patch was made from; null when that is not known. */
  readonly origin: string | null;
  readonly unmoved: boolean;
  readonly parts: readonly (readonly [string, readonly (readonly number[])[]])[];
  /** Changes that the target has otherwise than decided: taken out by hand (`open`), or there undecided (`done`). Not kept: none. */
  readonly seen?: Readonly<Record<string, 'open' | 'done'>>;
  /** What is staged of it does not stand on disk: decisions leave the disk alone. Not kept: it does. */
  readonly indexOnly?: true;
}

/** A comment on the whole hunk is its text alone. Replies of the author stand below the comment that they answer. */
export type StoredComment =
  | string
  | {
      readonly text: string;
      readonly lines: LineRange | null;
      /** The lines as they were, where not all are of the hunk, which never changes; without `lines`: they are gone. */
      readonly quote?: string;
      readonly by?: 'author';
    };

export interface StoredChange extends Omit<ChangeState, 'pieces' | 'modified'> {
  readonly id: string;
  readonly file: number;
  readonly pieces: readonly StoredPiece[] | null;
  readonly modified: readonly StoredPiece[] | null;
  readonly comments: readonly StoredComment[];
  /** It was rejected, and taken out of the index by that: what the index had. */
  readonly unstaged?: Taken;
}

/** A change on its way into the store. Its text is made before the transaction begins, which must be short. */
export interface ChangeRow {
  readonly id: string;
  readonly json: string;
}

/** A write that has begun, with what is true once it is done. */
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

/** What one transaction may do. */
export interface ReviewWriter {
  putSuggestion(suggestion: StoredSuggestion): void;
  putFile(suggestion: string, position: number, file: StoredFile): void;
  putChanges(suggestion: string, changes: readonly ChangeRow[]): void;
  /** Changes that no longer exist: parts of a hunk that was split again or joined. */
  dropChanges(suggestion: string, ids: readonly string[]): void;
  /** Its files and changes, in whose place others come. */
  dropContent(suggestion: string): void;
  putIntent(intent: StoredIntent): void;
  dropIntent(id: string): void;
  /** Tells every client; goes out after the commit. */
  published(summary: SuggestionSummary): void;
  changed(summary: SuggestionSummary, decisions: readonly DecisionEntry[]): void;
  /** Files of a target were written by a decision on another suggestion than these. */
  touched(target: string, files: readonly string[], suggestions: readonly StoredSuggestion[]): void;
  /** Tells them what went wrong beside a decision, or what it led to. */
  reported(report: Report): void;
}

export interface ReviewRecords {
  suggestion(id: string): StoredSuggestion | null;
  /** Newest first. */
  suggestions(): readonly StoredSuggestion[];
  /** The same without those that have ended. */
  openSuggestions(): readonly StoredSuggestion[];
  files(suggestion: string): readonly StoredFile[];
  changes(suggestion: string): readonly StoredChange[];
  acceptedFiles(suggestion: string): readonly number[];
  intents(): readonly StoredIntent[];
  /** One transaction. `ordered`: what stands on the disk already would lead to it again after a power cut. */
  write<T>(change: (writer: ReviewWriter) => Result<T>, commit?: 'synced' | 'ordered'): Result<T>;
}

/** Bytes by their SHA-256. */
export interface Blobs {
  put(bytes: Uint8Array): Promise<Result<string>>;
  get(hash: string): Promise<Result<Uint8Array>>;
}
