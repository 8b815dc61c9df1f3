/** `copane agent`: jobs that propose edits, their review on the command line, saves and rollbacks. */
import path from 'node:path';
import { type Command, Option } from 'commander';
import { saveProject } from '../app/agent/save-project.ts';
import { count } from '../lib/count.ts';
import { fail, type Result } from '../lib/result.ts';
import { oneLine } from '../lib/sanitize.ts';
import type { Client } from '../protocol/client.ts';
import type { CommandResult } from '../protocol/command.ts';
import type { AgentSaveResult } from '../protocol/commands/agent.ts';
import { ACCEPT_RUNNING_HINT, filesThatRun, runningWords } from '../review/core/many-question.ts';
import { jobLine, printJob, tellRollback, tellSave } from './agent-output.ts';
import { clarify, type RunFlags, rerun, run } from './agent-run.ts';
import { addTexts, type SessionFlags, sessionOf } from './agent-texts.ts';
import { confirm } from './ask.ts';
import {
  type CliContext,
  EXIT_CONFLICT,
  ExitWith,
  refuse,
  subcommand,
  subcommandsOf,
  unwrap,
  wholeNumber,
} from './cli-context.ts';
import { collect, JSON_OPTION, readInput } from './options.ts';
import { line, withHost, withReviewer } from './review-output.ts';
import { addTrace } from './trace.ts';

export function command(context: CliContext): Command {
  const group = subcommand('agent', context).description(
    'let a model propose edits; nothing is written until you save',
  );
  const add = subcommandsOf(group);
  addRuns(add, context);
  addLooks(add, context);
  addCheckpoints(add, context);
  addDecisions(add, context);
  addTexts(add, context);
  addTrace(add('trace'), context);
  return group;
}

type Add = (name: string) => Command;

const NO_INSTRUCTION = 'Say what to do: copane agent run "Rename Setup to Install in all notes"';

function addRuns(add: Add, context: CliContext): void {
  add('run')
    .description('start a job and follow it; "-" reads the instruction from stdin')
    .argument('<instruction...>', 'what to do')
    .option('--root <dir>', 'the project folder', '.')
    .option('--session <id>', 'continue this session instead of starting a new one')
    .option(
      '--context <file[:a-b]>',
      'show the model this file, or lines of it; may be given more than once',
      collect,
    )
    .addOption(new Option('--mode <mode>', 'which model').choices(['local', 'remote', 'hybrid_auto', 'acp']))
    .option('--max-tool-calls <n>', 'limit on tool calls', wholeNumber(1))
    .option('--confirm', 'the model asks before it proposes edits')
    .option('--detach', 'print the id of the job and return at once')
    .option(...JSON_OPTION)
    .action(async (words: string[], flags: RunFlags) => {
      const text = words.join(' ');
      const instruction = text === '-' ? unwrap(context, await readInput('-', context)) : text;
      if (instruction.trim() === '') refuse(context, 'invalid', 'The instruction is empty.', NO_INSTRUCTION);
      return run(context, instruction, flags);
    });
  add('rerun')
    .description("run a job's instruction again, with the files as they are now")
    .argument('<job>')
    .option('--detach', 'print the id of the new job and return at once')
    .option(...JSON_OPTION)
    .action((job: string, flags: RunFlags) => rerun(context, job, flags));
  add('clarify')
    .description("answer a waiting job's question")
    .argument('<job>')
    .argument('[answer...]')
    .option('--skip', 'tell the model that there is no answer')
    .option('--detach', 'do not wait')
    .option(...JSON_OPTION)
    .action((job: string, answer: string[], flags: RunFlags & { skip?: boolean }) =>
      clarify(context, job, answer.join(' '), flags),
    );
  add('cancel')
    .description('end a job')
    .argument('<job>')
    .option(...JSON_OPTION)
    .action(async (job: string) => {
      const cancelled = await withHost(context, (client) => client.request('agent/cancel', { job_id: job }));
      context.json ? context.out(line(cancelled)) : context.show(`${jobLine(cancelled)}\n`);
    });
}

interface JobsFlags {
  readonly session?: string;
  readonly all?: boolean;
  readonly root?: string;
}

