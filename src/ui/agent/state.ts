/** The Agent screen's own state: the session in view, what is marked and open, the text being written. */
import type { AgentSession, ContextRow } from '../../protocol/agent.ts';
import type { JobSummary } from '../../protocol/commands/agent.ts';
import { type EditorState, EMPTY_EDITOR } from '../kit/editor.ts';
import type { ChatEntry } from './entries.ts';
import type { AgentSessionEntry, AgentView } from './port.ts';

export type AgentFocus = 'list' | 'chat' | 'rows' | 'write';

export interface AgentState {
  readonly focus: AgentFocus;
  /** The session in view; null: the list, or a session that the first instruction will begin. */
  readonly session: string | null;
  readonly marked: string | null;
  /** The id of the chat's marked entry; null follows the last one. */
  readonly entry: string | null;
  /** First row of the chat in view; ignored while the last entry is followed. */
  readonly top: number;
  readonly opened: ReadonlySet<string>;
  readonly row: number;
  readonly editor: EditorState;
  /** Sent instructions, newest first. */
  readonly history: readonly string[];
  /** Its index in the editor; -1: a new text. */
  readonly historyAt: number;
  readonly confirmBeforeEdits: boolean;
  readonly completion: FileCompletion | null;
  /** Maps and diffs that the user requested. */
  readonly asked: readonly AskedCard[];
}

export interface AskedCard {
  readonly session: string | null;
  /** The job that it was requested after; it goes below all entries of that job. */
  readonly afterJob: string | null;
  /** The entry that it belongs to and follows directly; null: none. */
  readonly below: string | null;
  readonly card: ChatEntry;
}

/** Files that complete the `@…` at the cursor. */
export interface FileCompletion {
  readonly files: readonly string[];
  readonly cursor: number;
}

export const INITIAL_AGENT: AgentState = {
  focus: 'list',
  session: null,
  marked: null,
  entry: null,
  top: 0,
  opened: new Set(),
  row: 0,
  editor: EMPTY_EDITOR,
  history: [],
  historyAt: -1,
  confirmBeforeEdits: false,
  completion: null,
  asked: [],
};

/** Most maps and diffs kept. */
export const ASKED_MAX = 20;

/** Most instructions kept for recall. */
export const HISTORY_MAX = 100;

/** The marked session's index in the list. */
export function markedSession(agent: AgentState, sessions: readonly AgentSessionEntry[]): number {
  const index = sessions.findIndex(({ id }) => id === agent.marked);
  return Math.max(0, index);
}

/** The open session, once the requested one is read. */
export function openSession(agent: AgentState, view: AgentView): AgentSession | null {
  return agent.session !== null && view.open?.id === agent.session ? view.open : null;
}

/** The context rows for the next instruction. */
export function contextRows(agent: AgentState, view: AgentView): readonly ContextRow[] {
  return openSession(agent, view)?.context_rows ?? [];
}

/** The job that is running or waiting; null if none is. */
export function liveJob(view: AgentView): JobSummary | null {
  return view.jobs.findLast(({ status }) => isLive(status)) ?? null;
}

export function isLive(status: JobSummary['status']): boolean {
  return status === 'queued' || status === 'running' || status === 'waiting_for_user';
}

/** The job whose question waits for an answer. */
export function askingJob(
  view: AgentView,
): (JobSummary & { question: NonNullable<JobSummary['question']> }) | null {
  for (const job of view.jobs) {
    const { question } = job;
    if (job.status === 'waiting_for_user' && question !== null) return { ...job, question };
  }
  return null;
}
