/**
 * For each command: its documentation, whether it may be sent twice, its queue, and its HTTP and WebSocket route and
 * role. Data only, so that a short command loads no schemas; `command.ts` adds them.
 */

/** A reviewer may do everything; an author publishes and reports, and can see and discard its own suggestions. */
export type Role = 'reviewer' | 'author';

/** A command's route for programs that use HTTP or WebSocket. */
export interface HttpTraits {
  /** The `type` of a WebSocket request, and the operationId. Omitted: the command's name, such as `agent_run`. */
  readonly operation?: string;
  /** Method and path. `:name` is one segment, and fills the field of that name. */
  readonly route: `${'GET' | 'POST'} /${string}`;
  /** The required role; omitted: reviewer. */
  readonly role?: Role;
  /** HTTP status on success; omitted: 200. */
  readonly status?: 201 | 202;
  /** The field that wraps a list result. */
  readonly list?: string;
}

export interface CommandTraits {
  readonly summary: string;
  /**
   * Whether to resend it when its answer is lost. True: reads, and writes with an id or a revision. `by_name`: sent
   * with a request id that the host recognizes. Omitted: it fails, because it may or may not have been done.
   */
  readonly repeat?: true | 'by_name';
  /** The service that has the method of this name. Omitted: a handler of the host. */
  readonly by?: 'reviews' | 'desk' | 'sandboxes' | 'agent' | 'changes';
  /** Commands in one queue run one by one. Omitted: at once, or in a queue of the service. */
  readonly queue?: 'agent';
  readonly http?: HttpTraits;
}

/** One service's rows. Its queue runs the commands in `inTurn` one by one. */
const by =
  <const S extends Pick<CommandTraits, 'by' | 'queue'>>(service: S) =>
  (summary: string, more: Pick<CommandTraits, 'repeat' | 'http'> = {}) => ({ summary, ...service, ...more });

const host = by({});
const reviews = by({ by: 'reviews' });
const desk = by({ by: 'desk' });
const sandboxes = by({ by: 'sandboxes' });
const changes = by({ by: 'changes' });
const agent = by({ by: 'agent' });
const inTurn = by({ by: 'agent', queue: 'agent' });

