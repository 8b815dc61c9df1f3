/** Fixes what a process that is gone left behind: saves cut short, loops that ran, proposals that nobody was told of. */
import { ok, type Result } from '../lib/result.ts';
import type { Proposals } from '../review/proposals/proposals.ts';
import { type JobRunner, recoverJobs } from './job-runner.ts';
import type { Jobs } from './jobs.ts';
import type { AgentRecords } from './records.ts';
import type { Saves } from './saves.ts';

export interface RecoverOptions {
  readonly records: AgentRecords;
  readonly proposals: Proposals;
  readonly saves: Saves;
  readonly jobs: Jobs;
  readonly runner: JobRunner;
  readonly onDefect: (what: string, message: string) => void;
}

/** What could not be fixed stays kept, and is tried again; the rest goes on. */
export async function recoverAgent(options: RecoverOptions): Promise<Result<void>> {
  const { records, saves, jobs, runner, onDefect } = options;
  const saved = await saves.recover();
  if (!saved.ok) onDefect('fixing a save', saved.error.message);
  recoverJobs(records.jobs(null), runner);
  const ended = await endUntold(options);
  if (!ended.ok) return ended;
  // Decided on or saved while nobody listened.
  for (const root of records.roots()) {
    const settled = await jobs.settleAll(root);
    if (!settled.ok) onDefect(root, settled.error.message);
  }
  return ok(undefined);
}

/** A proposal whose job was cut off before it was told of is in nobody's hands. */
async function endUntold({ records, proposals }: RecoverOptions): Promise<Result<void>> {
  const roots = new Set(records.sessions().map((session) => session.root));
  for (const layer of [...roots].flatMap((root) => records.layers(root))) {
    if (layer.job === null || records.job(layer.job)?.suggestion === layer.suggestion) continue;
    const status = records.job(layer.job)?.job.status;
    if (status !== 'failed' && status !== 'queued' && status !== 'running') continue;
    const ended = await proposals.end(layer.suggestion, 'discarded');
    if (!ended.ok) return ended;
  }
  return ok(undefined);
}