function addLooks(add: Add, context: CliContext): void {
  add('jobs')
    .description('list the jobs of this project, newest first')
    .option('--session <id>', 'only those of this session')
    .option('--root <dir>', 'the project folder', '.')
    .option('--all', 'those of every project')
    .option(...JSON_OPTION)
    .action(async (flags: JobsFlags) => {
      const root =
        flags.all || flags.session !== undefined ? null : path.resolve(context.cwd, flags.root ?? '.');
      const jobs = await withHost(context, (client) =>
        client.request('agent/jobs', { session_id: flags.session ?? null, root }),
      );
      if (context.json) context.out(line(jobs));
      else for (const job of jobs) context.show(`${jobLine(job)}\n`);
      if (jobs.length === 0) context.say('copane: No jobs. "copane agent run …" starts one.');
    });
  add('sessions')
    .description('list sessions, most recent first')
    .option('--archived', 'include archived sessions')
    .option(...JSON_OPTION)
    .action(async (flags: { archived?: boolean }) => {
      const sessions = await withHost(context, (client) =>
        client.request('agent/sessions', { archived: flags.archived ?? false }),
      );
      if (context.json) context.out(line(sessions));
      else
        for (const one of sessions)
          context.show(`${[one.id, sessionState(one), oneLine(one.root), oneLine(one.title)].join('  ')}\n`);
    });
  add('archive')
    .description('archive a session')
    .argument('<session>')
    .option(...JSON_OPTION)
    .action(async (session: string) => {
      const put = await withHost(context, (client) =>
        client.request('agent/archive', { session_id: session }),
      );
      context.out(context.json ? line(put) : `${put.id}  ${put.status}\n`);
    });
  add('show')
    .description('show a job and its hunks')
    .argument('<job>')
    .option(...JSON_OPTION)
    .action(async (job: string) => {
      const found = await withHost(context, (client) => client.request('agent/job', { job_id: job }));
      if (context.json) context.out(line(found));
      else printJob(context, found);
    });
}

function sessionState({ status, last_job_status: last }: CommandResult<'agent/sessions'>[number]): string {
  return status === 'archived' ? 'put away' : (last ?? 'new').replaceAll('_', ' ');
}

function addCheckpoints(add: Add, context: CliContext): void {
  add('checkpoints')
    .description('list the checkpoints of this project, newest first; they outlive their sessions')
    .option('--session <id>', 'only those of this session')
    .option('--root <dir>', 'the project folder', '.')
    .option(...JSON_OPTION)
    .action(async (flags: JobsFlags) => {
      const { session } = flags;
      const root = session === undefined ? path.resolve(context.cwd, flags.root ?? '.') : null;
      const kept = await withHost(context, (client) =>
        client.request('agent/checkpoints', { session_id: session ?? null, root }),
      );
      if (context.json) return context.out(line(kept));
      for (const one of kept) {
        const before = one.kind === 'run' ? `before ${one.job_id}` : 'before a rollback';
        const [first, ...others] = one.affected_files.map((file) => oneLine(file.file_path));
        const files = others.length === 0 ? (first ?? '') : `${first} and ${others.length} more`;
        context.show(
          `${one.checkpoint_id}  ${new Date(one.created_at).toISOString()}  ${before}  ${files}\n`,
        );
      }
    });
  add('forget')
    .description('delete a checkpoint; no file changes')
    .argument('<checkpoint>')
    .option(...JSON_OPTION)
    .action(async (checkpoint: string) => {
      const deleted = await withReviewer(context, (client) =>
        client.request('agent/forget-checkpoint', { checkpoint_id: checkpoint }),
      );
      if (context.json) context.out(line(deleted));
      else context.say(`copane: ${deleted.checkpoint_id} is deleted.`);
    });
  add('diff3')
    .description("print the merge of a file's three texts: now, before the run, and as proposed")
    .argument('<checkpoint>')
    .argument('<file>', 'by its path in the project')
    .option(...JSON_OPTION)
    .action(async (checkpoint: string, file: string) => {
      const sides = await withHost(context, (client) =>
        client.request('agent/diff3', { checkpoint_id: checkpoint, file_path: file }),
      );
      context.out(context.json ? line(sides) : sides.merged);
      if (sides.conflicts > 0) context.say(`copane: ${count(sides.conflicts, 'conflict')}.`);
    });
}

function addDecisions(add: Add, context: CliContext): void {
  add('apply')
    .description('accept these hunks of a job, reject the others, and write its files')
    .argument('<job>')
    .argument('[hunks...]')
    .option('--all', 'every hunk')
    .option('--accept-self-running', 'with --all: also accept files that run by themselves')
    .option(...JSON_OPTION)
    .action((job: string, hunks: string[], flags: ApplyFlags) => apply(context, job, hunks, flags));
  add('save')
    .description('write decided changes to disk')
    .argument('[files...]', 'only these, by their paths in the project')
    .option('--session <id>', "only this session's changes (default: the whole project)")
    .option('--root <dir>', 'the project folder', '.')
    .option(...JSON_OPTION)
    .action((files: string[], flags: JobsFlags) => save(context, files, flags));
  add('rollback')
    .description('undo a run in the working text; shows what would change, and does it with --yes')
    .argument('<checkpoint>', 'a checkpoint, or the job it was made for')
    .option('--hunk <id>', 'only this hunk, keeping newer edits elsewhere; again for more', collect)
    .option('--yes', 'do it')
    .option(...JSON_OPTION)
    .action((checkpoint: string, flags: RollbackFlags) => rollback(context, checkpoint, flags));
}

