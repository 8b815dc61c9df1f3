/** The edits of a turn in the AI CLI's session file (*recorded*): bytes where proven, else marked as normalised. */
import type { ByteString } from '../../review/core/bytes.ts';

/** A larger text is not kept; `lost` says so. */
export const FILE_TEXT_MAX_BYTES = 8 * 1024 * 1024;

/** One side of a file. `bytes`: exactly what was on disk. `text`: exact, but with every line end as LF. */
export type FileText = { readonly bytes: Uint8Array } | { readonly text: string; readonly normalised: true };

/** One hunk with line numbers, as in a unified diff. */
export interface EditHunk {
  /** First old line, counted from 1; for a hunk without old lines, the line before it. */
  readonly oldStart: number;
  readonly newStart: number;
  /** A marker (space, `-`, `+`), then the line's bytes with its line end. Only the last line may have no line end. */
  readonly lines: readonly ByteString[];
}

/** Why part of an edit is unknown. `LOST_WORDS` has a sentence for each. */
export type LostReason =
  /** The program keeps no text of this kind of edit. */
  | 'not-recorded'
  /** The program leaves out texts beyond its own size limit. */
  | 'too-large'
  /** The file was overwritten or did not exist: the program records both in the same way. */
  | 'before-not-recorded'
  /** What the program kept beside its session (trees, backups, commits) has been removed since. */
  | 'removed'
  /** The program never committed this edit, and only a commit is exact. */
  | 'not-committed'
  /** The program simplifies the text before it records the diff, so the diff may differ from what is on disk. */
  | 'loose'
  /** The session ended, or was killed, before the program recorded the result of the call. */
  | 'no-result';

/** What a tool was asked to replace, and with what; with `isAll` everywhere. */
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
  /** Absent for an added file, and if there is a `patch` or it is `lost`. */
  readonly before?: FileText;
  /** Absent for a deleted file, and if there is a `patch` or it is `lost`. */
  readonly after?: FileText;
  /** The hunks without the rest of the file, if only the changed lines are exact. */
  readonly patch?: readonly EditHunk[];
  /** In bytes, in order. Left out if the sides or the patch prove what the tool itself wrote. */
  readonly asked?: readonly Asked[];
  /** Increases within the turn, in the order of the edits. */
  readonly order: number;
  /** When it was finished, ms since the epoch; null if the record has no times. */
  readonly at: number | null;
  /** When the AI asked for it; the edit was made between the two times. Left out or null if the record does not say. */
  readonly calledAt?: number | null;
  /** Only `applied` edits changed a file. `unknown`: no result was recorded. */
  readonly outcome: 'applied' | 'refused' | 'failed' | 'unknown';
  /**
   * `tool`: the record of the tool call. `subagent`: the same, by a sub-agent of the turn. `step-tree`: the trees that
   * the program stored before and after a step. `commit`: the program's own commit.
   */
  readonly source: 'tool' | 'subagent' | 'step-tree' | 'commit';
  /** The author: an edit tool or a command of the AI. `unknown`: it changed in the step, and no record explains it. */
  readonly by: 'tool' | 'command' | 'unknown';
  /** `normalised`: the record has LF instead of the file's own line ends. */
  readonly lineEnds: 'exact' | 'normalised';
  /** Why a side is unknown. */
  readonly lost?: LostReason;
}

/** A shell command of the turn. No session file has its changes; only snapshots do. */
export interface TurnCommand {
  /** As the AI wrote it. */
  readonly command: string;
  /** Absolute; null if the record does not say. */
  readonly cwd: string | null;
  /** ms since the epoch; null if the record has no times. */
  readonly at: number | null;
  /** When it ended, ms since the epoch; null or left out if the record does not say. */
  readonly endedAt?: number | null;
  /** Null if it is not recorded, or if the command was stopped. */
  readonly exit: number | null;
  readonly callId?: string;
  /** Its place among the edits: the command ran before every edit with a higher order. */
  readonly order: number;
  readonly outcome: 'applied' | 'refused' | 'failed' | 'unknown';
  /** When its turn began, ms since the epoch; null or left out if the record does not say. */
  readonly turnAt?: number | null;
}

/** What one turn did to files, according to the session file. */
export interface RecordedTurn {
  /** The turn's id in the transcript (`Turn.id`). */
  readonly turnId: string;
  /** When it began, ms since the epoch; null or left out if the record does not say. */
  readonly startedAt?: number | null;
  readonly edits: readonly TurnEdit[];
  readonly commands: readonly TurnCommand[];
  /** The user stopped it; edits made until then remain. */
  readonly interrupted: boolean;
  /** The user rewound the conversation to before this turn. Whether its files were restored is not recorded. */
  readonly rewound: boolean;
}

/** Two edits of one file whose texts do not match, for example because somebody changed it in between. */
export interface ChainBreak {
  /** The edit after the gap. */
  readonly order: number;
  /** `changed`: both texts are known and differ. `unknown`: a text of an earlier edit is unknown. */
  readonly why: 'changed' | 'unknown';
}

/** All applied edits of one file, oldest first. */
export interface FileChain {
  readonly path: string;
  /** The file's first path, if it was renamed. */
  readonly movedFrom?: string;
  /** From before the first edit to after the last; null if the file was added and deleted again. */
  readonly kind: TurnEdit['kind'] | null;
  /** The text before the first edit; absent if there was no file or it is unknown. */
  readonly before?: FileText;
  /** The text after the last edit; absent if the file is deleted or it is unknown. */
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
  /** Whole texts, if known: `before` with `hunks` gives `after`. */
  readonly before?: FileText;
  readonly after?: FileText;
  /** As in git, before and after; 0 for no file. Left out: the session file does not say. */
  readonly modes?: readonly [before: number, after: number];
  /** Empty for a binary file, and if no line is known. */
  readonly hunks: readonly ChangeHunk[];
  /** Who changed the mode or the content as a whole. Left out: only lines changed, and no mode is known. */
  readonly wholeBy?: readonly HunkOrigin[];
  /** The hunks are what changed on disk, byte for byte. */
  readonly exact: boolean;
  /** Why it is not exact; a sentence for users. */
  readonly why?: string;
  readonly binary: boolean;
}

export interface TurnChanges {
  /** By path. */
  readonly files: readonly FileChange[];
  /** Lines over all files. */
  readonly added: number;
  readonly removed: number;
  readonly sources: readonly (TurnEdit['source'] | 'snapshot')[];
  /** Why the changes, or some of them, are unknown; a sentence for users. */
  readonly unknown?: string;
}

export const LOST_WORDS: Readonly<Record<LostReason, string>> = {
  'not-recorded': 'the session file keeps no text of this edit',
  'too-large': 'the session file leaves out texts of this size',
  'before-not-recorded': 'the session file does not say what the file held before, or whether it was there',
  removed: 'the copy that the AI CLI kept of it has been removed since',
  'not-committed': 'the AI CLI committed nothing, and only its commits hold exact texts',
  loose: 'the AI CLI writes the diff down in a loosened form',
  'no-result': 'the session ended before the result of this edit was written down',
};
