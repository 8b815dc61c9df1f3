/**
 * The evaluation: runs every task with recordings, or with the configured models, and counts. A recording is never
 * shown as a local or a hybrid run.
 */

import { createProvider } from '../../src/agent/providers/models.ts';
import { agentFileMaps, openFileMaps } from '../../src/app/file-maps.ts';
import { ok, type Result } from '../../src/lib/result.ts';
import type { Env } from '../../src/platform/paths.ts';
import { agentLimitsSchema } from '../../src/protocol/agent.ts';
import { type Config, configSchema } from '../../src/protocol/config.ts';
import { type EvalMode, type Metrics, metricsOf, type Price, type TaskRun } from './metrics.ts';
import { recording, replaying, type TraceEntry } from './replay.ts';
import { runTask, type TaskStage } from './run-task.ts';
import type { EvalTask } from './task.ts';
import { readTrace } from './task-files.ts';

export interface EvalSetup {
  /** Contains `traces/`. */
  readonly folder: string;
  readonly tasks: readonly EvalTask[];
  readonly config: Config;
  readonly env: Env;
  readonly keysFile: string;
  readonly dataDir: string;
  readonly price: Price | null;
  readonly onRun: (mode: EvalMode, run: TaskRun) => void;
  /** Receives every step of a live model. */
  readonly onStep: (task: string, entry: TraceEntry) => void;
}

export interface EvalRow {
  readonly metrics: Metrics;
  readonly runs: readonly TaskRun[];
}

/** One row of the table. */
export async function runEval(setup: EvalSetup, mode: EvalMode): Promise<Result<EvalRow>> {
  const stage = { ...(mode === 'replay' ? recorded(setup) : live(setup, mode)), env: setup.env };
  const maps = agentFileMaps(openFileMaps(setup.env).maps, () => undefined);
  const runs: TaskRun[] = [];
  for (const task of setup.tasks) {
    const run = await runTask({ ...stage, maps }, task);
    if (!run.ok) return run;
    runs.push(run.value);
    setup.onRun(mode, run.value);
  }
  return ok({ metrics: metricsOf(mode, runs, setup.price), runs });
}

type Models = Pick<TaskStage, 'mode' | 'models' | 'limits' | 'provider'>;

/** Uses the settings of the recordings: the defaults. */
function recorded({ folder }: EvalSetup): Models {
  return {
    mode: 'remote',
    models: configSchema.parse({}),
    limits: agentLimitsSchema.parse({}),
    provider: async (_, task) => {
      const trace = await readTrace(folder, task.name);
      return trace.ok ? ok(replaying(trace.value)) : trace;
    },
  };
}

function live(
  { config, env, keysFile, dataDir, onStep }: EvalSetup,
  mode: Exclude<EvalMode, 'replay'>,
): Models {
  const names = Object.keys(agentLimitsSchema.shape) as (keyof typeof agentLimitsSchema.shape)[];
  return {
    mode,
    models: config,
    limits: agentLimitsSchema.parse(Object.fromEntries(names.map((name) => [name, config[name]]))),
    provider: async (side, task) => {
      const made = await createProvider(side, { models: config, env, keysFile, dataDir, now: Date.now });
      return made.ok ? ok(recording(made.value, (entry) => onStep(task.name, entry))) : made;
    },
  };
}
