import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ScriptedStep } from '../../../test/helpers/agent-loop.ts';
import {
  AgentStage,
  conversationFaults,
  heading,
  limits,
  propose,
  read,
  sha,
} from '../../../test/helpers/agent-play.ts';

const stage = new AgentStage();

test('ignores a hash or an id from the model', async () => {
  const { outcome } = await stage.play([
    { calls: [read('a.md')] },
    { calls: [propose({ ...heading, edit_id: 'mine', expected_hash: 'sha256:00', rationale: null })] },
  ]);
  expect(outcome).toMatchObject({
    ok: true,
    value: { edits: [{ edit_id: 'e_1', expected_hash: sha('# One\r\n') }] },
  });
});

test('refuses edits of lines that were never shown; the model is told what to read', async () => {
  const { outcome, requests, events } = await stage.play([
    { calls: [propose(heading)] },
    { calls: [read('a.md')] },
    { calls: [propose(heading)] },
  ]);
  expect(outcome.ok).toBe(true);
  expect(JSON.stringify(requests[1]?.messages)).toContain('read 1-1 first');
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'edits.refused', data: expect.objectContaining({ attempt: 1 }) }),
  );
});

test('reports a file that changed since it was shown, and reads it again', async () => {
  const { root } = stage;
  const { outcome, requests } = await stage.play(
    [
      { calls: [read('a.md')] },
      { calls: [propose(heading)] },
      { calls: [read('a.md', { start_line: 1 })] },
      { calls: [propose(heading)] },
    ],
    {
      deps: {
        emit: (event) => {
          if (event.type === 'tool.call.completed') writeFileSync(path.join(root, 'a.md'), '# Other\n');
        },
      },
    },
  );
  expect(JSON.stringify(requests[2]?.messages)).toContain('not what you saw');
  expect(outcome).toMatchObject({ ok: true, value: { edits: [{ expected_hash: sha('# Other\n') }] } });
});

test('a file that was deleted since it was shown may be created again', async () => {
  const again = { ...heading, operation: 'insert', start_line: 1, end_line: undefined, new_text: 'x\n' };
  const { outcome, requests } = await stage.play(
    [{ calls: [read('a.md')] }, { calls: [propose(again)] }, { calls: [propose(again)] }],
    {
      deps: {
        emit: ({ type }) => {
          if (type === 'tool.call.completed') rmSync(path.join(stage.root, 'a.md'), { force: true });
        },
      },
    },
  );
  expect(JSON.stringify(requests[2]?.messages)).toContain('what you saw of it is gone');
  expect(outcome).toMatchObject({ ok: true, value: { edits: [{ new_text: 'x\n' }] } });
});

test.each([
  ['a range after the end', { ...heading, start_line: 9, end_line: 9 }, 'unseen|out of range|read'],
  ['an end before the start', { ...heading, start_line: 3, end_line: 1 }, 'before'],
  ['a delete with text', { ...heading, operation: 'delete' }, 'delete takes no new_text'],
  ['a path outside the project', { ...heading, file_path: '../x.md', operation: 'insert' }, 'project|root'],
  [
    'a hook',
    { file_path: '.git/hooks/pre-commit', operation: 'insert', start_line: 1, new_text: 'x\n' },
    'git|version',
  ],
  ['an unknown operation', { ...heading, operation: 'move' }, 'operation'],
  ['a quote that is not in the file', { ...heading, old_text: 'x' }, 'old_text is not in a.md'],
  ['no edits', undefined, 'edits'],
])('refuses %s with a message, and the job continues', async (_, edit, words) => {
  const { outcome, requests } = await stage.play([
    { calls: [read('a.md')] },
    { calls: [edit === undefined ? ['propose_edits', { edits: [] }] : propose(edit)] },
    { calls: [propose(heading)] },
  ]);
  expect(outcome.ok).toBe(true);
  const told = requests[2]?.messages.at(-1);
  expect(told?.role === 'tool' && told.results[0]?.blocks.join('\n')).toMatch(new RegExp(words, 'i'));
  expect(conversationFaults(requests[2]?.messages ?? [])).toEqual([]);
});

test('refuses both edits of the same line', async () => {
  const { outcome, requests } = await stage.play([
    { calls: [read('a.md')] },
    { calls: [propose(heading, { ...heading, new_text: '# Three\n' })] },
    { calls: [propose(heading)] },
  ]);
  expect(outcome).toMatchObject({ ok: true, value: { edits: [{ new_text: '# Two\n' }] } });
  expect(JSON.stringify(requests[2]?.messages)).toContain('Nothing was proposed');
});

