import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentJob, JobStatus } from '../../protocol/agent.ts';
import { isLive, isOver, type JobInput, newJob, nextJob } from './job-machine.ts';

const job = (status: JobStatus, fields: Partial<AgentJob> = {}): AgentJob => ({
  ...newJob({ id: 'j', sessionId: 's', instruction: 'do', now: 1, rerunOf: null }),
  status,
  ...fields,
});
const question = { question_id: 'q', question: 'Which?', options: [], asked_at: 1 };
const inputs: Readonly<Record<JobInput['kind'], JobInput>> = {
  start: { kind: 'start' },
  ask: { kind: 'ask', questionId: 'q', question: 'Which?', options: [] },
  answer: { kind: 'answer', questionId: 'q' },
  propose: { kind: 'propose', edits: [], message: 'm', checkpointId: 'c' },
  finish: { kind: 'finish', message: 'm' },
  settle: { kind: 'settle' },
  reopen: { kind: 'reopen' },
  requeue: { kind: 'requeue' },
  fail: { kind: 'fail', error: { code: 'provider', message: 'no', hint: null } },
  cancel: { kind: 'cancel' },
};

/** The next status for each input in each status; absent: refused. `=`: no change. */
const table: Readonly<Record<JobStatus, Partial<Record<JobInput['kind'], JobStatus | '='>>>> = {
  queued: { start: 'running', fail: 'failed', cancel: 'failed', reopen: '=' },
  running: {
    ask: 'waiting_for_user',
    propose: 'awaiting_review',
    finish: 'completed',
    requeue: 'queued',
    fail: 'failed',
    cancel: 'failed',
    reopen: '=',
  },
  waiting_for_user: { answer: 'running', fail: 'failed', cancel: 'failed', reopen: '=' },
  awaiting_review: { settle: 'completed', reopen: '=' },
  completed: { settle: '=', reopen: 'awaiting_review' },
  failed: { reopen: '=' },
};

describe('every input in every status', () => {
  for (const status of Object.keys(table) as JobStatus[]) {
    it.each(Object.keys(inputs) as JobInput['kind'][])(`${status}: %s`, (kind) => {
      const before = job(status, {
        question: status === 'waiting_for_user' ? question : null,
        checkpoint_id: status === 'completed' ? 'c' : null,
      });
      const after = nextJob(before, inputs[kind], 9);
      const expected = table[status][kind];
      if (expected === undefined) expect(after).toMatchObject({ ok: false });
      else if (expected === '=') expect(after.ok && after.value).toBe(before);
      else expect(after.ok && after.value.status).toBe(expected);
    });
  }
});

describe('details', () => {
  it('answers the question that was asked, and no other', () => {
    const waiting = job('waiting_for_user', { question });
    expect(nextJob(waiting, { kind: 'answer', questionId: 'other' }, 2)).toMatchObject({
      ok: false,
      error: { code: 'not_found' },
    });
    expect(nextJob(waiting, inputs.answer, 2)).toMatchObject({ ok: true, value: { question: null } });
  });

  it('cancelling twice has the effect of cancelling once', () => {
    const first = nextJob(job('running'), inputs.cancel, 5);
    expect(first.ok && first.value).toMatchObject({
      status: 'failed',
      error: { code: 'cancelled' },
      finished_at: 5,
    });
    expect(first.ok && nextJob(first.value, inputs.cancel, 9)).toEqual(first);
  });

  it('a job without a proposal cannot be reopened', () => {
    const done = job('completed');
    expect(nextJob(done, inputs.reopen, 3)).toEqual({ ok: true, value: done });
  });

  it('keeps its invariants for any inputs', () => {
    const any = fc.array(fc.constantFrom(...Object.values(inputs)), { maxLength: 20 });
    fc.assert(
      fc.property(any, (all) => {
        let now = job('queued');
        for (const input of all) {
          const next = nextJob(now, input, 7);
          if (!next.ok) continue;
          now = next.value;
          expect(now.status === 'waiting_for_user').toBe(now.question !== null);
          expect(now.status === 'failed').toBe(now.error !== null);
          expect(isOver(now.status)).toBe(now.finished_at !== null);
          expect(isLive(now.status) && isOver(now.status)).toBe(false);
        }
      }),
      { seed: 3, numRuns: 500 },
    );
  });
});
