/**
 * What is true of each command beside its schemas: one line of documentation, whether it may be sent twice, in which
 * queue it waits, and the route and role that open it to programs that speak HTTP or WebSocket. Data alone, so that a
 * program that sends one request loads no schema for it. `command.ts` joins it with the schemas.
 */

/** Who may do what: a reviewer everything; an author publishes, reports, and sees and discards its own. */
export type Role = 'reviewer' | 'author';

/** The door of a command for programs that speak HTTP or WebSocket. */
export interface HttpTraits {
  /** The `type` of a WebSocket request, and the operationId. Left out: the command's name, as `agent_run`. */
  readonly operation?: string;
  /** Method and path; `:name` stands for one segment and is the field of that name. */
  readonly route: `${'GET' | 'POST'} /${string}`;
  /** The least that one must be; left out: the reviewer. */
  readonly role?: Role;
  /** Of an answer that went well; left out: 200. */
  readonly status?: 201 | 202;
  /** The field that holds an answer that is a list. */
  readonly list?: string;
}

export interface CommandTraits {
  readonly summary: string;
  /**
   * After a lost answer it is sent again: reads, and writes that carry an id or a revision; `by_name` under a name by
   * which the host knows the first one again. Left out: it fails, since nobody knows whether it was done.
   */
  readonly repeat?: true | 'by_name';
  /** The service that does it, by the method of its name. Left out: a handler of the host. */
  readonly by?: 'reviews' | 'desk' | 'sandboxes' | 'agent' | 'changes';
  /** Commands of one queue run one by one. Left out: at once, or in a queue of the service's own. */
  readonly queue?: 'agent';
  readonly http?: HttpTraits;
}

