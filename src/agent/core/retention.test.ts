import { describe, expect, it } from 'vitest';
import { agentLimitsSchema, type JobStatus } from '../../protocol/agent.ts';
import { isFull, jobsToForget, sessionsToForget, sessionToPutAway } from './retention.ts';

const limits = agentLimitsSchema.parse({ max_jobs_per_session: 3, max_sessions: 2, completed_ttl_hours: 1 });
const HOUR = 3_600_000;
const job = (id: string, status: JobStatus, createdAt: number, finishedAt: number | null = createdAt) => ({
  id,
  session_id: 's',
  status,
  created_at: createdAt,
  finished_at: finishedAt,
});
const session = (id: string, status: 'active' | 'archived', at: number) => ({ id, status, updated_at: at });

describe('jobs', () => {
  it.each([
    [
      'nothing is deleted at the limit',
      [job('a', 'completed', 1), job('b', 'failed', 2), job('c', 'running', 3, null)],
      [],
    ],
    [
      'one above the limit, the oldest ended job is deleted',
      [
        job('a', 'awaiting_review', 1, null),
        job('b', 'failed', 2),
        job('c', 'completed', 3),
        job('d', 'queued', 4, null),
      ],
      ['b'],
    ],
    [
      'live jobs stay, however many',
      ['a', 'b', 'c', 'd', 'e'].map((id, i) => job(id, 'waiting_for_user', i, null)),
      [],
    ],
  ])('%s', (_, jobs, expected) => {
    expect(jobsToForget(jobs, limits, 100)).toEqual(expected);
  });

  it('an ended one is deleted when its time is over, not before', () => {
    const jobs = [job('a', 'completed', 0, 0), job('b', 'awaiting_review', 0, null)];
    expect(jobsToForget(jobs, limits, HOUR)).toEqual([]);
    expect(jobsToForget(jobs, limits, HOUR + 1)).toEqual(['a']);
  });
});

describe('sessions', () => {
  it('archived ones are deleted by age or if there are too many; active ones and those with work stay', () => {
    const sessions = [
      session('a', 'archived', 5),
      session('b', 'archived', 1),
      session('c', 'active', 0),
      session('d', 'archived', 2),
    ];
    expect(sessionsToForget(sessions, [], limits, 10)).toEqual(['b', 'd']);
    expect(
      sessionsToForget(sessions, [{ ...job('j', 'awaiting_review', 0), session_id: 'b' }], limits, 10),
    ).toEqual(['d', 'a']);
    expect(sessionsToForget(sessions, [], limits, 2 * HOUR)).toEqual(['b', 'd', 'a']);
  });

  it.each<[string, string, [JobStatus, string][], string | null]>([
    [
      'no session with running work',
      'active',
      [
        ['running', 'a'],
        ['awaiting_review', 'b'],
      ],
      null,
    ],
    ['no session without a job', 'active', [['completed', 'b']], 'b'],
    [
      'the least recently used one whose work is over',
      'active',
      [
        ['failed', 'a'],
        ['completed', 'b'],
      ],
      'b',
    ],
    [
      'no session in which one of several jobs is running',
      'active',
      [
        ['completed', 'b'],
        ['queued', 'b'],
      ],
      null,
    ],
    ['no session that is already archived', 'archived', [['completed', 'b']], null],
  ])('to make room, %s is archived', (_, status, work, expected) => {
    const sessions = [session('a', 'active', 2), session('b', status as 'active' | 'archived', 1)];
    const jobs = work.map(([state, of], i) => ({ ...job(`j${i}`, state, i), session_id: of }));
    expect(sessionToPutAway(sessions, jobs)).toBe(expected);
  });

  it('is full at the limit', () => {
    expect(isFull([session('a', 'active', 0), session('b', 'archived', 0)], limits)).toBe(false);
    expect(isFull([session('a', 'active', 0), session('b', 'active', 0)], limits)).toBe(true);
  });
});