interface ApplyFlags {
  readonly all?: boolean;
  readonly acceptSelfRunning?: boolean;
}

async function apply(
  context: CliContext,
  jobId: string,
  hunks: readonly string[],
  flags: ApplyFlags,
): Promise<void> {
  const saved = await withReviewer(context, async (client) => {
    const job = await client.request('agent/job', { job_id: jobId });
    if (!job.ok) return job;
    const every =
      job.value.diff_bundle?.files.flatMap(({ file_path, new_path, hunks: some }) =>
        some.map((hunk) => ({ ...hunk, file: new_path ?? file_path })),
      ) ?? [];
    if (!flags.all && hunks.length === 0) {
      return fail(
        'invalid',
        'Name the hunks to accept, or add --all.',
        `"copane agent show ${jobId}" lists them.`,
      );
    }
    const running = flags.all && !flags.acceptSelfRunning ? filesThatRun(every) : [];
    const question = `${runningWords(running)} Accept them too?`;
    if (running.length > 0 && !(context.stdin.isTTY && (await confirm(context, question)))) {
      return fail('refused', `${runningWords(running)} Nothing was written.`, ACCEPT_RUNNING_HINT);
    }
    return client.request('agent/apply', {
      session_id: job.value.session_id,
      job_id: jobId,
      accepted_hunk_ids: flags.all ? every.map(({ hunk_id }) => hunk_id) : [...hunks],
    });
  });
  if (!context.json) return tellSave(context, saved);
  context.out(line(saved));
  if (saved.status === 'conflict') throw new ExitWith(EXIT_CONFLICT);
}

interface RollbackFlags {
  readonly hunk?: readonly string[];
  readonly yes?: boolean;
}

async function rollback(context: CliContext, checkpoint: string, flags: RollbackFlags): Promise<void> {
  const work = async (client: Client) => {
    const job = checkpoint.startsWith('job_')
      ? await client.request('agent/job', { job_id: checkpoint })
      : null;
    if (job !== null && !job.ok) return job;
    return client.request('agent/rollback', {
      checkpoint_id: job === null ? checkpoint : (job.value.checkpoint_id ?? checkpoint),
      mode: flags.hunk === undefined ? 'hard_all' : 'scoped_selected',
      hunk_ids: [...(flags.hunk ?? [])],
      preview: flags.yes !== true,
    });
  };
  const done = await (flags.yes ? withReviewer(context, work) : withHost(context, work));
  if (!context.json) return tellRollback(context, done);
  context.out(line(done));
  if (done.status === 'conflict') throw new ExitWith(EXIT_CONFLICT);
}

async function save(context: CliContext, files: readonly string[], flags: SessionFlags): Promise<void> {
  const saved = await withReviewer(context, (client) => saveBy(context, client, files, flags));
  if (context.json) context.out(line(saved));
  else tellSave(context, writtenOf(saved));
  if (saved.status === 'conflict') throw new ExitWith(EXIT_CONFLICT);
  const isNothing = saved.written_files.length === 0;
  if (isNothing && !context.json) context.say('copane: Nothing to save: every decision is on disk.');
}

async function saveBy(
  context: CliContext,
  client: Client,
  files: readonly string[],
  flags: SessionFlags,
): Promise<Result<AgentSaveResult>> {
  if (flags.session === undefined && files.length === 0)
    return saveProject(client, path.resolve(context.cwd, flags.root ?? '.'));
  const session = await sessionOf(context, client, flags);
  return client.request('agent/save', { ...session, files: [...files] });
}

/** Only the changes that this save wrote; files without hunks, such as the user's own edits, are left out. */
function writtenOf(saved: AgentSaveResult): AgentSaveResult {
  const known = new Map(saved.applied_files.map((file) => [file.file_path, file]));
  const none = { applied_hunks: 0, rejected_hunks: 0 };
  const applied_files = saved.written_files.map((file) => known.get(file) ?? { file_path: file, ...none });
  return { ...saved, applied_files };
}
