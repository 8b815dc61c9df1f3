/** The port to AI CLIs' session files, with one reader per CLI. Readers never write, lock or keep files open. */
import type { CliId } from '../../protocol/cli-id.ts';
import type { AskedCall } from '../../protocol/dialog.ts';
import type { AiState } from '../../protocol/pane.ts';
import type { Turn } from '../../protocol/turn.ts';
import type { TurnFacts } from './tool-facts.ts';

/** Where to look: facts about the pane, gathered by the caller. */
export interface TranscriptPlace {
  /** Working folder of the AI CLI's process (not of the pane's shell). */
  readonly cwd: string;
  readonly pid: number | null;
  /** When the AI CLI was started, ms since the epoch; null or left out when it is not known. */
  readonly startedAt?: number | null;
  /** Pids of the same AI CLI in other panes, whose sessions are not this pane's; left out when none is known. */
  readonly others?: readonly number[];
  /** How many sessions `find` gives at most; left out: as many as one pane may need. */
  readonly limit?: number;
  /** Environment of the AI CLI, or ours when it cannot be read: HOME, CLAUDE_CONFIG_DIR, CODEX_HOME, XDG_DATA_HOME … */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * How a file was tied to a pane. `screen`: its newest turn stands on the pane's screen. `folder` = "newest file of this
 * folder": shown with a warning. `older`: the session began before the pane's program did, or another pane's
 * program writes it, so it is another one's until the screen or a text that was sent says that it was resumed here.
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
  /** ms since the epoch of the last change; candidates come newest first. */
  readonly modifiedAt: number;
  /** When the session began, ms since the epoch; left out when it is not known. */
  readonly bornAt?: number;
}

/** One consistent reading of a session. */
export interface TranscriptSnapshot {
  /** Oldest first, the newest ones of the session. Rewinds and compaction already followed. */
  readonly turns: readonly Turn[];
  /** `turns` begins with the session's first turn; false: older ones exist, `read({ turns })` reaches for them. */
  readonly complete: boolean;
  readonly state: AiState;
  /** Prompts that the CLI holds for later, oldest first (Claude's `queue-operation`). */
  readonly queued: readonly string[];
  /** Calls without a result, oldest first: what an open dialog may be about. */
  readonly asked: readonly AskedCall[];
  /** What could not be understood, for `doctor`: unknown record types, corrupt lines. Bounded. */
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
  /** Why the last `read` gave null, for `doctor`; null after a good one. */
  failure(): string | null;
  /** Other files whose changes affect `read`, as of the last `read`. */
  beside?(): readonly string[];
}

export interface TranscriptOpenOptions {
  /** Also keep facts about tools, which takes memory for the texts of edits. */
  readonly withTools?: boolean;
}

export interface TranscriptReader {
  readonly cli: CliId;
  /** Candidate sessions for this place, newest first, bounded. */
  find(place: TranscriptPlace): Promise<readonly TranscriptRef[]>;
  /** Why `find` may miss sessions of this place, for `doctor`; null: no known reason. */
  trouble?(place: TranscriptPlace): Promise<string | null>;
  open(ref: TranscriptRef, options?: TranscriptOpenOptions): TranscriptSession;
}
