/** The interface between the agent service and the model loop, which writes no file and keeps no record. */
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
  /** The project folder; absolute, without links. */
  readonly root: string;
  readonly instruction: string;
  readonly contextRows: readonly ContextRow[];
  /** The messages of the session before this job, oldest first. */
  readonly chat: readonly ChatMessage[];
  readonly limits: AgentLimits;
  readonly mode: AgentMode;
  readonly confirmBeforeEdits: boolean;
}

/** The user's view of the project: files with unsaved changes are read from here. Paths are relative to the root. */
export interface WorkingBuffers {
  /** The bytes; null if the file is deleted there; undefined if the disk has the same. */
  read(path: string): Uint8Array | null | undefined;
  paths(): readonly string[];
  /** Files that changed on disk while a proposal for them waits: nothing can be proposed for these. */
  readonly conflicts: ReadonlySet<string>;
}

export interface LoopDeps {
  /** Stores and announces the event. Types: `tool.call.*`, `provider.*`, `message.completed`, `edits.refused`. */
  readonly emit: (event: AgentEventInput) => void;
  /** A piece of a message while it streams; not stored. */
  readonly delta: (text: string) => void;
  /** Waits for the user without limit; `NO_USER_ANSWER` if skipped. Offers `options`. Rejects if `signal` aborts. */
  readonly askUser: (question: string, options?: readonly string[]) => Promise<string>;
  readonly buffers: WorkingBuffers;
  /** Composes the edits against the current files, writing nothing. The model learns each fault and may retry. */
  readonly check: (edits: readonly ProposedEdit[]) => Promise<readonly EditFault[]>;
  /** The job was cancelled, or the host is closing: return at once. */
  readonly signal: AbortSignal;
}

/** The result of a successful run. */
export interface LoopOutcome {
  /** With all hashes; empty if the model only answered. */
  readonly edits: readonly ProposedEdit[];
  /** The model's final message. */
  readonly message: string;
}

/** Runs one job to the end. Throws only for a defect. */
export type RunLoop = (input: LoopInput, deps: LoopDeps) => Promise<Result<LoopOutcome, JobError>>;
