/** The way back as commands use it: told in the job's events, and the jobs looked at again after it. */
import { ok, type Result } from '../../lib/result.ts';
import type { Checkpoint, RollbackMode } from '../../protocol/agent.ts';
import type { CommandResult } from '../../protocol/command.ts';
import type { RollbackResult } from '../../protocol/commands/agent.ts';
import type { ChangeLog } from '../change-log.ts';
import type { JobBook } from '../job-book.ts';
import type { JobDesk } from '../job-desk.ts';
import type { StoredCheckpoint } from '../records.ts';
import type { Checkpoints } from './checkpoints.ts';

export interface RollbackDeskOptions {
  readonly checkpoints: Checkpoints;
  readonly book: JobBook;
  readonly jobs: JobDesk;
  readonly logOf: (root: string) => ChangeLog;
}

export class RollbackDesk {
  readonly #options: RollbackDeskOptions;

  constructor(options: RollbackDeskOptions) {
    this.#options = options;
  }

  /** Of a session, of a folder, or all; the newest first. */
  list(session: string | null, root: string | null): Checkpoint[] {
    return this.#options.checkpoints.list(session, root);
  }

  checkpoint(id: string): Result<StoredCheckpoint> {
    return this.#options.checkpoints.get(id);
  }

  /** Forgets a checkpoint; what it was of stays as it is. */
  forget(id: string): Result<CommandResult<'agent/forget-checkpoint'>> {
    const found = this.checkpoint(id);
    return found.ok ? this.#options.checkpoints.forget(id) : found;
  }

  async diff3(id: string, filePath: string): Promise<Result<CommandResult<'agent/diff3'>>> {
    const stored = this.checkpoint(id);
    if (!stored.ok) return stored;
    return this.#options.checkpoints.diff3(this.#options.logOf(stored.value.root), stored.value, filePath);
  }

  async rollback(
    id: string,
    wish: { readonly mode: RollbackMode; readonly hunkIds: readonly string[]; readonly preview: boolean },
  ): Promise<Result<RollbackResult>> {
    const { checkpoints, logOf, book } = this.#options;
    const stored = this.checkpoint(id);
    if (!stored.ok) return stored;
    const { job_id: job } = stored.value.checkpoint;
    const tell = (event: Parameters<JobBook['step']>[1]['events']) => {
      if (job !== null && !wish.preview && book.get(job).ok) book.step(job, { events: event ?? [] });
    };
    const about = { checkpoint_id: id, mode: wish.mode };
    tell([{ type: 'checkpoint.rollback.started', data: { summary: wish.mode, ...about } }]);
    const done = await checkpoints.rollback(logOf(stored.value.root), stored.value, wish);
    if (!done.ok || done.value.status === 'conflict') {
      const message = done.ok ? (done.value.conflicts[0]?.reason ?? 'conflict') : done.error.message;
      tell([{ type: 'checkpoint.rollback.failed', data: { summary: message, checkpoint_id: id, message } }]);
      return done;
    }
    const files = done.value.files.map((file) => file.file_path);
    const undo = done.value.undo_checkpoint_id;
    const summary = `${wish.mode}: ${files.length} files`;
    tell([
      { type: 'checkpoint.rollback.completed', data: { summary, ...about, files, undo_checkpoint_id: undo } },
    ]);
    const settled = wish.preview ? ok(undefined) : await this.#options.jobs.settleAll(stored.value.root);
    return settled.ok ? done : settled;
  }
}
