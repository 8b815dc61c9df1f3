/** A fake agent, good enough to be a demo: it searches, reads, asks, proposes, as a test's script says. */
import { fail, ok, type Result } from '../../src/lib/result.ts';
import type {
  AgentEvent,
  AgentSession,
  Checkpoint,
  ContextRow,
  DiffBundle,
} from '../../src/protocol/agent.ts';
import type { JobSummary, RollbackResult } from '../../src/protocol/commands/agent.ts';
import type {
  AgentAct,
  AgentOutcome,
  AgentPort,
  AgentView,
  RollbackRequest,
} from '../../src/ui/agent/port.ts';

/** 14:02 on some day in the process's time zone. */
const NOW = new Date(2026, 2, 12, 14, 2, 30).getTime();

/** A session with sensible defaults. */
export function testSession(fields: Partial<AgentSession> = {}): AgentSession {
  return {
    id: 's1',
    root: '/home/user/notes',
    title: 'Rename the heading "Setup" to "Install"',
    author: null,
    created_at: NOW,
    updated_at: NOW,
    status: 'active',
    chat: [],
    context_rows: [],
    last_job_id: 'j1',
    last_job_status: 'awaiting_review',
    pending_review: null,
    ...fields,
  };
}

/** A job with sensible defaults. */
export function testJob(fields: Partial<JobSummary> = {}): JobSummary {
  return {
    id: 'j1',
    session_id: 's1',
    instruction: 'Rename the heading "Setup" to "Install" in all notes',
    status: 'awaiting_review',
    created_at: NOW,
    started_at: NOW,
    finished_at: null,
    cursor: 0,
    error: null,
    question: null,
    checkpoint_id: 'c1',
    message: null,
    rerun_of: null,
    ...fields,
  };
}

/** Events from `type` and data, numbered. */
export function testEvents(
  list: readonly (readonly [AgentEvent['type'], AgentEvent['data']])[],
): readonly AgentEvent[] {
  return list.map(([type, data], index) => ({
    cursor: index + 1,
    type,
    ts: NOW + index * 100,
    data: { summary: '', ...data },
  }));
}

const MAP = `───────────────────────────────────────
File Map: guide.md
2,310 lines │ 84.1 KB │ Markdown
───────────────────────────────────────

# Guide: [1-2310]
  ## Setup: [12-240]
  ## Use: [241-2310]
`;

/** A typical run: it looks, asks, and proposes. */
export const TEST_EVENTS = testEvents([
  ['job.started', {}],
  ['provider.selected', { provider: 'local', model: 'qwen3-coder', reason: 'configured' }],
  ['tool.call.requested', { tool_call_id: 't1', tool: 'search_project', arguments: { query: '^## Setup' } }],
  [
    'tool.call.completed',
    { tool_call_id: 't1', tool: 'search_project', ok: true, result_count: 31, duration_ms: 42 },
  ],
  ['tool.call.requested', { tool_call_id: 't2', tool: 'read_file', arguments: { file_path: 'guide.md' } }],
  [
    'tool.call.completed',
    {
      tool_call_id: 't2',
      tool: 'read_file',
      ok: true,
      result_count: 800,
      duration_ms: 3,
      file_map: {
        text: MAP,
        file_path: 'notes/guide.md',
        symbol_count: 3,
        total_lines: 2310,
        language: 'Markdown',
      },
    },
  ],
  ['clarification.requested', { question_id: 'q1', question: 'Links to #setup as well?' }],
  ['clarification.received', { question_id: 'q1', answer: 'yes, those too' }],
  [
    'message.completed',
    { text: 'I renamed the heading in 30 notes and the 12 links to it.\n\nTwo notes have no such heading.' },
  ],
  ['edits.proposed', { edit_count: 42, files: ['guide.md'] }],
  ['checkpoint.created', { checkpoint_id: 'c1' }],
  ['diff.generated', { suggestion_id: 'sugg_1', hunk_count: 42, file_count: 30 }],
  ['review.updated', { accepted: 12, rejected: 2, pending: 28, conflicts: 0 }],
]);

