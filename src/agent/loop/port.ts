/** The interface between the agent service and the model loop, which never writes a file, keeps no record and decides nothing. */
import type { Result } from '../../lib/result.ts';
import type {
  AgentEventInput,
  AgentLimits,
  AgentMode,
  ChatMessage,
  ContextRow,
  EditFault,
  JobError,
  ProposedEdit,
} from '../../protocol/agent.ts';

export interface LoopInput {
  readonly jobId: string;
  readonly sessionId: string;
  /** The project folder; absolute, without links. */
  readonly root: string;
  readonly instruction: string;
  readonly contextRows: readonly ContextRow[];
  /** What was said in the session before this job, oldest first. */
  readonly chat: readonly ChatMessage[];
  readonly limits: AgentLimits;
  readonly mode: AgentMode;
  readonly confirmBeforeEdits: boolean;
}

/** The project as the user sees it: files with unsaved proposals or edits, read instead of the disk. Paths are relative to the root. */
export interface WorkingBuffers {
  /** The bytes; null when the file is deleted there; undefined when the disk has the file as it is. */
  read(path: string): Uint8Array | null | undefined;
  paths(): readonly string[];
  /** Files that have changed on disk while a proposal for them waits: nothing can be proposed for these. */
  readonly conflicts: ReadonlySet<string>;
}

export interface LoopDeps {
  /** Keeps the event and tells everyone; types of the loop: `tool.call.*`, `provider.*`, `message.completed`, `edits.refused`. */
  readonly emit: (event: AgentEventInput) => void;
  /** A piece of a message while it streams; nobody keeps it. */
  readonly delta: (text: string) => void;
  /** Waits for the user without limit; `NO_USER_ANSWER` when skipped. `options` are offered. Rejects only when `signal` aborts. */
  readonly askUser: (question: string, options?: readonly string[]) => Promise<string>;
  readonly buffers: WorkingBuffers;
  /** Composes the edits against the files as they are now, writing nothing. The loop tells the model each fault and lets it try again. */
  readonly check: (edits: readonly ProposedEdit[]) => Promise<readonly EditFault[]>;
  /** The job was cancelled, or the host closes: return at once. */
  readonly signal: AbortSignal;
}

/** How a run ended well. */
export interface LoopOutcome {
  /** Every hash filled in; empty when the model only answered. */
  readonly edits: readonly ProposedEdit[];
  /** What the model said at the end. */
  readonly message: string;
}

/** Runs one job to the end. Throws for a defect only. */
export type RunLoop = (input: LoopInput, deps: LoopDeps) => Promise<Result<LoopOutcome, JobError>>;
