/** `copane eval`: measures the agent on the tasks of this repository, with recordings or the configured models. */
import path from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { type EvalMode, formatMetrics, type TaskRun } from '../../evals/agent/metrics.ts';
import type { TraceEntry } from '../../evals/agent/replay.ts';
import { type EvalRow, runEval } from '../../evals/agent/run-eval.ts';
import type { EvalTask } from '../../evals/agent/task.ts';
import { readTasks, writeTraces } from '../../evals/agent/task-files.ts';
import { loadConfig } from '../app/config/load-config.ts';
import { packageRoot } from '../app/init/place.ts';
import { count } from '../lib/count.ts';
import { fail, type Result } from '../lib/result.ts';
import { copanePaths } from '../platform/paths.ts';
import { type CliContext, ExitWith, refuse, subcommand, unwrap } from './cli-context.ts';
import { JSON_OPTION } from './options.ts';
import { line } from './review-output.ts';

interface EvalFlags {
  readonly mode?: readonly EvalMode[];
  readonly folder?: string;
  readonly record?: boolean;
  readonly inputPrice?: number;
  readonly outputPrice?: number;
}

const MODES: readonly EvalMode[] = ['replay', 'remote', 'local', 'hybrid_auto'];

function modes(value: string, before: readonly EvalMode[] = []): readonly EvalMode[] {
  const mode = MODES.find((one) => one === value);
  if (mode === undefined) throw new InvalidArgumentError(`It must be one of ${MODES.join(', ')}.`);
  return [...before, mode];
}

function dollars(value: string): number {
  const price = Number(value);
  if (!Number.isFinite(price) || price < 0) throw new InvalidArgumentError('It must be a number of dollars.');
  return price;
}

export function command(context: CliContext): Command {
  return subcommand('eval', context)
    .description('measure how well the agent does a set of tasks')
    .argument('[tasks...]', 'only these, by name')
    .option('--mode <mode>', `${MODES.join(', ')}; again for more rows (default: replay)`, modes)
    .option('--folder <dir>', 'tasks and recordings (default: those of this repository)')
    .option('--record', 'save the answers of a live model as the recordings of the folder')
    .option('--input-price <dollars>', 'of a million tokens, for the cost of a remote model', dollars)
    .option('--output-price <dollars>', 'likewise', dollars)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `
replay  plays recordings: it finds what a change of copane broke, and tells nothing about any model.
The others ask the models of the configuration, and cost what those cost. Exit code 1: a task was not done.`,
    )
    .action((names: string[], flags: EvalFlags) => evaluate(context, names, flags));
}

async function evaluate(context: CliContext, names: readonly string[], flags: EvalFlags): Promise<void> {
  const folder = path.resolve(context.cwd, flags.folder ?? path.join(packageRoot(), 'evals/agent'));
  const tasks = unwrap(context, chosen(unwrap(context, await readTasks(folder)), names));
  const wanted = flags.mode ?? ['replay'];
  // A folder holds recordings of one model and one prompt.
  if (flags.record === true && (wanted.length !== 1 || wanted[0] === 'replay' || names.length > 0)) {
    refuse(context, 'invalid', '--record needs exactly one live --mode, and no task names.');
  }
  const paths = copanePaths(context.env);
  const traces = new Map<string, TraceEntry[]>();
  const { inputPrice: input, outputPrice: output } = flags;
  const rows: EvalRow[] = [];
  for (const mode of wanted) {
    const setup = {
      folder,
      tasks,
      config: loadConfig(paths.configFile, context.env).config,
      env: context.env,
      keysFile: path.join(path.dirname(paths.configFile), 'keys.json'),
      dataDir: paths.dataDir,
      price: input === undefined || output === undefined ? null : { input, output },
      onRun: (_: EvalMode, run: TaskRun) => tell(context, mode, run),
      onStep: (task: string, entry: TraceEntry) => traces.set(task, [...(traces.get(task) ?? []), entry]),
    };
    rows.push(unwrap(context, await runEval(setup, mode)));
  }
  if (flags.record === true) await writeTraces(folder, traces);
  if (context.json) context.out(line(rows));
  else context.out(formatMetrics(rows.map(({ metrics }) => metrics)));
  if (rows.some(({ metrics }) => metrics.succeeded < metrics.tasks)) throw new ExitWith(1);
}

function chosen(tasks: readonly EvalTask[], names: readonly string[]): Result<readonly EvalTask[]> {
  const unknown = names.find((name) => !tasks.some((task) => task.name === name));
  if (unknown !== undefined) return fail('not_found', `There is no task ${unknown}.`);
  return { ok: true, value: names.length === 0 ? tasks : tasks.filter(({ name }) => names.includes(name)) };
}

function tell(context: CliContext, mode: EvalMode, { task, faults, toolCalls, latencyMs }: TaskRun): void {
  const mark = faults.length === 0 ? '✓' : '✗';
  const time = mode === 'replay' ? '' : `  ${(latencyMs / 1000).toFixed(1)} s`;
  context.say(`${mark} ${mode}  ${task}  ${count(toolCalls, 'call')}${time}`);
  for (const fault of faults) context.say(`    ${fault}`);
}
