/** Rollback for commands: recorded in the job's events, after which the states of the jobs are updated. */
import { ok, type Result } from '../../lib/result.ts';
import type { RollbackMode } from '../../protocol/agent.ts';
import type { RollbackResult } from '../../protocol/commands/agent.ts';
import type { ChangeLog } from '../change-log.ts';
import type { JobBook } from '../job-book.ts';
import type { Jobs } from '../jobs.ts';
import type { Checkpoints } from './checkpoints.ts';

export interface RollBackParts {
  readonly checkpoints: Checkpoints;
  readonly book: JobBook;
  readonly jobs: Jobs;
  readonly logOf: (root: string) => ChangeLog;
}

/** Rolls a checkpoint back, or previews that. */
export async function rollBack(
  { checkpoints, book, jobs, logOf }: RollBackParts,
  id: string,
  wanted: { readonly mode: RollbackMode; readonly hunkIds: readonly string[]; readonly preview: boolean },
): Promise<Result<RollbackResult>> {
  const stored = checkpoints.get(id);
  if (!stored.ok) return stored;
  const { job_id: job } = stored.value.checkpoint;
  const tell = (event: Parameters<JobBook['step']>[1]['events']) => {
    if (job !== null && !wanted.preview && book.get(job).ok) book.step(job, { events: event ?? [] });
  };
  const about = { checkpoint_id: id, mode: wanted.mode };
  tell([{ type: 'checkpoint.rollback.started', data: { summary: wanted.mode, ...about } }]);
  const done = await checkpoints.rollback(logOf(stored.value.root), stored.value, wanted);
  if (!done.ok || done.value.status === 'conflict') {
    const message = done.ok ? (done.value.conflicts[0]?.reason ?? 'conflict') : done.error.message;
    tell([{ type: 'checkpoint.rollback.failed', data: { summary: message, checkpoint_id: id, message } }]);
    return done;
  }
  const files = done.value.files.map((file) => file.file_path);
  const undo = done.value.undo_checkpoint_id;
  const summary = `${wanted.mode}: ${files.length} files`;
  tell([
    { type: 'checkpoint.rollback.completed', data: { summary, ...about, files, undo_checkpoint_id: undo } },
  ]);
  const settled = wanted.preview ? ok(undefined) : await jobs.settleAll(stored.value.root);
  return settled.ok ? done : settled;
}