export const commandTable = {
  'host/status': { summary: 'Reports which process leads, and its health.', repeat: true },

  'state/purge': { summary: 'Deletes the data of one kind that is older than a given time.', repeat: true },

  'outbox/record': { summary: 'Records a prompt, durably, before its first byte is typed.', repeat: true },
  'outbox/update': { summary: 'Moves a recorded prompt to its next state.', repeat: true },
  'outbox/list': { summary: 'Lists recorded prompts, newest first.', repeat: true },

  'draft/load': { summary: 'Returns the stored draft, or an empty one at revision 0.', repeat: true },
  'draft/save': { summary: 'Saves a draft on top of the revision it is based on.', repeat: true },
  'draft/append': { summary: 'Adds text to the end of a draft as notes.', repeat: 'by_name' },

  'review/publish': {
    summary: 'Offers a change for review.',
    by: 'reviews',
    http: { operation: 'publish', route: 'POST /suggestions', role: 'author', status: 201 },
  },
  'review/list': {
    summary: 'Lists suggestions waiting for review, newest first.',
    by: 'reviews',
    repeat: true,
    http: { operation: 'list', route: 'GET /suggestions', role: 'author' },
  },
  'review/show': {
    summary: 'Shows one suggestion with its hunks.',
    by: 'desk',
    repeat: true,
    http: { operation: 'get', route: 'GET /suggestions/:suggestion_id', role: 'author' },
  },
  'review/lines': { summary: 'Returns lines of one hunk.', by: 'reviews', repeat: true },
  'review/decide': {
    summary: 'Decides on a hunk, on some of its lines, or on all open hunks. Comments on a hunk.',
    by: 'desk',
    http: { operation: 'feedback', route: 'POST /feedback' },
  },
  'review/intend': {
    summary: 'Carries out a reviewer’s intent: accept, reject, undo, split, comment, finish and so on.',
    by: 'desk',
    repeat: 'by_name',
  },
  'review/undo': {
    summary: 'Undoes the last decision on a hunk.',
    by: 'desk',
    http: { operation: 'undo', route: 'POST /undo' },
  },
  'review/redo': {
    summary: 'Redoes the decision that was undone last.',
    by: 'desk',
    http: { operation: 'redo', route: 'POST /redo' },
  },
  'review/split': {
    summary: 'Splits some lines of a hunk off into a hunk of their own.',
    by: 'desk',
    http: { operation: 'split', route: 'POST /split' },
  },
  'review/join': {
    summary: 'Joins the parts of a split hunk.',
    by: 'desk',
    http: { operation: 'join', route: 'POST /join' },
  },
  'review/comment': { summary: 'Comments on a hunk or on lines of it.', by: 'desk' },
  'review/inspect': {
    summary: 'Returns the lines around a hunk, its place in the file now, and the text it was modified to.',
    by: 'reviews',
    repeat: true,
  },
  'review/texts': {
    summary: 'Returns the whole text of a file before and after its suggestion.',
    by: 'reviews',
    repeat: true,
  },
  'review/viewed': { summary: 'Returns which of these hunks are marked as seen.', repeat: true },
  'review/mark-viewed': { summary: 'Marks hunks as seen, or as not seen.', repeat: true },
  'review/conflict': {
    summary: 'Returns the three sides of a hunk that does not fit.',
    by: 'desk',
    repeat: true,
  },
  'review/report': {
    summary: 'Tells every client what the author is doing.',
    http: { operation: 'status', route: 'POST /status', role: 'author' },
  },
  'review/claim-feedback': {
    summary: 'Claims the delivery of one event’s decisions to the AI in a pane.',
    repeat: true,
  },
  'review/finish': {
    summary: 'Ends a suggestion. What was accepted stays.',
    by: 'desk',
    http: { operation: 'complete', route: 'POST /complete', role: 'author' },
  },
  'review/reopen': {
    summary: 'Reopens a suggestion that was finalized or discarded.',
    by: 'desk',
    http: { operation: 'reopen', route: 'POST /reopen' },
  },

  'changes/mark': {
    summary: 'Takes a snapshot of the working tree when a turn begins or ends.',
    by: 'changes',
    repeat: true,
  },
  'changes/seen': {
    summary: 'Lists what was seen of files while turns went on.',
    by: 'changes',
    repeat: true,
  },
  'changes/list': { summary: 'Lists how many lines each turn changed.', by: 'changes', repeat: true },

  'shell/status': { summary: 'Reports the state of the shell completions.', repeat: true },
  'shell/private': { summary: 'Stops or restarts completing and learning.', repeat: true },
  'shell/forget': { summary: 'Stops suggesting this line.', repeat: true },

  'sandbox/new': { summary: 'Makes a sandbox for an AI to work in.' },
  'sandbox/list': { summary: 'Lists sandboxes, oldest first.', by: 'sandboxes', repeat: true },
  'sandbox/remove': { summary: 'Removes a sandbox.', by: 'sandboxes' },

  'agent/create': {
    summary: 'Starts a session for a project folder.',
    by: 'agent',
    queue: 'agent',
    http: { route: 'POST /api/agent/sessions', status: 201 },
  },
  'agent/sessions': {
    summary: 'Lists sessions, most recent first.',
    by: 'agent',
    repeat: true,
    queue: 'agent',
    http: { route: 'GET /api/agent/sessions', list: 'sessions' },
  },
  'agent/session': {
    summary: 'Shows a session: chat, context rows, and what waits for a review.',
    by: 'agent',
    repeat: true,
    queue: 'agent',
    http: { route: 'GET /api/agent/sessions/:session_id' },
  },
  'agent/archive': {
    summary: 'Archives a session; its jobs must have ended.',
    by: 'agent',
    queue: 'agent',
    http: { route: 'POST /api/agent/sessions/:session_id/archive' },
  },
  'agent/context': {
    summary: 'Replaces the context rows that stay with a session.',
    by: 'agent',
    repeat: true,
    queue: 'agent',
    http: { route: 'POST /api/agent/sessions/:session_id/context' },
  },
  'agent/run': {
    summary: 'Starts a job in the background.',
    by: 'agent',
    queue: 'agent',
    http: { route: 'POST /api/agent/run', status: 202 },
  },
  'agent/rerun': {
    summary: 'Runs the instruction of a job again with the files as they are now.',
    by: 'agent',
    queue: 'agent',
    http: { route: 'POST /api/agent/jobs/:job_id/rerun', status: 202 },
  },
  'agent/job': {
    summary: 'Shows a job, with its diff bundle once it proposes something.',
    by: 'agent',
    repeat: true,
    queue: 'agent',
    http: { route: 'GET /api/agent/jobs/:job_id' },
  },
  'agent/jobs': {
    summary: 'Lists jobs, newest first.',
    by: 'agent',
    repeat: true,
    http: { route: 'GET /api/agent/jobs', list: 'jobs' },
  },
  'agent/events': {
    summary: 'Returns the events of a job after a cursor.',
    by: 'agent',
    repeat: true,
    http: { route: 'GET /api/agent/jobs/:job_id/events' },
  },
  'agent/stream': {
    summary: 'Returns what the model is saying right now.',
    by: 'agent',
    repeat: true,
    http: { route: 'GET /api/agent/jobs/:job_id/stream' },
  },
  'agent/clarify': {
    summary: 'Answers the question of a job, or skips it.',
    by: 'agent',
    http: { route: 'POST /api/agent/jobs/:job_id/clarify' },
  },
  'agent/cancel': {
    summary: 'Cancels a job; it then counts as failed, with the code cancelled.',
    by: 'agent',
    repeat: true,
    http: { route: 'POST /api/agent/jobs/:job_id/cancel' },
  },
  'agent/apply': {
    summary: 'Accepts the named hunks of a job, rejects the others, and writes the files.',
    by: 'agent',
    queue: 'agent',
    http: { route: 'POST /api/agent/apply' },
  },
  'agent/save': {
    summary: 'Writes decided changes to disk.',
    by: 'agent',
    queue: 'agent',
    http: { route: 'POST /api/agent/save' },
  },
  'agent/edit': {
    summary: "Replaces a file's working text with the user's own.",
    by: 'agent',
    queue: 'agent',
    http: { route: 'POST /api/agent/edit' },
  },
  'agent/merge': {
    summary: "Takes the file on disk as the user's edits.",
    by: 'agent',
    queue: 'agent',
    http: { route: 'POST /api/agent/merge' },
  },
  'agent/working': {
    summary: 'Lists working texts that are not on disk; with file_path, returns that one with its text.',
    by: 'agent',
    repeat: true,
    queue: 'agent',
    http: { route: 'GET /api/agent/sessions/:session_id/working', list: 'files' },
  },
  'agent/checkpoints': {
    summary: 'Lists checkpoints, newest first.',
    by: 'agent',
    repeat: true,
    http: { route: 'GET /api/agent/sessions/:session_id/checkpoints', list: 'checkpoints' },
  },
  'agent/checkpoint': {
    summary: 'Shows a checkpoint.',
    by: 'agent',
    repeat: true,
    http: { route: 'GET /api/agent/checkpoints/:checkpoint_id' },
  },
  'agent/forget-checkpoint': { summary: 'Removes a checkpoint.', by: 'agent' },
  'agent/diff3': {
    summary: 'Returns the three texts of a file: now, before the run, as proposed.',
    by: 'agent',
    repeat: true,
    queue: 'agent',
    http: { route: 'GET /api/agent/checkpoints/:checkpoint_id/diff3' },
  },
  'agent/rollback': {
    summary: 'Undoes a run in the working texts, or previews that.',
    by: 'agent',
    queue: 'agent',
    http: { route: 'POST /api/agent/checkpoints/:checkpoint_id/rollback' },
  },
} as const satisfies Readonly<Record<string, CommandTraits>>;
