/** Edits of common models in their typical forms: each becomes the intended proposal. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ScriptedStep } from '../../../test/helpers/agent-loop.ts';
import { AgentStage, propose, read } from '../../../test/helpers/agent-play.ts';

const stage = new AgentStage({
  'f.py': 'def f(x):\n    if x:\n        return 1\n    return 2\n',
  'twins.txt': 'same\nother\nsame\n',
});

type Call = [name: string, input: unknown];

/** Replaces one line of `b.md` (alpha, beta, gamma). */
const BETA = { file_path: 'b.md', operation: 'replace', start_line: 2, end_line: 2 };
const done = (edit: object) => [expect.objectContaining(edit)];
const beta = done({ ...BETA, new_text: expect.stringMatching(/^BETA\n?$/) });

async function editsOf(steps: readonly ScriptedStep[]) {
  const { outcome, requests } = await stage.play(steps);
  if (!outcome.ok) throw new Error(outcome.error.message);
  return { ...outcome.value, steps: requests.length };
}

describe('a tool call is understood', () => {
  test.each<[string, Call, unknown]>([
    [
      'numbers as text',
      ['propose_edits', { edits: [{ ...BETA, start_line: '2', end_line: '2', new_text: 'BETA' }] }],
      beta,
    ],
    ['unrequested fields', propose({ ...BETA, new_text: 'BETA', confidence: 0.9, id: 7 }), beta],
    ['"path" and "content"', propose({ path: 'b.md', op: 'update', line: 2, content: 'BETA' }), beta],
    ['a prefix', ['functions.propose_edits', { edits: [{ ...BETA, new_text: 'BETA' }] }], beta],
    [
      'arguments in arguments',
      ['propose_edits', { arguments: { edits: [{ ...BETA, new_text: 'BETA' }] } }],
      beta,
    ],
    ['a list as text', ['propose_edits', { edits: JSON.stringify([{ ...BETA, new_text: 'BETA' }]) }], beta],
    ['one edit without a list', ['propose_edits', { ...BETA, new_text: 'BETA' }], beta],
    ['line numbers copied along', propose({ ...BETA, new_text: '2→BETA' }), beta],
    [
      'a fence around the text',
      propose({ ...BETA, file_path: 'b.md', old_text: 'beta', new_text: 'BETA' }),
      beta,
    ],
    ['str_replace', ['str_replace', { path: 'b.md', old_str: 'beta', new_str: 'BETA' }], beta],
    ['Edit', ['Edit', { file_path: 'b.md', old_string: 'beta', new_string: 'BETA' }], beta],
    [
      'MultiEdit',
      ['MultiEdit', { file_path: 'b.md', edits: [{ old_string: 'beta', new_string: 'BETA' }] }],
      beta,
    ],
    [
      'edits by file',
      ['propose_edits', { files: [{ path: 'b.md', edits: [{ old_text: 'beta', new_text: 'BETA' }] }] }],
      beta,
    ],
    [
      'apply_patch',
      [
        'apply_patch',
        { input: '*** Begin Patch\n*** Update File: b.md\n@@\n alpha\n-beta\n+BETA\n*** End Patch' },
      ],
      done({ start_line: 1, end_line: 2, new_text: expect.stringMatching(/^alpha\nBETA\n?$/) }),
    ],
    ['a whole file', ['write_file', { path: 'b.md', content: 'alpha\nBETA\ngamma\n' }], beta],
    [
      'a new file',
      ['create_file', { path: 'new.md', content: 'hi\n' }],
      done({ file_path: 'new.md', operation: 'insert' }),
    ],
  ])('%s', async (_form, call, expected) => {
    const { edits, steps } = await editsOf([{ calls: [read('b.md')] }, { calls: [call] }]);
    expect(edits).toEqual(expected);
    expect(steps).toBe(2);
  });

  test.each<[string, Call]>([
    ['"path"', ['read_file', { path: 'b.md' }]],
    ['another name', ['view', { filename: 'b.md' }]],
    ['a range as text', ['read_file', { file_path: 'b.md', lines: '1-3' }]],
    ['a limit', ['Read', { file_path: 'b.md', offset: 1, limit: 3 }]],
    ['a namespace', ['default_api.read_file', { file_path: 'b.md' }]],
  ])('a reading by %s', async (_form, call) => {
    const { edits } = await editsOf([{ calls: [call] }, { calls: [propose({ ...BETA, new_text: 'BETA' })] }]);
    expect(edits).toEqual(beta);
  });
});

