/** The input of a loop, and the handling of its answer: a proposal in the review, with its checkpoint. */
import { count } from '../../lib/count.ts';
import { ok, type Result } from '../../lib/result.ts';
import type { AgentLimits, AgentMode, ChatMessage, EditFault, ProposedEdit } from '../../protocol/agent.ts';
import type { Proposals } from '../../review/proposals/proposals.ts';
import { ChangeLog } from '../change-log.ts';
import type { Checkpoints } from '../checkpoints/checkpoints.ts';
import { decisionsAt } from '../checkpoints/plan-rollback.ts';
import type { JobBook } from '../job-book.ts';
import type { LoopWork } from '../job-runner.ts';
import type { Proposed, Proposer } from '../proposer.ts';
import type { StoredCheckpoint, StoredJob, StoredSession } from '../records.ts';
import type { LoopOutcome } from './port.ts';

/** The limit of a proposal's name in the review: the first line of the instruction. */
const DESCRIPTION_MAX_CHARACTERS = 200;

/** Author names begin with a small letter, so no token or program can use this name to see the user's data. */
const AGENT_AUTHOR = 'Agent';

export interface LoopEndsOptions {
  readonly book: JobBook;
  readonly proposals: Proposals;
  readonly checkpoints: Checkpoints;
  readonly proposer: Proposer;
  readonly limits: AgentLimits;
  readonly mode: () => AgentMode;
  readonly logOf: (root: string) => ChangeLog;
  readonly serial: <T>(work: () => Promise<Result<T>>) => Promise<Result<T>>;
}

export class LoopEnds {
  readonly #options: LoopEndsOptions;

  constructor(options: LoopEndsOptions) {
    this.#options = options;
  }

  prepare(stored: StoredJob): Promise<Result<LoopWork>> {
    return this.#options.serial(async () => {
      const { book, limits, mode, logOf } = this.#options;
      const { job, run } = stored;
      const session = book.session(job.session_id);
      if (!session.ok) return session;
      const log = logOf(session.value.root);
      const synced = await log.sync();
      if (!synced.ok) return synced;
      return ok({
        input: {
          jobId: job.id,
          root: log.root,
          instruction: job.instruction,
          contextRows: run.contextRows,
          chat: chatBefore(session.value, job.id, job.instruction),
          limits: { ...limits, max_tool_calls_per_job: run.maxToolCalls ?? limits.max_tool_calls_per_job },
          mode: run.mode ?? mode(),
          confirmBeforeEdits: run.confirmBeforeEdits,
        },
        deps: {
          buffers: ChangeLog.buffers(synced.value.state, synced.value.moved),
          check: (edits: readonly ProposedEdit[]) => this.#check(log, edits),
        },
      });
    });
  }

  async #check(log: ChangeLog, edits: readonly ProposedEdit[]): Promise<readonly EditFault[]> {
    const composed = await this.#options.serial(() => this.#options.proposer.compose(log, edits));
    if (composed.ok) return composed.value.faults;
    const [first] = edits;
    return [{ edit_id: first?.edit_id ?? 'e', code: 'invalid', message: composed.error.message }];
  }

  conclude(stored: StoredJob, outcome: LoopOutcome): Promise<Result<void>> {
    return this.#options.serial(async () => {
      const { book } = this.#options;
      // The user may have cancelled while this waited for its turn.
      const now = book.get(stored.job.id);
      if (!now.ok) return now;
      if (now.value.job.status !== 'running') return ok(undefined);
      const { message, edits } = outcome;
      if (edits.length > 0) return this.#propose(now.value, outcome);
      const done = book.step(stored.job.id, {
        input: { kind: 'finish', message },
        chat: [{ role: 'assistant', text: message }],
      });
      return done.ok ? ok(undefined) : done;
    });
  }

  async #propose({ job }: StoredJob, { edits, message }: LoopOutcome): Promise<Result<void>> {
    const { book, proposer, proposals, logOf } = this.#options;
    const session = book.session(job.session_id);
    if (!session.ok) return session;
    const log = logOf(session.value.root);
    const composed = await proposer.compose(log, edits);
    if (!composed.ok) return composed;
    const { files, faults, state } = composed.value;
    if (faults.length > 0) return conflictOf(faults);
    const proposed = await proposer.propose(log, files, {
      description: job.instruction.split('\n')[0]?.slice(0, DESCRIPTION_MAX_CHARACTERS) ?? '',
      author: session.value.author ?? AGENT_AUTHOR,
      job: job.id,
    });
    if (!proposed.ok) return proposed;
    const { value } = proposed;
    const made = await this.#options.checkpoints.make(log, {
      session: job.session_id,
      job: job.id,
      kind: 'run',
      seq: value.seq,
      bases: value.bases,
      proposed: value.results,
      reviews: value.reviews,
      decisions: decisionsAt(state, value.bases),
    });
    const told = made.ok ? this.#tell(job.id, value, { edits, message, made: made.value }) : made;
    if (told.ok) return told;
    // If it is not announced, it must not be in anyone's text.
    await proposals.end(value.suggestion.id, 'discarded');
    return told;
  }

  #tell(
    job: string,
    { suggestion, hunkEdits, files }: Proposed,
    done: {
      readonly edits: readonly ProposedEdit[];
      readonly message: string;
      readonly made: StoredCheckpoint;
    },
  ): Result<void> {
    const { book } = this.#options;
    const { edits, message, made } = done;
    const checkpointId = made.checkpoint.checkpoint_id;
    const paths = files.map((file) => file.newPath ?? file.path);
    const [hunks, inFiles] = [count(suggestion.hunkCount, 'hunk'), count(files.length, 'file')];
    const stepped = book.step(job, {
      input: { kind: 'propose', edits, message, checkpointId },
      patch: { suggestion: suggestion.id, hunkEdits },
      events: [
        {
          type: 'edits.proposed',
          data: {
            summary: `${count(edits.length, 'edit')} of ${inFiles}`,
            edit_count: edits.length,
            files: paths,
          },
        },
        { type: 'checkpoint.created', data: { summary: checkpointId, checkpoint_id: checkpointId } },
        {
          type: 'diff.generated',
          data: {
            summary: `${hunks} in ${inFiles}`,
            suggestion_id: suggestion.id,
            hunk_count: suggestion.hunkCount,
            file_count: files.length,
          },
        },
      ],
      chat: [{ role: 'assistant', text: message }],
      also: (writer) => writer.putCheckpoint(made),
    });
    return stepped.ok ? ok(undefined) : stepped;
  }
}

function conflictOf(faults: readonly EditFault[]): Result<never> {
  const [first] = faults;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  const message = `The files have changed while the model worked: ${first?.message ?? ''}${more}`;
  return { ok: false, error: { code: 'refused', message, hint: 'Run the same instruction again.' } };
}

/** The chat before this job; for the job itself, the messages beyond its instruction (if it is restarted). */
function chatBefore(session: StoredSession, job: string, instruction: string): readonly ChatMessage[] {
  const own = session.chat.findIndex(
    (message) => message.job_id === job && message.role === 'user' && message.text === instruction,
  );
  return session.chat.filter((_, i) => i !== own);
}
