/** The conversation as entries: instructions, messages, tool cards, questions, proposals, saves. Pure. */

import { collapsedLine } from '../../filemap/core/render-map.ts';
import { firstFew } from '../../lib/count.ts';
import type { AgentEvent, AgentEventInput } from '../../protocol/agent.ts';
import type { JobSummary } from '../../protocol/commands/agent.ts';
import { NO_USER_ANSWER } from '../../protocol/limits.ts';
import { keepEach, keepLast } from '../kit/memo.ts';
import { foreign, type Row, span } from '../kit/row.ts';
import type { Tally } from '../kit/tally.ts';
import type { Role } from '../kit/theme/role.ts';
import { count, formatMoment } from '../kit/time.ts';
import type { AgentView, ShownMap } from './port.ts';

export interface ChatEntry {
  /** The same while the entry grows. */
  readonly id: string;
  readonly kind: 'instruction' | 'message' | 'card' | 'question' | 'proposal' | 'note' | 'failure';
  /** The single row of a card or note; empty for plain text. */
  readonly title: Row;
  readonly remark: Row;
  /** Lines below the title; for a card, only while it is open. */
  readonly lines: readonly { readonly text: string }[];
  readonly role: Role;
  /** The states of a proposal's hunks. */
  readonly tally: Tally | null;
  readonly isDiff?: boolean;
  /** What Enter opens. */
  readonly opens: { readonly suggestion: string } | { readonly checkpoint: string } | null;
}

/** A view's entries in order; an unchanged job's entries are the same objects. */
export type ChatEntries = (view: AgentView, now: number) => readonly ChatEntry[];

/** Makes the reader, which caches the entries of each job. */
export function createChatEntries(): ChatEntries {
  const keepJob = keepEach<JobSummary, readonly ChatEntry[]>();
  const keepAll = keepLast<readonly ChatEntry[]>();
  const streamed = createStreamEntry();
  return ({ jobs, events: allEvents, stream }, now) =>
    keepAll([jobs, allEvents, stream], () =>
      jobs.flatMap((job) => {
        const events = allEvents.get(job.id) ?? NO_EVENTS;
        const own = keepJob(job, [events], () => entriesOf(job, events, now));
        // Text that was streaming when a job ended is not an answer; it goes after the job's end.
        const isSaying = stream?.job === job.id && stream.text !== '' && job.status === 'running';
        return isSaying ? [...own, streamed(stream)] : own;
      }),
    );
}

const NO_EVENTS: readonly AgentEvent[] = [];

export const PLAIN = { title: [], remark: [], lines: [], role: 'text', tally: null, opens: null } as const;

function textLines(text: string): readonly { readonly text: string }[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => ({ text: line }));
}

/** The streaming text as a growing entry; complete lines stay the same objects. */
function createStreamEntry(): (stream: NonNullable<AgentView['stream']>) => ChatEntry {
  let last: { readonly text: string; readonly lines: readonly { readonly text: string }[] } = {
    text: '',
    lines: [],
  };
  return ({ job, text }) => {
    const isGrown = last.lines.length > 0 && text.startsWith(last.text);
    const kept = isGrown ? last.lines.slice(0, -1) : [];
    const from = isGrown ? last.text.length - (last.lines.at(-1)?.text.length ?? 0) : 0;
    const lines = [
      ...kept,
      ...text
        .slice(from)
        .split('\n')
        .map((line) => ({ text: line })),
    ];
    last = { text, lines };
    return { ...PLAIN, id: `${job} stream`, kind: 'message', lines };
  };
}

type Typed = AgentEventInput & { readonly cursor: number; readonly ts: number };

function entriesOf(job: JobSummary, events: readonly AgentEvent[], now: number): readonly ChatEntry[] {
  const entries = new Map<string, ChatEntry>();
  const instruction: ChatEntry = {
    ...PLAIN,
    id: `${job.id} instruction`,
    kind: 'instruction',
    title: [
      span('you ', 'key'),
      span(formatMoment(job.created_at, now), 'dim'),
      ...(job.rerun_of === null ? [] : [span(' once more', 'dim')]),
    ],
    lines: textLines(job.instruction),
  };
  entries.set(instruction.id, instruction);
  for (const event of events) {
    // Stored events were checked against their type's schema.
    for (const entry of entriesFor(job, event as unknown as Typed, entries)) entries.set(entry.id, entry);
  }
  return [...entries.values()];
}

/** The id of an entry for one part of a job: a question, a tool call. */
export const entryId = (job: Pick<JobSummary, 'id'>, what: string): string => `${job.id} ${what}`;