test('a new file needs no reading', async () => {
  const { outcome } = await stage.play([
    { calls: [propose({ file_path: './new/c.md', operation: 'insert', start_line: 1, new_text: 'hi\n' })] },
  ]);
  expect(outcome).toMatchObject({
    ok: true,
    value: { edits: [{ file_path: 'new/c.md', expected_hash: sha('') }] },
  });
});

test('edits as text are edits, and so are their faults', async () => {
  const { outcome, requests } = await stage.play([
    { calls: [read('a.md')] },
    { text: 'Here: ```json\n{"edits": [{"file_path": "a.md", "operation": "replace"' },
    { text: `So:\n\`\`\`json\n${JSON.stringify({ edits: [heading], message: 'the heading' })}\n\`\`\`` },
  ]);
  expect(outcome).toMatchObject({
    ok: true,
    value: { edits: [{ new_text: '# Two\n' }], message: 'the heading' },
  });
  for (const { messages } of requests) expect(conversationFaults(messages)).toEqual([]);
});

describe('the limit of retries', () => {
  const bad = (at: number): ScriptedStep => ({
    calls: [propose({ ...heading, operation: `nothing ${at}` })],
  });

  test.each([
    { retries: 5, faults: 5, good: true },
    { retries: 5, faults: 6, good: false },
    { retries: 0, faults: 0, good: true },
    { retries: 0, faults: 1, good: false },
  ])('$retries retries, $faults faults', async ({ retries, faults, good }) => {
    const steps = [
      { calls: [read('a.md')] },
      ...Array.from({ length: faults }, (_, at) => bad(at)),
      { calls: [propose(heading)] },
    ];
    const { outcome } = await stage.play(steps, { input: limits({ max_schema_retries: retries }) });
    expect(outcome.ok).toBe(good);
    if (!outcome.ok) expect(outcome.error.code).toBe('invalid_output');
  });

  test('edits that never fit are reported as such', async () => {
    const steps = Array.from({ length: 6 }, (_, at) => ({
      calls: [propose({ ...heading, new_text: `# ${at}\n` })],
    }));
    const { outcome, types } = await stage.play(steps);
    expect(outcome).toMatchObject({ ok: false, error: { code: 'invalid_edits' } });
    const last = 'It was told last: You have not seen line 1 of a.md: read 1-1 first';
    expect(!outcome.ok && outcome.error.message).toContain(last);
    expect(types.filter((type) => type === 'edits.refused')).toHaveLength(6);
  });

  test('repeating the answer after the fault was reported ends the job', async () => {
    const { outcome, requests } = await stage.play([{ calls: [propose(heading)] }]);
    expect(outcome).toMatchObject({ ok: false, error: { code: 'invalid_edits' } });
    expect(requests).toHaveLength(2);
  });

  test('the same answer after another reading counts as a new one', async () => {
    const { outcome } = await stage.play([
      { calls: [propose(heading)] },
      { calls: [read('b.md')] },
      { calls: [propose(heading)] },
      { calls: [read('a.md')] },
      { calls: [propose(heading)] },
    ]);
    expect(outcome.ok).toBe(true);
  });

  test('malformed and empty answers count, and the conversation stays valid', async () => {
    const { outcome, requests, events } = await stage.play([
      { calls: [read('a.md')] },
      { fails: { kind: 'malformed', message: 'no JSON' } },
      { text: '  ' },
      { calls: [['propose_edits', '{"edits": [']] },
      { calls: [propose(heading)] },
    ]);
    expect(outcome.ok).toBe(true);
    for (const { messages } of requests) expect(conversationFaults(messages)).toEqual([]);
    expect(JSON.stringify(requests[2]?.messages)).toContain('could not be used: no JSON');
    // Each is a separate event, so that every attempt is accounted for.
    const told = events.flatMap((event) => (event.type === 'edits.refused' ? [event.data] : []));
    expect(told).toEqual([
      { summary: 'no JSON', attempt: 1, faults: [] },
      { summary: 'Your answer was empty. Use a tool, or answer in words.', attempt: 2, faults: [] },
      { summary: 'propose_edits needs "edits": a list with at least one edit.', attempt: 3, faults: [] },
    ]);
  });
});
