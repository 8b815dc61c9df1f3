/** The port to AI CLIs' session files, with one reader per CLI. Readers never write, lock or keep files open. */
import type { CliId } from '../../protocol/cli-id.ts';
import type { AskedCall } from '../../protocol/dialog.ts';
import type { AiState } from '../../protocol/pane.ts';
import type { Turn } from '../../protocol/turn.ts';
import type { TurnFacts } from './tool-facts.ts';

/** Where to look: facts about the pane, collected by the caller. */
export interface TranscriptPlace {
  /** Working folder of the AI CLI's process (not of the pane's shell). */
  readonly cwd: string;
  readonly pid: number | null;
  /** When the AI CLI started, ms since the epoch; null or omitted if unknown. */
  readonly startedAt?: number | null;
  /** Pids of the same AI CLI in other panes, whose sessions are not this pane's; omitted if there are none. */
  readonly others?: readonly number[];
  /** The most sessions that `find` returns; omitted: as many as one pane may need. */
  readonly limit?: number;
  /** Environment of the AI CLI, or ours if it cannot be read: HOME, CLAUDE_CONFIG_DIR, CODEX_HOME, XDG_DATA_HOME … */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * How a file was matched to a pane. `screen`: its newest turn is on the pane's screen. `folder`: it is the newest file
 * of this folder, shown with a warning. `older`: the session began before the pane's program, or another pane's program
 * writes it, so it belongs to another pane until the screen or a sent text shows that it was resumed here.
 */
export type TranscriptTie = 'hook' | 'pid' | 'sent-text' | 'screen' | 'folder' | 'older';

export interface HookSession {
  readonly sessionId: string;
  /** Its file; null if the CLI does not report it. */
  readonly path: string | null;
}

/** `modifiedAt` of a session without messages, which has no file yet. */
export const NOT_WRITTEN_YET = 0;

/** One session file (or, for a database, one session in it). */
export interface TranscriptRef {
  readonly cli: CliId;
  readonly path: string;
  readonly sessionId: string;
  readonly tie: TranscriptTie;
  /** When it last changed, ms since the epoch; candidates are sorted newest first. */
  readonly modifiedAt: number;
  /** When the session began, ms since the epoch; omitted if unknown. */
  readonly bornAt?: number;
  /** The process that writes it; omitted if unknown. */
  readonly pid?: number;
  /** Another running program may write it, too: its newest turns may not be this pane's. */
  readonly isShared?: boolean;
}

/** One consistent reading of a session. */
export interface TranscriptSnapshot {
  /** The newest turns of the session, oldest first, after rewinds and compaction. */
  readonly turns: readonly Turn[];
  /** `turns` begins with the session's first turn. False: `read({ turns })` can get older ones. */
  readonly complete: boolean;
  readonly state: AiState;
  /** Prompts that the CLI holds for later, oldest first (Claude's `queue-operation`). */
  readonly queued: readonly string[];
  /** Calls without a result, oldest first; an open dialog may be about one of them. */
  readonly asked: readonly AskedCall[];
  /** What could not be parsed, for `doctor`: unknown record types, corrupt lines. Bounded. */
  readonly problems: readonly string[];
  /** What tools did in each turn; empty unless the session was opened `withTools`. */
  readonly facts: TurnFacts;
}

/** How far back a read must reach. */
export interface TranscriptReadOptions {
  /** At least this many of the newest turns, if the session has them (default 1). */
  readonly turns?: number;
}

/** Reads one session repeatedly; each `read` costs only the new bytes. */
export interface TranscriptSession {
  readonly ref: TranscriptRef;
  /** The current session; null if the file is gone or unreadable. The same object means no change. */
  read(options?: TranscriptReadOptions): Promise<TranscriptSnapshot | null>;
  /** Why the last `read` returned null, for `doctor`; null after a successful one. */
  failure(): string | null;
  /** The branches of the conversation as of the last `read`, newest first: two programs may each continue it. */
  branches?(): readonly (readonly Turn[])[];
  /** Other files whose changes affect `read`, as of the last `read`. */
  sideFiles?(): readonly string[];
}

export interface TranscriptOpenOptions {
  /** Also keep facts about tools, which takes memory for the texts of edits. */
  readonly withTools?: boolean;
}

export interface TranscriptReader {
  readonly cli: CliId;
  /** Candidate sessions for this place, newest first, bounded. */
  find(place: TranscriptPlace): Promise<readonly TranscriptRef[]>;
  /** Why `find` may miss sessions of this place, for `doctor`; null if no reason is known. */
  trouble?(place: TranscriptPlace): Promise<string | null>;
  open(ref: TranscriptRef, options?: TranscriptOpenOptions): TranscriptSession;
}
