import { expect, test } from 'vitest';
import { EMPTY_AGENT, testJob, testSession } from '../../../test/helpers/agent-fakes.ts';
import { openAgent } from '../../../test/helpers/agent-screen.ts';
import type { AgentSession } from '../../protocol/agent.ts';

const pending = (undecided: number, unsaved_files: string[] = []) => ({
  pending_review: { job_id: 'j1', suggestion_id: 'sugg_1', undecided, unsaved_files },
});

test.each<[string, Partial<AgentSession>]>([
  ['asks you', { last_job_status: 'waiting_for_user' }],
  ['asks you', { last_job_status: 'waiting_for_user', ...pending(2) }],
  ['working', { last_job_status: 'running' }],
  ['working', { last_job_status: 'queued', ...pending(2) }],
  ['2 to decide', { last_job_status: 'awaiting_review', ...pending(2) }],
  ['2 to decide', { last_job_status: 'failed', ...pending(2) }],
  ['1 unsaved', { last_job_status: 'completed', ...pending(0, ['a.md']) }],
  ['failed', { last_job_status: 'failed' }],
  ['Rename', { last_job_status: 'completed' }],
  ['Rename', { last_job_status: null }],
])('the list ends the row of a session with its state: %s', async (words, session) => {
  const sessions = [testSession({ title: 'Rename', ...session })];
  const { ui } = await openAgent({ ...EMPTY_AGENT, sessions }, '');
  expect(ui.screen().split('\n')[2]?.trim()).toMatch(new RegExp(`${words}$`));
});

test('recalls instructions of a session that were written elsewhere', async () => {
  const session = testSession();
  const jobs = [testJob({ instruction: 'the first' }), testJob({ id: 'j2', instruction: 'the second' })];
  const { ui } = await openAgent({ ...EMPTY_AGENT, sessions: [session], open: session, jobs }, '\ri');
  const box = () => ui.screen().split('\n').at(-3)?.trim();
  await ui.type('\x1b[A');
  expect(box()).toBe('the second');
  await ui.type('\x1b[A');
  expect(box()).toBe('the first');
  await ui.type('\x1b[A');
  expect(box()).toBe('the first');
  await ui.type('\x1b[B');
  expect(box()).toBe('the second');
});

test('/map alone asks for a file, and the @ of a completed name is not part of it', async () => {
  const { ui, agent } = await openAgent({ ...EMPTY_AGENT, sessions: [testSession()] }, 'i');
  await ui.type('/map');
  await ui.type('\r');
  expect(ui.screen()).toContain('Name a file: /map FILE');
  expect(agent.acts).toEqual([]);
  await ui.type(' @a.ts ');
  await ui.type('\r');
  expect(ui.screen()).toContain('File Map: a.ts');
});
