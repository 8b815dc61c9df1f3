/** The recorded replies of real small models score as well as before, or better. */
import { describe, expect, test } from 'vitest';
import { ok } from '../../../src/lib/result.ts';
import { agentLimitsSchema } from '../../../src/protocol/agent.ts';
import { configSchema } from '../../../src/protocol/config.ts';
import { idleChecks } from '../judge.ts';
import { runTask } from '../run-task.ts';
import { type RecordedJob, type Recording, readRecordings, replayingReplies } from './recording.ts';
import { ENDS } from './score.ts';
import { ONE_FILE_TASKS } from './tasks.ts';

/** How the job ends now. */
async function played(recording: Recording, job: RecordedJob): Promise<RecordedJob['ends']> {
  const task = ONE_FILE_TASKS.find(({ name }) => name === job.task);
  if (task === undefined) throw new Error(`There is no task ${job.task}.`);
  const stage = {
    mode: 'remote' as const,
    models: configSchema.parse({}),
    limits: agentLimitsSchema.parse({}),
    env: { PATH: process.env.PATH },
    maps: null,
    provider: async () => ok(replayingReplies(recording, job)),
  };
  const run = await runTask(stage, task);
  if (!run.ok) throw new Error(run.error.message);
  if (run.value.faults.length === 0) return 'right';
  return run.value.hunks.total > 0 ? 'wrong' : 'none';
}

test.each(ONE_FILE_TASKS.map((task) => [task.name, task] as const))(
  '%s is not done before the job',
  (_, task) => {
    expect(idleChecks(task).length).toBeLessThan(task.checks.length);
  },
);

describe.each(readRecordings().map((one) => [`${one.model}, ${one.tools}`, one] as const))(
  '%s',
  (_, recording) => {
    const jobs = recording.jobs.map((job) => [job.task, job] as const);
    test.each(jobs)('%s', async (_name, job) => {
      // Which changed places a reviewer would reject is not tested here.
      const least = job.ends === 'usable' ? 'wrong' : job.ends;
      expect(ENDS.indexOf(await played(recording, job))).toBeLessThanOrEqual(ENDS.indexOf(least));
    });
  },
);