export const commandTable = {
  'host/status': host('Reports which process leads, and its health.', { repeat: true }),

  'state/purge': host('Deletes the data of one kind that is older than a given time.', { repeat: true }),

  'outbox/record': host('Records a prompt, durably, before its first byte is typed.', { repeat: true }),
  'outbox/update': host('Moves a recorded prompt to its next state.', { repeat: true }),
  'outbox/list': host('Lists recorded prompts, newest first.', { repeat: true }),

  'draft/load': host('Returns the stored draft, or an empty one at revision 0.', { repeat: true }),
  'draft/save': host('Saves a draft on top of the revision it is based on.', { repeat: true }),
  'draft/append': host('Adds text to the end of a draft as notes.', { repeat: 'by_name' }),

  'review/publish': reviews('Offers a change for review.', {
    http: { operation: 'publish', route: 'POST /suggestions', role: 'author', status: 201 },
  }),
  'review/list': reviews('Lists suggestions waiting for review, newest first.', {
    repeat: true,
    http: { operation: 'list', route: 'GET /suggestions', role: 'author' },
  }),
  'review/show': desk('Shows one suggestion with its hunks.', {
    repeat: true,
    http: { operation: 'get', route: 'GET /suggestions/:suggestion_id', role: 'author' },
  }),
  'review/lines': reviews('Returns lines of one hunk.', { repeat: true }),
  'review/decide': desk(
    'Decides on a hunk, on some of its lines, or on all open hunks. Comments on a hunk.',
    { http: { operation: 'feedback', route: 'POST /feedback' } },
  ),
  'review/intend': desk(
    "Carries out a reviewer's intent: accept, reject, undo, split, comment, finish and so on.",
    { repeat: 'by_name' },
  ),
  'review/undo': desk('Undoes the last decision on a hunk.', {
    http: { operation: 'undo', route: 'POST /undo' },
  }),
  'review/redo': desk('Redoes the decision that was undone last.', {
    http: { operation: 'redo', route: 'POST /redo' },
  }),
  'review/split': desk('Splits lines of a hunk off into a separate hunk.', {
    http: { operation: 'split', route: 'POST /split' },
  }),
  'review/join': desk('Joins the parts of a split hunk.', {
    http: { operation: 'join', route: 'POST /join' },
  }),
  'review/comment': desk('Comments on a hunk or on lines of it.'),
  'review/reply': reviews("Replies to a reviewer's comment, as the author.", {
    http: { operation: 'reply', route: 'POST /reply', role: 'author' },
  }),
  'review/inspect': reviews(
    'Returns the lines around a hunk, its place in the file now, and the text it was modified to.',
    { repeat: true },
  ),
  'review/places': reviews("Returns where the hunks of a file stand in an editor's text of it.", {
    repeat: true,
  }),
  'review/texts': reviews('Returns the whole text of a file before and after its suggestion.', {
    repeat: true,
  }),
  'review/viewed': host('Returns which of these hunks are marked as seen.', { repeat: true }),
  'review/mark-viewed': host('Marks hunks as seen, or as not seen.', { repeat: true }),
  'review/conflict': desk('Returns the three sides of a hunk that does not fit.', { repeat: true }),
  'review/report': host('Tells every client what the author is doing.', {
    http: { operation: 'status', route: 'POST /status', role: 'author' },
  }),
  'review/claim-feedback': host("Claims the delivery of one event's decisions to the AI in a pane.", {
    repeat: true,
  }),
  'review/finish': desk('Ends a suggestion. What was accepted stays.', {
    http: { operation: 'complete', route: 'POST /complete', role: 'author' },
  }),
  'review/reopen': desk('Reopens a suggestion that was finalized or discarded.', {
    http: { operation: 'reopen', route: 'POST /reopen' },
  }),

  'changes/mark': changes('Takes a snapshot of the working tree when a turn begins or ends.', {
    repeat: true,
  }),
  'changes/seen': changes('Lists observations of files during turns.', { repeat: true }),
  'changes/list': changes('Lists how many lines each turn changed.', { repeat: true }),

  'shell/status': host('Reports the state of the shell completions.', { repeat: true }),
  'shell/private': host('Stops or restarts completing and learning.', { repeat: true }),
  'shell/forget': host('Stops suggesting this line.', { repeat: true }),

  'sandbox/new': host('Makes a sandbox for an AI to work in.'),
  'sandbox/list': sandboxes('Lists sandboxes, oldest first.', { repeat: true }),
  'sandbox/remove': sandboxes('Removes a sandbox.'),

  'agent/create': inTurn('Starts a session for a project folder.', {
    http: { route: 'POST /api/agent/sessions', status: 201 },
  }),
  'agent/sessions': inTurn('Lists sessions, most recent first.', {
    repeat: true,
    http: { route: 'GET /api/agent/sessions', list: 'sessions' },
  }),
  'agent/session': inTurn('Shows a session: chat, context rows, and what waits for a review.', {
    repeat: true,
    http: { route: 'GET /api/agent/sessions/:session_id' },
  }),
  'agent/archive': inTurn('Archives a session; its jobs must have ended.', {
    http: { route: 'POST /api/agent/sessions/:session_id/archive' },
  }),
  'agent/context': inTurn('Replaces the context rows that stay with a session.', {
    repeat: true,
    http: { route: 'POST /api/agent/sessions/:session_id/context' },
  }),
  'agent/run': inTurn('Starts a job in the background.', {
    http: { route: 'POST /api/agent/run', status: 202 },
  }),
  'agent/rerun': inTurn('Runs the instruction of a job again with the files as they are now.', {
    http: { route: 'POST /api/agent/jobs/:job_id/rerun', status: 202 },
  }),
  'agent/job': inTurn('Shows a job, with its diff bundle once it proposes something.', {
    repeat: true,
    http: { route: 'GET /api/agent/jobs/:job_id' },
  }),
  'agent/jobs': agent('Lists jobs, newest first.', {
    repeat: true,
    http: { route: 'GET /api/agent/jobs', list: 'jobs' },
  }),
  'agent/events': agent('Returns the events of a job after a cursor.', {
    repeat: true,
    http: { route: 'GET /api/agent/jobs/:job_id/events' },
  }),
  'agent/stream': agent('Returns what the model is saying right now.', {
    repeat: true,
    http: { route: 'GET /api/agent/jobs/:job_id/stream' },
  }),
  'agent/clarify': agent('Answers the question of a job, or skips it.', {
    http: { route: 'POST /api/agent/jobs/:job_id/clarify' },
  }),
  'agent/cancel': agent('Cancels a job; it then counts as failed, with the code cancelled.', {
    repeat: true,
    http: { route: 'POST /api/agent/jobs/:job_id/cancel' },
  }),
  'agent/apply': inTurn('Accepts the named hunks of a job, rejects the others, and writes the files.', {
    http: { route: 'POST /api/agent/apply' },
  }),
  'agent/save': inTurn('Writes decided changes to disk.', { http: { route: 'POST /api/agent/save' } }),
  'agent/edit': inTurn("Replaces a file's working text with the user's own.", {
    http: { route: 'POST /api/agent/edit' },
  }),
  'agent/merge': inTurn("Takes the file on disk as the user's edits.", {
    http: { route: 'POST /api/agent/merge' },
  }),
  'agent/working': inTurn(
    'Lists working texts that are not on disk; with file_path, returns that one with its text.',
    { repeat: true, http: { route: 'GET /api/agent/sessions/:session_id/working', list: 'files' } },
  ),
  'agent/checkpoints': agent('Lists checkpoints, newest first.', {
    repeat: true,
    http: { route: 'GET /api/agent/sessions/:session_id/checkpoints', list: 'checkpoints' },
  }),
  'agent/checkpoint': agent('Shows a checkpoint.', {
    repeat: true,
    http: { route: 'GET /api/agent/checkpoints/:checkpoint_id' },
  }),
  'agent/forget-checkpoint': agent('Removes a checkpoint.'),
  'agent/diff3': inTurn('Returns the three texts of a file: now, before the run, as proposed.', {
    repeat: true,
    http: { route: 'GET /api/agent/checkpoints/:checkpoint_id/diff3' },
  }),
  'agent/rollback': inTurn('Undoes a run in the working texts, or previews that.', {
    http: { route: 'POST /api/agent/checkpoints/:checkpoint_id/rollback' },
  }),
} as const satisfies Readonly<Record<string, CommandTraits>>;