/** The entries that an event creates or changes. */
function entriesFor(
  job: JobSummary,
  event: Typed,
  entries: ReadonlyMap<string, ChatEntry>,
): readonly ChatEntry[] {
  const id = (what: string): string => entryId(job, what);
  switch (event.type) {
    case 'tool.call.requested':
      return [callCard(id(event.data.tool_call_id), event.data)];
    case 'tool.call.completed':
      return completedCall(id(event.data.tool_call_id), event.data, entries);
    case 'message.completed':
      return event.data.text.trim() === ''
        ? []
        : [
            {
              ...PLAIN,
              id: id(`message ${event.cursor}`),
              kind: 'message',
              title: event.data.unfinished ? [span('Not finished', 'dim')] : [],
              lines: textLines(event.data.text),
            },
          ];
    case 'clarification.requested':
      return [question(id(event.data.question_id), event.data)];
    case 'plan.updated':
      return [planCard(id('plan'), event.data)];
    case 'clarification.received':
      return answered(id(event.data.question_id), event.data.answer, entries);
    case 'diff.generated':
      return [proposal(id('proposal'), event.data)];
    case 'review.updated':
      return reviewed(entries.get(id('proposal')), event.data);
    case 'edits.refused':
      return [refused(id(`refused ${event.cursor}`), event.data)];
    case 'checkpoint.created':
      return [checkpoint(id(event.data.checkpoint_id), event.data.checkpoint_id)];
    case 'job.failed':
      return [...stoppedCalls(entries), failure(id('failure'), event.data.error)];
    default:
      return noteFor(id(`note ${event.cursor}`), event);
  }
}

/** A one-line note about an event. */
function noteFor(id: string, event: Typed): readonly ChatEntry[] {
  switch (event.type) {
    case 'apply.completed':
      return saved(id, event.data);
    case 'checkpoint.rollback.completed':
      return [
        note(
          id,
          'warn',
          `Rolled back ${firstFew(event.data.files, NAMED_FILES)}; the next save writes it to disk`,
        ),
      ];
    case 'checkpoint.rollback.failed':
      return [note(id, 'error', `Not rolled back: ${event.data.message}`)];
    case 'provider.selected':
      return [note(id, 'dim', `${event.data.model}: ${event.data.reason}`)];
    case 'provider.fallback':
      return [
        note(
          id,
          'warn',
          `Continues with ${event.data.to} instead of ${event.data.from}: ${event.data.reason}`,
        ),
      ];
    case 'provider.waiting':
      return [note(id, 'dim', `${event.data.reason} Retrying in ${event.data.wait_ms / 1000} s`)];
    case 'events.dropped':
      return [note(id, 'dim', `${count(event.data.count, 'older event')} of this job are no longer kept`)];
    default:
      return [];
  }
}

function saved(id: string, { files, conflicts = [] }: DataOf<'apply.completed'>): readonly ChatEntry[] {
  if (conflicts.length > 0)
    return [note(id, 'warn', `Not saved: ${firstFew(conflicts, NAMED_FILES)} in conflict`)];
  return files.length === 0 ? [] : [note(id, 'ok', `Saved ${firstFew(files, NAMED_FILES)}`)];
}

function note(id: string, role: Role, words: string): ChatEntry {
  return { ...PLAIN, id, kind: 'note', title: [foreign(words, role)] };
}

const NAMED_FILES = 3;

type DataOf<T extends AgentEventInput['type']> = Extract<AgentEventInput, { type: T }>['data'];

const CALL_WORDS: Readonly<Record<string, string>> = {
  search_project: 'Search',
  read_file: 'Read',
  list_files: 'List',
  clarify_user: 'Ask',
  propose_edits: 'Propose',
  execute: 'Run',
};

const capitalised = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);

const RUNNING = span('running', 'working');

/** Calls still running when their job ended. */
function stoppedCalls(entries: ReadonlyMap<string, ChatEntry>): readonly ChatEntry[] {
  return [...entries.values()].flatMap((entry) => {
    if (entry.title[0] === ASKS) return [asked(entry)];
    return entry.remark[0] === RUNNING ? [{ ...entry, remark: [span('stopped', 'dim')] }] : [];
  });
}

const ASKS = span('The model asks', 'waiting');
const asked = (entry: ChatEntry): ChatEntry => ({
  ...entry,
  title: [span('The model asked', 'dim')],
  remark: [],
});

function callCard(id: string, { tool, arguments: given }: DataOf<'tool.call.requested'>): ChatEntry {
  const about =
    given.query ?? given.file_path ?? given.path ?? given.glob ?? given.question ?? given.title ?? '';
  const lines = Object.entries(given).map(([name, value]) => ({ text: `${name}: ${JSON.stringify(value)}` }));
  return {
    ...PLAIN,
    id,
    kind: 'card',
    title: [foreign(`${CALL_WORDS[tool] ?? capitalised(tool)} `, 'key'), foreign(String(about))],
    remark: [RUNNING],
    lines,
  };
}

