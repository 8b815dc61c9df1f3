import { expect, test } from 'vitest';
import { EMPTY_AGENT, testEvents, testJob } from '../../../test/helpers/agent-fakes.ts';
import type { AgentEvent } from '../../protocol/agent.ts';
import type { JobSummary } from '../../protocol/commands/agent.ts';
import { rowPlainText } from '../kit/row.ts';
import { createChatEntries } from './entries.ts';

function entries(job: JobSummary, events: readonly AgentEvent[], said = '') {
  const stream = said === '' ? null : { job: job.id, text: said };
  return createChatEntries()({ ...EMPTY_AGENT, jobs: [job], events: new Map([[job.id, events]]), stream }, 0);
}

test.each([
  { faults: [], title: 'Answer sent back to the model', lines: ['The arguments are not a JSON object.'] },
  {
    faults: [{ edit_id: 'e_1', code: 'unseen', message: 'You have not seen line 3.' }],
    title: '1 edit sent back to the model',
    lines: ['You have not seen line 3.'],
  },
])('a refusal is a card: $title', ({ faults, title, lines }) => {
  const data = { summary: 'The arguments are not a JSON object.', attempt: 1, faults };
  const card = entries(testJob({ status: 'running' }), testEvents([['edits.refused', data]])).at(-1);
  expect(card === undefined ? '' : rowPlainText(card.title)).toBe(title);
  expect(card?.lines.map(({ text }) => text)).toEqual(lines);
});

test.each([
  { files: ['a.md', 'b.md'], conflicts: [], words: ['Saved a.md, b.md'] },
  { files: [], conflicts: ['a.md'], words: ['Not saved: a.md in conflict'] },
  { files: [], conflicts: [], words: [] },
])('a save of $files with conflicts in $conflicts reads $words', ({ files, conflicts, words }) => {
  const shown = entries(testJob(), testEvents([['apply.completed', { files, conflicts }]])).slice(1);
  expect(shown.map(({ title }) => rowPlainText(title))).toEqual(words);
});

test('streaming text stays at the end as long as the job runs', () => {
  const error = { code: 'cancelled', message: 'The job was cancelled.', hint: null };
  const stopped = testEvents([['job.failed', { error }]]);
  expect(entries(testJob({ status: 'running' }), [], 'half a sen').at(-1)?.lines[0]?.text).toBe('half a sen');
  expect(entries(testJob({ status: 'failed' }), stopped, 'half a sen').at(-1)?.kind).toBe('failure');
});

test('an unanswered question or call ends with its job', () => {
  const call = {
    summary: 'Ask',
    tool_call_id: 'c1',
    tool: 'clarify_user',
    arguments: { question: 'Which?' },
  };
  const error = { code: 'cancelled', message: 'The job was cancelled.', hint: null };
  const remarks = (events: Parameters<typeof testEvents>[0], status: JobSummary['status']) =>
    entries(testJob({ status }), testEvents(events))
      .filter(({ kind }) => kind === 'card')
      .map(({ remark }) => rowPlainText(remark));
  expect(remarks([['tool.call.requested', call]], 'running')).toEqual(['running']);
  const ended = [
    ['tool.call.requested', call],
    ['job.failed', { error }],
  ] as const;
  expect(remarks([...ended], 'failed')).toEqual(['stopped']);
});
