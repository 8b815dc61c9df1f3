/** What `copane agent` and `copane trace` print: jobs, events, conflicts. */

import { count } from '../lib/count.ts';
import { oneLine } from '../lib/sanitize.ts';
import type { AgentEvent, AgentJob } from '../protocol/agent.ts';
import type {
  AgentConflict,
  AgentSaveResult,
  JobSummary,
  RollbackResult,
} from '../protocol/commands/agent.ts';
import { type CliContext, EXIT_CONFLICT, ExitWith } from './cli-context.ts';
import { warningLines } from './review-output.ts';

const words = (status: string) => status.replaceAll('_', ' ');
const firstLine = (text: string) => text.split('\n')[0] ?? '';

/** A job in one line. */
export function jobLine(job: JobSummary): string {
  const reason = job.error === null ? '' : ` (${job.error.code})`;
  return `${job.id}  ${words(job.status)}${reason}  ${firstLine(job.instruction)}`;
}

/** An event in one line: when, what, and its summary. */
export function eventLine(event: AgentEvent): string {
  const time = new Date(event.ts).toISOString().slice(11, 23);
  const summary = typeof event.data.summary === 'string' ? event.data.summary : '';
  return `${String(event.cursor).padStart(5)}  ${time}  ${event.type.padEnd(30)}  ${firstLine(summary || detailOf(event))}`;
}

function detailOf({ data }: AgentEvent): string {
  const { tool, text, reason, message } = data;
  return [tool, text, reason, message].find((part) => typeof part === 'string') ?? '';
}

/** Streams the text of a model between the lines of events. */
export class LiveText {
  readonly #write: (text: string) => void;
  #shown = '';

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** Shows what is new in `text`, the whole current message so far. */
  show(text: string): void {
    if (!text.startsWith(this.#shown)) this.end();
    this.#write(text.slice(this.#shown.length));
    this.#shown = text;
  }

  /** Ends the message; true if some of it was shown. */
  end(): boolean {
    const hasShown = this.#shown !== '';
    if (hasShown && !this.#shown.endsWith('\n')) this.#write('\n');
    this.#shown = '';
    return hasShown;
  }
}

/** The hunks of a job with their diffs. */
export function printJob(context: CliContext, job: AgentJob): void {
  context.show(`${jobLine(job)}\n`);
  if (job.message !== null && job.message !== '') context.show(`\n${job.message}\n`);
  for (const file of job.diff_bundle?.files ?? []) {
    const to = file.new_path === null ? '' : ` → ${oneLine(file.new_path)}`;
    const state = file.conflict === null ? (file.saved ? '  saved' : '') : `  ! ${oneLine(file.conflict)}`;
    context.show(`\n${file.change}  ${oneLine(file.file_path)}${to}${state}\n`);
    for (const hunk of file.hunks) {
      const mark = hunk.accepted === null ? '◌' : hunk.accepted ? '✓' : '✗';
      const notes = [hunk.oversized_hunk ? 'oversized' : '', hunk.conflict ?? ''].filter(
        (note) => note !== '',
      );
      context.show(`${[`${mark} ${hunk.hunk_id}`, ...notes.map(oneLine)].join('  ')}\n`);
      context.show(`${warningLines(hunk)}${hunk.patch}\n`);
    }
  }
  if (job.error !== null) context.say(`copane: ${job.error.message}`);
  if (job.error?.hint != null) context.say(`  ${job.error.hint}`);
}

/** Reports a save; exits with the conflict code if there is a conflict. */
export function tellSave(context: CliContext, saved: AgentSaveResult): void {
  for (const file of saved.applied_files) {
    const rejected = file.rejected_hunks === 0 ? '' : `, ${file.rejected_hunks} rejected`;
    context.show(`${oneLine(file.file_path)}  ${count(file.applied_hunks, 'hunk')}${rejected}\n`);
  }
  if (saved.status === 'completed') return;
  tellConflicts(
    context,
    saved.conflicts,
    'Nothing was written. Run the job again (copane agent rerun JOB), merge (copane agent merge FILE), or name other files.',
  );
}

/** Reports a rollback or its preview; exits with the conflict code if there is a conflict. */
export function tellRollback(context: CliContext, done: RollbackResult): void {
  for (const file of done.files) {
    context.show(`${oneLine(file.file_path)}\n${file.diff}\n`);
  }
  if (done.later_hunks > 0) {
    const go = done.later_hunks === 1 ? 'goes' : 'go';
    context.say(`copane: ${count(done.later_hunks, 'later change')} of these files ${go} as well.`);
  }
  switch (done.status) {
    case 'preview':
      context.say('copane: This was a preview; add --yes to do it.');
      return;
    case 'unchanged':
      context.say('copane: This changes nothing.');
      return;
    case 'completed':
      context.say('copane: Done in the working text; "copane agent save" writes it to disk.');
      context.say(`copane: "copane agent rollback ${done.undo_checkpoint_id} --yes" undoes it.`);
      return;
    case 'conflict':
      tellConflicts(
        context,
        done.conflicts,
        'Nothing was done. Leave these hunks out, or roll back the whole run.',
      );
  }
}

function tellConflicts(context: CliContext, conflicts: readonly AgentConflict[], hint: string): never {
  for (const { file_path, hunk_id, reason } of conflicts) {
    const where = hunk_id === null ? file_path : `${file_path} (${hunk_id})`;
    context.say(`copane: ${oneLine(where)}: ${oneLine(reason)}`);
  }
  context.say(`  ${hint}`);
  throw new ExitWith(EXIT_CONFLICT);
}
