/** What the Agent screen needs: the followed project's sessions, the open one live, and the requests it can make. */
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

/** Everything that the Agent screen shows. Each change makes a new object; unchanged parts stay the same. */
export interface AgentView {
  /** For the followed pane's project, last used first. */
  readonly sessions: readonly AgentSessionEntry[];
  /** The followed session; null if none is followed, or it is not read yet. */
  readonly open: AgentSession | null;
  /** The open session's jobs, oldest first. */
  readonly jobs: readonly JobSummary[];
  /** The events of each of these jobs, in order. */
  readonly events: ReadonlyMap<string, readonly AgentEvent[]>;
  /** The text that the model is streaming, which is not stored. */
  readonly stream: { readonly job: string; readonly text: string } | null;
  /** The open session's checkpoints, newest first. */
  readonly checkpoints: readonly Checkpoint[];
  /** Why there is nothing to show, or it may be outdated. */
  readonly problem: Failure | null;
  /** Why no job can run: no model is configured; null if one is. */
  readonly notReady: NotReady | null;
  readonly isLooking: boolean;
}

/** Why no job can run, and an installed AI CLI that could be the agent at once. */
export interface NotReady extends Failure {
  readonly offer?: string;
}

export type AgentAct =
  /** Begins a session if none is given. */
  | {
      readonly kind: 'run';
      readonly session: string | null;
      readonly instruction: string;
      readonly confirmBeforeEdits: boolean;
    }
  /** `answer` null: skips the question. */
  | {
      readonly kind: 'answer';
      readonly job: string;
      readonly question: string;
      readonly answer: string | null;
    }
  | { readonly kind: 'cancel' | 'rerun'; readonly job: string }
  /** Configures the offered AI CLI as the agent. */
  | { readonly kind: 'use-offer' }
  /** Writes decided changes to the project's files. */
  | { readonly kind: 'save'; readonly session: string }
  /** The same for all sessions of a project. */
  | { readonly kind: 'save-project'; readonly root: string }
  | { readonly kind: 'archive'; readonly session: string }
  /** Replaces the session's kept rows; without a session, begins one. */
  | { readonly kind: 'context'; readonly session: string | null; readonly rows: readonly ContextRow[] }
  | { readonly kind: 'rollback'; readonly to: RollbackRequest };

export interface AgentOutcome {
  /** For the reader; '' if the view says it all. */
  readonly words: string;
  /** The session that it began; null if none. */
  readonly begun: string | null;
}

export interface RollbackRequest {
  readonly checkpoint: string;
  readonly mode: RollbackMode;
  /** Only these, for `scoped_selected`. */
  readonly hunks: readonly string[];
}

export interface ShownMap extends Omit<FileMapDetails, 'totalBytes'> {
  readonly text: string;
}

export interface AgentPort {
  readonly getSnapshot: () => AgentView;
  readonly subscribe: (listener: () => void) => () => void;
  /** Keeps this session read, with its jobs and events. Repeating it costs nothing. */
  readonly follow: (session: string | null) => void;
  /** Performs it; the view of a followed session shows the result before this settles. */
  readonly act: (act: AgentAct) => Promise<Result<AgentOutcome>>;
  /** What a rollback would change, without doing it. */
  readonly previewRollback: (to: RollbackRequest) => Promise<Result<RollbackResult>>;
  /** Project files whose path continues `prefix`, best first, about twenty at most. */
  readonly completeFile: (prefix: string) => Promise<Result<readonly string[]>>;
  /** The outline of a project file. */
  readonly mapFile: (path: string) => Promise<Result<ShownMap>>;
  /** A job's current proposal; null if none is kept. */
  readonly readDiff: (job: string) => Promise<Result<DiffBundle | null>>;
  /** A row for a project file, or for git's changes to it. */
  readonly readRow: (
    of: { readonly kind: 'file'; readonly path: string } | { readonly kind: 'diff' },
  ) => Promise<Result<ContextRow>>;
}
