/**
 * What the edits of a turn are, as an AI CLI's own session file tells them (*recorded*). Texts are bytes where the file
 * proves them; where a program normalises line ends before it writes them down, the text says so.
 */
import type { ByteString } from '../../review/core/bytes.ts';

/** A larger text of one side is not kept: `lost` says so. */
export const FILE_TEXT_MAX_BYTES = 8 * 1024 * 1024;

/**
 * One side of a file. `bytes`: exactly what was on disk. `text`: every line end stands as LF, whatever was on disk; the
 * rest is exact.
 */
export type FileText = { readonly bytes: Uint8Array } | { readonly text: string; readonly normalised: true };

/** One hunk with line numbers, as in a unified diff. */
export interface EditHunk {
  /** First old line, counted from 1; for a hunk without old lines, the line before it. */
  readonly oldStart: number;
  /** The same on the new side. */
  readonly newStart: number;
  /** A marker (blank, `-`, `+`), then the line's bytes with its line end. Only a last line may have no line end. */
  readonly lines: readonly ByteString[];
}

/** Why a part of an edit is not known. A sentence for people goes with each, see `LOST_WORDS`. */
export type LostReason =
  /** The program keeps no text of this kind of edit. */
  | 'not-recorded'
  /** The program leaves out texts beyond a size of its own. */
  | 'too-large'
  /** The file before was overwritten, or not there: the program writes both down the same way. */
  | 'before-not-recorded'
  /** What the program kept beside its session (trees, backups, commits) has been removed since. */
  | 'removed'
  /** The program never committed this edit, and only a commit is exact. */
  | 'not-committed'
  /** The program loosens the text before it writes the diff down: the diff may not be what is on disk. */
  | 'loose'
  /** The session ended, or was killed, before the program wrote down what came of the call. */
  | 'no-result';

/** What a tool was asked to put in the place of what; with `isAll` in every place. */
export interface Asked {
  readonly old: string;
  readonly put: string;
  readonly isAll?: boolean;
}

/** One edit of one file, by a tool call or by a step of the AI CLI. */
export interface TurnEdit {
  /** Absolute. Of a rename: the new name. */
  readonly path: string;
  readonly kind: 'add' | 'edit' | 'delete' | 'rename';
  /** Of a rename: the old name, absolute. */
  readonly movedFrom?: string;
  /** Absent for an added file, and wherever `lost` or a `patch` stands in its place. */
  readonly before?: FileText;
  /** Absent for a deleted file, and wherever `lost` or a `patch` stands in its place. */
  readonly after?: FileText;
  /** Where only the changed lines are exact: the hunks, without the rest of the file. */
  readonly patch?: readonly EditHunk[];
  /** In bytes, in their order. Left out where the sides or the patch prove what the tool itself wrote. */
  readonly asked?: readonly Asked[];
  readonly callId?: string;
  /** Rises over the turn, in the order in which the edits were made. */
  readonly order: number;
  /** When it had been made, ms since the epoch; null when the record has no clock. */
  readonly at: number | null;
  /** When the AI asked for it: it was made between the two. Left out or null where the record does not say. */
  readonly calledAt?: number | null;
  /** Only `applied` edits changed a file. `unknown`: no result was written down. */
  readonly outcome: 'applied' | 'refused' | 'failed' | 'unknown';
  /**
   * `tool`: the record of the tool call. `subagent`: the same, by a sub-agent of the turn. `step-tree`: the trees that
   * the program took before and after a step. `commit`: the program's own commit.
   */
  readonly source: 'tool' | 'subagent' | 'step-tree' | 'commit';
  /** What did it: an edit tool, or a command of the AI. `unknown`: changed in the step, by nothing that is recorded. */
  readonly by: 'tool' | 'command' | 'unknown';
  /** `normalised`: the record has LF in place of the file's own line ends. */
  readonly lineEnds: 'exact' | 'normalised';
  /** Why a side is not known. */
  readonly lost?: LostReason;
}

