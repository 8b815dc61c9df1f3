/** What the Agent screen needs: the sessions of the followed project, the open one as it happens, and what can be asked. */
import type { Failure, Result } from '../../lib/result.ts';
import type {
  AgentEvent,
  AgentSession,
  Checkpoint,
  ContextRow,
  DiffBundle,
  RollbackMode,
} from '../../protocol/agent.ts';
import type { JobSummary, RollbackResult } from '../../protocol/commands/agent.ts';
import type { FileMapDetails } from '../../protocol/file-map.ts';

export type AgentSessionEntry = Omit<AgentSession, 'chat' | 'context_rows'>;

/** Everything that the Agent screen shows. A new object for every change; unchanged parts keep their identity. */
export interface AgentView {
  /** Of the followed pane's project, the last used first. */
  readonly sessions: readonly AgentSessionEntry[];
  /** The followed session; null before it is read and while none is followed. */
  readonly open: AgentSession | null;
  /** Of the open session, oldest first. */
  readonly jobs: readonly JobSummary[];
  /** What happened in each of these jobs, in order. */
  readonly events: ReadonlyMap<string, readonly AgentEvent[]>;
  /** The text that the model is streaming; it is not stored. */
  readonly stream: { readonly job: string; readonly text: string } | null;
  /** Of the open session, newest first. */
  readonly checkpoints: readonly Checkpoint[];
  /** Why there is nothing to show, or why it may be outdated. */
  readonly problem: Failure | null;
  /** Why a job could not run at all: no model is configured; null when one is. */
  readonly notReady: NotReady | null;
  readonly isLooking: boolean;
}

/** Why no job could run, and the AI CLI on this machine that could be the agent at once. */
export interface NotReady extends Failure {
  readonly offer?: string;
}

export type AgentAct =
  /** Without a session one is begun. */
  | {
      readonly kind: 'run';
      readonly session: string | null;
      readonly instruction: string;
      readonly confirmBeforeEdits: boolean;
    }
  /** `answer` null: the question is skipped. */
  | {
      readonly kind: 'answer';
      readonly job: string;
      readonly question: string;
      readonly answer: string | null;
    }
  | { readonly kind: 'cancel' | 'rerun'; readonly job: string }
  /** Makes the AI CLI that is offered the agent, in the configuration. */
  | { readonly kind: 'use-offer' }
  /** Writes what is decided to the files of the project. */
  | { readonly kind: 'save'; readonly session: string }
  /** The same for every session of a project. */
  | { readonly kind: 'save-project'; readonly root: string }
  | { readonly kind: 'archive'; readonly session: string }
  /** Replaces the rows that stay with the session; otherwise one is begun. */
  | { readonly kind: 'context'; readonly session: string | null; readonly rows: readonly ContextRow[] }
  | { readonly kind: 'rollback'; readonly to: RollbackRequest };

export interface AgentOutcome {
  /** For the reader; '' where the view says it all. */
  readonly words: string;
  /** The session that was begun by it; null: none was. */
  readonly begun: string | null;
}

export interface RollbackRequest {
  readonly checkpoint: string;
  readonly mode: RollbackMode;
  /** With `scoped_selected`: only these. */
  readonly hunks: readonly string[];
}

export interface ShownMap extends Omit<FileMapDetails, 'totalBytes'> {
  readonly text: string;
}

export interface AgentPort {
  readonly getSnapshot: () => AgentView;
  readonly subscribe: (listener: () => void) => () => void;
  /** Keeps this session read, with its jobs and events. The same again costs nothing. */
  readonly follow: (session: string | null) => void;
  /** Does it; the view of a followed session shows what came of it before this settles. */
  readonly act: (act: AgentAct) => Promise<Result<AgentOutcome>>;
  /** Shows what a rollback would change, without doing it. */
  readonly previewRollback: (to: RollbackRequest) => Promise<Result<RollbackResult>>;
  /** Files of the project whose path continues `prefix`, best first, some twenty at most. */
  readonly completeFile: (prefix: string) => Promise<Result<readonly string[]>>;
  /** The outline of a file of the project. */
  readonly mapFile: (path: string) => Promise<Result<ShownMap>>;
  /** The present proposal of a job; null when none is kept. */
  readonly readDiff: (job: string) => Promise<Result<DiffBundle | null>>;
  /** A row of a file of the project, or of what git has changed in it. */
  readonly readRow: (
    of: { readonly kind: 'file'; readonly path: string } | { readonly kind: 'diff' },
  ) => Promise<Result<ContextRow>>;
}