describe('edits in text are understood', () => {
  const diff = '--- a/b.md\n+++ b/b.md\n@@ -1,3 +1,3 @@\n alpha\n-beta\n+BETA\n gamma\n';
  const whole = done({ file_path: 'b.md', start_line: 1, end_line: 3 });
  test.each<[string, string, unknown]>([
    [
      'SEARCH/REPLACE',
      'Here:\n\nb.md\n```\n<<<<<<< SEARCH\nbeta\n=======\nBETA\n>>>>>>> REPLACE\n```\n',
      beta,
    ],
    ['a unified diff', `Sure.\n\n\`\`\`diff\n${diff}\`\`\`\nDone.`, whole],
    ['a patch', '*** Begin Patch\n*** Update File: b.md\n@@\n-beta\n+BETA\n*** End Patch', beta],
    [
      'a call in tags',
      `<tool_call>{"name": "propose_edits", "arguments": {"edits": [${JSON.stringify({ ...BETA, new_text: 'BETA' })}]}}</tool_call>`,
      beta,
    ],
    [
      'a call with its arguments beside its name',
      JSON.stringify({ name: 'propose_edits', edits: [{ ...BETA, new_text: 'BETA' }] }),
      beta,
    ],
    [
      'a call whose arguments are the list of edits',
      JSON.stringify({ name: 'propose_edits', arguments: [{ ...BETA, new_text: 'BETA' }] }),
      beta,
    ],
    [
      "a text in Python's quotation marks",
      '```json\n{"edits": [{"file_path": "b.md", "old_text": "beta", "new_text": """\n  BETA\n  """}]}\n```',
      beta,
    ],
    [
      'a call in a fence',
      `\`\`\`json\n{"name": "propose_edits", "arguments": {"edits": [${JSON.stringify({ ...BETA, new_text: 'BETA' })},]}}\n\`\`\``,
      beta,
    ],
  ])('%s', async (_form, text, expected) => {
    const { edits } = await editsOf([{ calls: [read('b.md')] }, { text }]);
    expect(edits).toEqual(expected);
  });

  test.each<[string, Call]>([
    ['one edit', ['update_heading', { ...BETA, new_text: 'BETA' }]],
    ['a list of edits', ['fix_it', { edits: [{ ...BETA, new_text: 'BETA' }] }]],
  ])('an invented tool that gets %s', async (_form, call) => {
    expect((await editsOf([{ calls: [read('b.md')] }, { calls: [call] }])).edits).toEqual(beta);
    const text = JSON.stringify({ name: call[0], arguments: call[1] });
    expect((await editsOf([{ calls: [read('b.md')] }, { text }])).edits).toEqual(beta);
  });

  test.each([
    ['no edit', { values: [1, 2] }],
    ['a whole file', { file_path: 'b.md', new_text: 'BETA' }],
    ['a path, which is a reading', { file_path: 'b.md' }],
  ])('an invented tool that gets %s proposes nothing', async (_form, args) => {
    const { outcome } = await stage.play([{ calls: [['update_heading', args]] }, { text: 'I give up.' }]);
    expect(outcome).toMatchObject({ ok: true, value: { edits: [] } });
  });

  test('a reading in tags is carried out', async () => {
    const text = '<tool_call>\n{"name": "read_file", "arguments": {"file_path": "b.md"}}\n</tool_call>';
    const { edits } = await editsOf([{ text }, { calls: [propose({ ...BETA, new_text: 'BETA' })] }]);
    expect(edits).toEqual(beta);
  });

  test('prose with a comparison in it is prose', async () => {
    const { edits, message } = await editsOf([{ text: 'a <<< b, and === is not ==.' }]);
    expect(edits).toEqual([]);
    expect(message).toContain('is not');
  });
});