export const TEST_CHECKPOINT: Checkpoint = {
  checkpoint_id: 'c1',
  session_id: 's1',
  job_id: 'j1',
  created_at: NOW,
  kind: 'run',
  affected_files: [
    {
      file_path: 'guide.md',
      base_snapshot_hash: null,
      proposed_hash: null,
      hunks: [{ hunk_id: 'h1', reverse_patch: '' }],
    },
    {
      file_path: 'faq.md',
      base_snapshot_hash: null,
      proposed_hash: null,
      hunks: [{ hunk_id: 'h2', reverse_patch: '' }],
    },
  ],
};

/** Nothing has been asked yet. */
export const EMPTY_AGENT: AgentView = {
  sessions: [],
  open: null,
  jobs: [],
  events: new Map(),
  stream: null,
  checkpoints: [],
  problem: null,
  notReady: null,
  isLooking: false,
};

/** One session with a proposal. */
export function testAgentView(fields: Partial<AgentView> = {}): AgentView {
  const session = testSession({
    pending_review: { job_id: 'j1', suggestion_id: 'sugg_1', undecided: 28, unsaved_files: ['guide.md'] },
  });
  return {
    ...EMPTY_AGENT,
    sessions: [session],
    open: session,
    jobs: [testJob()],
    events: new Map([['j1', TEST_EVENTS]]),
    checkpoints: [TEST_CHECKPOINT],
    ...fields,
  };
}

export interface FakeAgent extends AgentPort {
  readonly set: (view: AgentView) => void;
  /** What was asked, in order. */
  readonly acts: readonly AgentAct[];
  readonly followed: readonly (string | null)[];
  /** Answers to the next acts. */
  answer: Result<AgentOutcome>;
  files: readonly string[];
  preview: Result<RollbackResult>;
  readonly previewed: readonly RollbackRequest[];
  diff: DiffBundle | null;
}

/** The fake; its view changes only by `set`. */
export function fakeAgent(view: AgentView = EMPTY_AGENT): FakeAgent {
  const listeners = new Set<() => void>();
  const acts: AgentAct[] = [];
  const followed: (string | null)[] = [];
  const previewed: RollbackRequest[] = [];
  let whole = view;
  let now = view;
  const fake: FakeAgent = {
    acts,
    followed,
    previewed,
    answer: ok({ words: '', begun: null }),
    files: [],
    diff: null,
    preview: ok({
      checkpoint_id: 'c1',
      mode: 'hard_all',
      status: 'preview',
      files: [{ file_path: 'guide.md', diff: '@@ -1 +1 @@\n-## Install\n+## Setup\n' }],
      later_hunks: 1,
      conflicts: [],
      undo_checkpoint_id: null,
    }),
    getSnapshot: () => now,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set: (next) => {
      whole = next;
      now = next;
      for (const listener of listeners) listener();
    },
    follow: (session) => {
      if (followed.at(-1) === session) return;
      followed.push(session);
      // A session that nobody follows is unknown.
      now = session === null ? { ...whole, open: null, jobs: [], events: new Map() } : whole;
      for (const listener of listeners) listener();
    },
    act: async (act) => {
      acts.push(act);
      return fake.answer;
    },
    previewRollback: async (to) => {
      previewed.push(to);
      return fake.preview;
    },
    completeFile: async (prefix) => ok(fake.files.filter((file) => file.startsWith(prefix))),
    mapFile: async (file) =>
      file.includes('missing')
        ? fail('not_found', `There is no file ${file}.`)
        : ok({ text: MAP, filePath: file, symbolCount: 3, totalLines: 2310, language: 'Markdown' }),
    readDiff: async () => ok(fake.diff),
    readRow: async (of): Promise<Result<ContextRow>> =>
      ok({
        id: 'row',
        kind: of.kind === 'file' ? 'file' : 'diff',
        file_path: of.kind === 'file' ? of.path : null,
        start_line: null,
        end_line: null,
        content: 'text',
        pinned: false,
      }),
  };
  return fake;
}