function completedCall(
  id: string,
  { tool, ok, result_count, duration_ms, error, file_map, summary = '' }: DataOf<'tool.call.completed'>,
  entries: ReadonlyMap<string, ChatEntry>,
): readonly ChatEntry[] {
  const begun = entries.get(id) ?? callCard(id, { tool, arguments: {}, tool_call_id: id });
  const found = result_count === undefined ? '' : ` ${count(result_count, RESULT_NOUNS[tool] ?? 'result')}`;
  const time = duration_ms === undefined ? '' : ` ${Math.round(duration_ms)} ms`;
  const card: ChatEntry = {
    ...begun,
    remark: ok
      ? [span(found, 'dim'), span(time, 'dim')]
      : [span(error === undefined ? 'failed' : 'refused', 'warn')],
    lines: [
      ...begun.lines,
      ...(summary === '' ? [] : [{ text: summary }]),
      ...(error === undefined ? [] : [{ text: error }]),
    ],
  };
  return file_map === undefined ? [card] : [card, mapCard(`${id} map`, mapOf(file_map))];
}

const RESULT_NOUNS: Readonly<Record<string, string>> = { read_file: 'line', list_files: 'file' };

type EventMap = NonNullable<DataOf<'tool.call.completed'>['file_map']>;

function mapOf({ text, file_path, symbol_count, total_lines, language }: EventMap): ShownMap {
  return { text, filePath: file_path, symbolCount: symbol_count, totalLines: total_lines, language };
}

/** A file's outline as a card that opens to all of it. */
export function mapCard(id: string, map: ShownMap): ChatEntry {
  const lines = textLines(map.text);
  // The header between its rules repeats the card's own row.
  const head = lines.findLastIndex(({ text }) => /^─+$/.test(text));
  const title = [foreign(collapsedLine(map))];
  return { ...PLAIN, id, kind: 'card', title, lines: lines.slice(head + 1) };
}

function question(
  id: string,
  { question: text, options = [] }: DataOf<'clarification.requested'>,
): ChatEntry {
  const choices = options.map((words, index) => ({ text: `  ${index + 1}  ${words}` }));
  return {
    ...PLAIN,
    id,
    kind: 'question',
    title: [ASKS],
    remark: choices.length === 0 ? [] : [span('Enter answers', 'dim')],
    lines: [...textLines(text), ...choices],
  };
}

const STEP_MARKS = { completed: '[x]', in_progress: '[>]', pending: '[ ]' } as const;

/** An agent's current plan; it stays where it was first shown. */
function planCard(id: string, { steps }: DataOf<'plan.updated'>): ChatEntry {
  const done = steps.filter(({ status }) => status === 'completed').length;
  const now = steps.find(({ status }) => status === 'in_progress');
  return {
    ...PLAIN,
    id,
    kind: 'card',
    title: [span('Plan ', 'key'), foreign(now?.text ?? count(steps.length, 'step'))],
    remark: [span(`${done} of ${steps.length} done`, 'dim')],
    lines: steps.map(({ text, status }) => ({ text: `${STEP_MARKS[status]} ${text}` })),
  };
}

function answered(id: string, answer: string, entries: ReadonlyMap<string, ChatEntry>): readonly ChatEntry[] {
  const question = entries.get(id);
  const reply = answer === NO_USER_ANSWER ? 'skipped' : answer;
  const entry: ChatEntry = {
    ...PLAIN,
    id: `${id} answer`,
    kind: 'instruction',
    title: [span('you ', 'key'), span('answer', 'dim')],
    lines: textLines(reply),
  };
  return question === undefined ? [entry] : [asked(question), entry];
}

function proposal(id: string, data: DataOf<'diff.generated'>): ChatEntry {
  return {
    ...PLAIN,
    id,
    kind: 'proposal',
    title: [
      span('Proposal ', 'strong'),
      span(`${count(data.hunk_count, 'hunk')} in ${count(data.file_count, 'file')}`),
    ],
    remark: [span('not decided', 'waiting')],
    opens: { suggestion: data.suggestion_id },
  };
}

function reviewed(shown: ChatEntry | undefined, data: DataOf<'review.updated'>): readonly ChatEntry[] {
  if (shown === undefined) return [];
  const { accepted, rejected, pending: open, conflicts: conflict } = data;
  return [{ ...shown, remark: [], tally: { accepted, rejected, open, conflict } }];
}

function refused(id: string, { attempt, faults, summary = '' }: DataOf<'edits.refused'>): ChatEntry {
  const what = faults.length === 0 ? 'Answer' : count(faults.length, 'edit');
  return {
    ...PLAIN,
    id,
    kind: 'card',
    title: [span(`${what} sent back to the model`, 'dim')],
    remark: [span(`attempt ${attempt}`, 'dim')],
    lines: faults.length === 0 ? textLines(summary) : faults.map(({ message }) => ({ text: message })),
  };
}

function checkpoint(id: string, of: string): ChatEntry {
  return { ...note(id, 'dim', 'Checkpoint of the files before this'), opens: { checkpoint: of } };
}

function failure(id: string, { code, message, hint }: DataOf<'job.failed'>['error']): ChatEntry {
  const role = code === 'cancelled' ? 'dim' : 'error';
  return {
    ...PLAIN,
    id,
    kind: 'failure',
    title: [span(role === 'dim' ? 'Stopped' : 'Failed', role)],
    lines: [...textLines(message), ...(hint ? textLines(hint) : [])],
    role,
  };
}