describe('a quote', () => {
  test('is found whatever its white space, and the new text gets the indentation of the file', async () => {
    const edit = { file_path: 'f.py', old_text: 'if x:\n    return 1', new_text: 'if x:\n    return 3' };
    const { edits } = await editsOf([{ calls: [propose(edit)] }]);
    expect(edits).toEqual(
      done({
        operation: 'replace',
        start_line: 2,
        end_line: 3,
        new_text: expect.stringMatching(/^ {4}if x:\n {8}return 3\n?$/),
      }),
    );
  });

  test.each<[string, string, string, string, number]>([
    ['below', '        return 1', '        return 1\n    return 2', '        return 1', 0],
    ['above', '        return 1', '    if x:\n        return 5', '        return 5', 1],
    ['around', '        return 1', '    if x:\n        return 5\n    return 2', '        return 5', 1],
    [
      'of the quote',
      '        return 1',
      '        return 1\n        return 1',
      '        return 1\n        return 1',
      1,
    ],
  ])(
    'whose new text repeats the line %s: the line stays single',
    async (_, old_text, new_text, becomes, count) => {
      const { edits } = await editsOf([{ calls: [propose({ file_path: 'f.py', old_text, new_text })] }]);
      expect(edits).toHaveLength(count);
      if (count > 0) expect(edits[0]).toMatchObject({ start_line: 3, end_line: 3, new_text: becomes });
    },
  );

  test.each([
    ['a line above', 5, '\n\treturn 2', 'before line 5 of f.py stands there already'],
    ['a line below', 4, '    return 2', 'before line 4 of f.py stands there already'],
  ])('that is missing: asks before inserting %s again', async (_, start_line, new_text, told) => {
    const edit = { file_path: 'f.py', operation: 'insert', start_line, new_text };
    const { requests } = await stage.play([
      { calls: [read('f.py')] },
      { calls: [propose(edit)] },
      { text: 'I give up.' },
    ]);
    expect(JSON.stringify(requests[2]?.messages)).toContain(told);
  });

  test.each<[string, Readonly<Record<string, unknown>>, readonly unknown[]]>([
    ['is part of a line', { old_text: 'return 1', new_text: 'return 7' }, [[3, '        return 7']]],
    [
      'an insert repeats',
      {
        operation: 'insert',
        old_text: '    if x:\n        return 1',
        new_text: '    if x:\n        return 7',
      },
      [[2, '    if x:\n        return 7']],
    ],
    [
      'begins inside a line',
      { old_text: '1\n    return', new_text: '7\n    yield' },
      [[3, '        return 7\n    yield 2']],
    ],
    [
      'is a renamed name',
      { operation: 'rename_file', old_text: 'x', new_text: 'value' },
      [
        [1, 'def f(value):'],
        [2, '    if value:'],
      ],
    ],
  ])('that %s', async (_, fields, expected) => {
    const { edits } = await editsOf([
      { calls: [read('f.py')] },
      { calls: [propose({ file_path: 'f.py', ...fields })] },
    ]);
    expect(edits.map(({ start_line, new_text }) => [start_line, new_text])).toEqual(expected);
  });

  test.each([
    ['part of several lines', 'return', 'at lines 3, 4'],
    ['part of a word', 'turn 1', 'is not in f.py'],
  ])('that is %s: asks', async (_, old_text, told) => {
    const edit = { file_path: 'f.py', old_text, new_text: 'yield' };
    const { requests } = await stage.play([{ calls: [propose(edit)] }, { text: 'I give up.' }]);
    expect(JSON.stringify(requests[1]?.messages)).toContain(told);
  });

  test('that occurs twice means the one nearest to the given line', async () => {
    const edit = { file_path: 'twins.txt', old_text: 'same', new_text: 'changed', start_line: 3 };
    const { edits } = await editsOf([{ calls: [propose(edit)] }]);
    expect(edits).toEqual(done({ start_line: 3, end_line: 3 }));
  });

  test('that occurs twice without a line: asks, with both places', async () => {
    const edit = { file_path: 'twins.txt', old_text: 'same', new_text: 'changed' };
    const { requests } = await stage.play([{ calls: [propose(edit)] }, { text: 'I give up.' }]);
    expect(JSON.stringify(requests[1]?.messages)).toContain('at lines 1, 3');
  });
});

describe('a proposal that is partly wrong', () => {
  const good = { ...BETA, new_text: 'BETA' };
  const bad = { file_path: 'b.md', old_text: 'nowhere to be found', new_text: 'x' };

  test('keeps its good edits while the model fixes the others', async () => {
    const fixed = { file_path: 'b.md', old_text: 'gamma', new_text: 'GAMMA' };
    const { edits } = await editsOf([
      { calls: [read('b.md')] },
      { calls: [propose(good, bad)] },
      { calls: [propose(fixed)] },
    ]);
    expect(edits).toHaveLength(2);
  });

  test('offers them if the model gives up', async () => {
    const { edits } = await editsOf([
      { calls: [read('b.md')] },
      { calls: [propose(good, bad)] },
      { text: 'The other one cannot be done.' },
    ]);
    expect(edits).toEqual(beta);
  });

  test('offers them if the model never gets it right', async () => {
    const { edits, message } = await editsOf([{ calls: [read('b.md')] }, { calls: [propose(good, bad)] }]);
    expect(edits).toEqual(beta);
    expect(message).toContain('left out');
  });
});

test('asks once about edits that change nothing', async () => {
  const same = { ...BETA, new_text: 'beta\n' };
  const input = { instruction: 'Write beta in capitals in b.md.' };
  const better = [{ calls: [propose(same)] }, { calls: [propose({ ...BETA, new_text: 'BETA' })] }];
  const { outcome } = await stage.play(better, { input });
  expect(outcome).toMatchObject({ ok: true, value: { edits: beta } });
  const again = await stage.play([{ calls: [propose(same)] }], { input });
  expect(again.requests).toHaveLength(2);
  expect(again.outcome).toMatchObject({ ok: true, value: { edits: [] } });
});

test('an edit that changes nothing is not a fault', async () => {
  const { edits, message } = await editsOf([
    { calls: [read('b.md')] },
    { calls: [propose({ ...BETA, new_text: 'beta\n' })] },
  ]);
  expect(edits).toEqual([]);
  expect(message).toContain('nothing to change');
});

test('a changed file is read again by the same call', async () => {
  const file = path.join(stage.root, 'b.md');
  const { edits } = await editsOf([
    { calls: [read('b.md')] },
    { calls: [read('b.md')] },
    { calls: [read('b.md')], before: () => writeFileSync(file, 'alpha\nbeta!\ngamma\n') },
    { calls: [propose({ ...BETA, old_text: 'beta!', new_text: 'BETA' })] },
  ]);
  expect(edits).toEqual(beta);
});