/** A shell command of the turn. What it changed is in no session file: only snapshots know it. */
export interface TurnCommand {
  /** As the AI wrote it. */
  readonly command: string;
  /** Absolute; null when the record does not say. */
  readonly cwd: string | null;
  /** ms since the epoch; null when the record has no clock. */
  readonly at: number | null;
  /** When it had ended, ms since the epoch; null or left out when the record does not say. */
  readonly endedAt?: number | null;
  /** Null when it is not recorded, or when the command was stopped. */
  readonly exit: number | null;
  readonly callId?: string;
  /** Among the edits of the turn: the command ran before every edit with a higher order. */
  readonly order: number;
  readonly outcome: 'applied' | 'refused' | 'failed' | 'unknown';
  /** When its turn began, ms since the epoch; null or left out when the record does not say. */
  readonly turnAt?: number | null;
}

/** What one turn did to files, as far as the session file knows. */
export interface RecordedTurn {
  /** Of the turn in the transcript (`Turn.id`). */
  readonly turnId: string;
  /** When it began, ms since the epoch; null or left out when the record does not say. */
  readonly startedAt?: number | null;
  readonly edits: readonly TurnEdit[];
  readonly commands: readonly TurnCommand[];
  /** The user stopped it; edits that had been made stand. */
  readonly interrupted: boolean;
  /** The user took the conversation back to before this turn. Whether its files went back too is not recorded. */
  readonly rewound: boolean;
}

/** Two edits of one file between which somebody else changed it, or whose texts do not meet. */
export interface ChainBreak {
  /** The edit behind the gap. */
  readonly order: number;
  /** `changed`: both texts are known and differ. `unknown`: a text of an edit before is not known. */
  readonly why: 'changed' | 'unknown';
}

/** All applied edits of one file, oldest first. */
export interface FileChain {
  /** Where the file ended. */
  readonly path: string;
  /** Where it began, when it was renamed. */
  readonly movedFrom?: string;
  /** From before the first edit to after the last; null when a file was added and deleted again. */
  readonly kind: TurnEdit['kind'] | null;
  /** The first text before; absent when there was no file, or when it is not known. */
  readonly before?: FileText;
  /** The last text after; absent when there is no file any more, or when it is not known. */
  readonly after?: FileText;
  readonly edits: readonly TurnEdit[];
  readonly breaks: readonly ChainBreak[];
}

/** Who changed the lines of a hunk. */
export type HunkOrigin = 'tool' | 'command' | 'yours' | 'unknown';

/** One hunk of a file's difference over a turn. */
export interface ChangeHunk extends EditHunk {
  readonly oldLines: number;
  readonly newLines: number;
  readonly origin: HunkOrigin;
}

/** The difference that a turn (or several) made to one file. */
export interface FileChange {
  readonly path: string;
  readonly movedFrom?: string;
  readonly kind: TurnEdit['kind'];
  /** Whole texts, where they are known: `before` with `hunks` gives `after`. */
  readonly before?: FileText;
  readonly after?: FileText;
  /** As git has them, before and after; 0 for no file. Left out: the session file does not say. */
  readonly modes?: readonly [before: number, after: number];
  /** Empty for a binary file, and where no line is known. */
  readonly hunks: readonly ChangeHunk[];
  /** Who changed what has no lines: the mode, or the content as a whole. Left out: what is recorded did. */
  readonly wholeBy?: readonly HunkOrigin[];
  /** The hunks are what changed on disk, byte for byte. */
  readonly exact: boolean;
  /** Why it is not exact; a sentence for people. */
  readonly why?: string;
  readonly binary: boolean;
}

/** What a turn, or several in a row, changed. */
export interface TurnChanges {
  /** By path. */
  readonly files: readonly FileChange[];
  /** Lines over all files. */
  readonly added: number;
  readonly removed: number;
  /** What the answer was made of. */
  readonly sources: readonly (TurnEdit['source'] | 'snapshot')[];
  /** Why the changes are not known, or not all of them; a sentence for people. */
  readonly unknown?: string;
}

/** A sentence for each reason. */
export const LOST_WORDS: Readonly<Record<LostReason, string>> = {
  'not-recorded': 'the session file keeps no text of this edit',
  'too-large': 'the session file leaves out texts of this size',
  'before-not-recorded': 'the session file does not say what the file held before, or whether it was there',
  removed: 'the copy that the AI CLI kept of it has been removed since',
  'not-committed': 'the AI CLI committed nothing, and only its commits hold exact texts',
  loose: 'the AI CLI writes the diff down in a loosened form',
  'no-result': 'the session ended before the result of this edit was written down',
};
