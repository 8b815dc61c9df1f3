/** Models with a small context write code as text instead of calls: it becomes an edit if its place is certain. */
import { describe, expect, test } from 'vitest';
import { scriptedProvider } from '../../../test/helpers/agent-loop.ts';
import { AgentStage } from '../../../test/helpers/agent-play.ts';
import { ok } from '../../lib/result.ts';
import type { AgentProvider } from '../providers/provider.ts';

const NO_CHANGE =
  '[No change was proposed: what the model wrote changes nothing, or fits nowhere in the files.]';

const stage = new AgentStage({
  'f.py': 'def f(x):\n    if x:\n        return 1\n    return 2\n',
  'stub.py': 'def f(x):\n    y()\n    z()\n    return 2\n\n\ndef g(x):\n    ...\n',
  'lib/deep.ts': 'export {};\n',
  'one/twice.ts': 'export {};\n',
  'two/twice.ts': 'export {};\n',
  'two.py': 'def f(x):\n    y()\n    return 2\n\n\ndef gone(x):\n    return 0\n',
  'wide.txt': 'a line of text\n'.repeat(200),
  'long.txt': 'a line of text\n'.repeat(2_000),
  '.env': 'KEY=1\n',
});

/** A model with a small context that gives these answers. */
async function playedSmall(texts: readonly string[], instruction: string, contextTokens = 16_000) {
  const steps = texts.map((text) => ({ text }));
  const provider = scriptedProvider(steps, { contextTokens });
  const setup = { provider: async () => ok<AgentProvider>(provider) };
  const { outcome } = await stage.play([], { input: { instruction }, setup });
  return { outcome, requests: provider.requests };
}

describe('a small model that calls no tool', () => {
  const PY = 'def f(x):\n    if x:\n        return 3\n    return 2\n';
  const INSTRUCTION = 'In f.py, let f return 3 for x.';
  const asked = (texts: string | readonly string[], instruction = INSTRUCTION) =>
    playedSmall(typeof texts === 'string' ? [texts] : texts, instruction);
  const whole = [expect.objectContaining({ file_path: 'f.py', operation: 'replace' })];

  test.each([
    [
      'a call in doubled braces',
      '{{"name": "replace", "arguments": {"file_path": "f.py", "start_line": 3, "end_line": 3, "new_text": "        return 3"}}}',
    ],
    [
      'that call after a sentence',
      'Sure.\n\n{{"name": "propose_edits", "arguments": {"edits": [{"file_path": "f.py", "operation": "replace", "start_line": 3, "end_line": 3, "new_text": "        return 3"}]}}}',
    ],
    [
      'that call with a guessed folder',
      '{"name": "propose_edits", "arguments": {"edits": [{"file_path": "src/f.py", "old_text": "        return 1", "new_text": "        return 3"}]}}',
    ],
    ['the new version of the function', `Here it is:\n\n\`\`\`python\n${PY}\`\`\`\n\nIt returns 3 now.`],
    [
      'the block that showed the file',
      `<file path="f.py" lines="1-4">\n${PY.trimEnd()
        .split('\n')
        .map((line, at) => `${at + 1}→${line}`)
        .join('\n')}\n</file>`,
    ],
    [
      'a diff without a head',
      '```diff\n     if x:\n-        return 1\n+        return 3\n     return 2\n```',
    ],
  ])('%s', async (_, text) => {
    const { outcome, requests } = await asked(text);
    expect(requests).toHaveLength(1);
    expect(outcome).toMatchObject({ ok: true, value: { edits: whole } });
    if (outcome.ok) expect(outcome.value.edits[0]?.new_text).toContain('return 3');
  });

  test.each([
    '# rest unchanged',
    '# ... existing code ...',
    '# the rest of the function stays the same',
    '# ...',
    '...',
  ])('the beginning, and “%s”: asks once more', async (mark) => {
    const text = `\`\`\`python\ndef f(x):\n    if x:\n        return 3\n    ${mark}\n    return 2\n\`\`\``;
    const { outcome, requests } = await asked(text);
    expect(requests).toHaveLength(2);
    expect(outcome).toMatchObject({ ok: true, value: { edits: [] } });
  });

  test.each([
    ['a tool that does not exist', '{"name": "mean", "arguments": {"values": {"type": "array"}}}'],
    ['such a tool in a fence', 'Sure:\n\n```json\n{"name": "add_docstring", "arguments": {}}\n```'],
    ['a few words without effect', 'Mark your edits.'],
    [
      'the unchanged file',
      '<file path="f.py" lines="1-4">\n1→def f(x):\n2→    if x:\n3→        return 1\n4→    return 2\n</file>',
    ],
    ['code that fits nowhere', '```python\ndef g():\n    pass\n```'],
  ])('%s: asks once more', async (_, text) => {
    const again = `f.py\n\`\`\`python\n${PY}\`\`\``;
    const { outcome, requests } = await asked([text, again]);
    expect(requests).toHaveLength(2);
    expect(outcome).toMatchObject({ ok: true, value: { edits: [{ file_path: 'f.py' }] } });
    const twice = await asked([text, 'That was all.']);
    expect(twice.requests).toHaveLength(2);
    const message = `${NO_CHANGE}\n\n${text}\n\nThat was all.`;
    expect(twice.outcome).toMatchObject({ ok: true, value: { edits: [], message } });
  });

  test.each([
    ['another function', '```python\ndef g():\n    pass\n```'],
    ['a changed last line: it may be one from the middle', '```python\ndef f(x):\n    return 3\n```'],
    ['dots for unchanged lines', '```python\ndef f(x):\n    ...\n    return 2\n```'],
    ['fewer lines than it states', '<file path="f.py" lines="1-4">\ndef f(x):\n    if y:\n</file>'],
    ['a guessed folder', `src/f.py\n\`\`\`python\n${PY}\`\`\``],
    [
      'a file to delete in a guessed folder',
      '{"name": "propose_edits", "arguments": {"edits": [{"file_path": "src/f.py", "operation": "delete_file"}]}}',
    ],
    ['a fence in Markdown that may end twice', 'b.md\n```md\nalpha\n```\nnpm i\n```\nbeta\ngamma\n```'],
  ])('%s is no edit', async (_, text) => {
    const { outcome, requests } = await asked(text, 'In f.py, stub.py and b.md, do it.');
    expect(requests.length).toBeGreaterThan(1);
    expect(outcome.ok ? outcome.value.edits : []).toEqual([]);
  });

  test('shows the words before and after the code', async () => {
    const { outcome } = await asked(`So:\n\n**f.py**\n\`\`\`python\n${PY}\`\`\`\n\nMind the 2.`);
    expect(outcome).toMatchObject({ ok: true, value: { edits: whole, message: 'So:\n\nMind the 2.' } });
  });

  test('an example beside the code is part of the answer', async () => {
    const example = '```python\nprint(f(1))\n```';
    const { outcome } = await asked(`So:\n\n\`\`\`python\n${PY}\`\`\`\n\nTry it:\n\n${example}`);
    expect(outcome).toMatchObject({
      ok: true,
      value: { edits: whole, message: `So:\n\nTry it:\n\n${example}` },
    });
  });

  test('changes nothing if another piece fits nowhere in the file', async () => {
    const text = `\`\`\`python\n${PY}\`\`\`\n\n\`\`\`python\n    return 2\n    print(2)\n\`\`\``;
    expect((await asked(text)).outcome).toMatchObject({ ok: true, value: { edits: [] } });
  });

  test('changes neither of two files if the place in one is unclear', async () => {
    const text = `f.py\n\`\`\`python\n${PY}\`\`\`\n\nb.md\n\`\`\`md\nBETA\n\`\`\``;
    const { outcome } = await asked(text, 'In f.py and b.md, do it.');
    expect(outcome).toMatchObject({ ok: true, value: { edits: [], message: `${NO_CHANGE}\n\n${text}` } });
  });

  test('does not ask again after a text answer', async () => {
    const { outcome, requests } = await asked('f returns 3 for x already, so there is nothing to do.');
    expect(requests).toHaveLength(1);
    expect(outcome).toMatchObject({ ok: true, value: { edits: [] } });
  });

  test.each(['Please explain how f.py works.', 'Give me an example of a call in f.py.', 'Erkläre mir f.py'])(
    'code in the answer to %j is an example',
    async (instruction) => {
      const { outcome, requests } = await asked(`f.py\n\`\`\`python\n${PY}\`\`\``, instruction);
      expect(requests).toHaveLength(1);
      expect(outcome).toMatchObject({ ok: true, value: { edits: [] } });
    },
  );

  test('code in the answer to a question is an example', async () => {
    const { outcome } = await asked(`\`\`\`python\n${PY}\`\`\``, 'How would f.py return 3?');
    expect(outcome).toMatchObject({ ok: true, value: { edits: [] } });
  });
});

describe('files that the user names', () => {
  const shown = async (instruction: string, contextTokens?: number) => {
    const { requests } = await playedSmall(['no'], instruction, contextTokens);
    const first = requests[0]?.messages.at(-1);
    const text = first?.role === 'user' ? first.text : '';
    return [...text.matchAll(/<file path="([^"]+)"|^(\S+\.\w+)\n`{3}/gm)].map(
      ([, name, plain]) => name ?? plain,
    );
  };

  test.each([
    ['a path', 'Fix b.md.', ['b.md']],
    ['two of them, in marks', 'Bring `b.md` and "f.py" up to date', ['b.md', 'f.py']],
    ['the name of a file in a folder', 'Fix deep.ts', ['lib/deep.ts']],
    ['a name that two files have', 'Fix twice.ts', []],
    ['a long file', 'Fix long.txt', []],
    ['a file with secrets', 'Fix .env', []],
    ['a path outside', 'Fix ../b.md and /etc/passwd', []],
    ['no file', 'Fix the e.g. of v1.2 and and/or', []],
  ])('%s', async (_, instruction, files) => expect(await shown(instruction)).toEqual(files));

  test('shows several files only to a model with a small context', async () => {
    expect(await shown('Fix b.md and f.py.', 100_000)).toEqual([]);
    expect(await shown('Fix b.md.', 100_000)).toEqual(['b.md']);
  });
});

describe('a model with a small context that was shown the files', () => {
  const PY = 'def f(x):\n    if x:\n        return 3\n    return 2\n';
  const TWO = 'def f(x):\n    y()\n    return 2\n';
  const LATE = '# Nothing\n# at\n# all.\n\n\ndef gone(x):\n    return 0\n    print()\n';
  const fenced = (file: string, text: string) => `${file}\n\`\`\`\n${text}\`\`\``;

  test('gets no tools, but an example answer and then the plain text of the file', async () => {
    const { requests } = await playedSmall([fenced('f.py', PY)], 'In f.py, let f return 3 for x.');
    expect(requests).toHaveLength(1);
    const [request] = requests;
    expect(request).toMatchObject({ tools: [], system: expect.stringContaining('whole file') });
    expect(request?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(request?.messages.at(-1)).toMatchObject({
      text: expect.stringContaining('f.py\n```\ndef f(x):\n'),
    });
  });

  test('is asked for blocks if the file is long, and in its second try', async () => {
    const block = 'f.py\n<<<<<<< SEARCH\n        return 1\n=======\n        return 3\n>>>>>>> REPLACE';
    const { outcome, requests } = await playedSmall([fenced('f.py', 'def g(): ...\n'), block], 'Fix f.py.');
    expect(requests.map(({ system }) => system.includes('SEARCH/REPLACE'))).toEqual([false, true]);
    expect(outcome).toMatchObject({ ok: true, value: { edits: [{ start_line: 3, end_line: 3 }] } });
    const long = await playedSmall([block], 'Fix wide.txt.');
    expect(long.requests[0]?.system).toContain('SEARCH/REPLACE');
  });

  test('may write a path that ends in dots', async () => {
    const text = fenced('f.py', `${PY}# go vet ./...\n`);
    const { outcome } = await playedSmall([text, 'No.'], 'Add a comment to f.py.');
    expect(outcome.ok && outcome.value.edits.length > 0).toBe(true);
  });

  test('may write `...rest` in an edit', async () => {
    const block = 'f.py\n<<<<<<< SEARCH\n    return 2\n=======\n    ...rest,\n    return 2\n>>>>>>> REPLACE';
    const { outcome } = await playedSmall([fenced('f.py', 'x'), block, 'No.'], 'Fix f.py.');
    expect(outcome.ok && outcome.value.edits.length > 0).toBe(true);
  });

  test.each([
    ['the deleted part', 'Delete the function gone from two.py.', TWO, true],
    ['the beginning, for a comment in its place', 'Comment gone in two.py.', LATE, false],
    ['the end, as its copy stops early', 'Let f in two.py return 3.', TWO.replace('2', '3'), false],
  ])('%s is not in its copy of the file', async (_, instruction, text, isEdit) => {
    const { outcome } = await playedSmall([fenced('two.py', text), 'No.'], instruction);
    expect(outcome.ok && outcome.value.edits.length > 0).toBe(isEdit);
  });

  test('gets the tools once it calls one, or if nothing is to be changed', async () => {
    const call = '{"name": "read_file", "arguments": {"file_path": "b.md"}}';
    const { requests } = await playedSmall([call, 'No.'], 'In f.py, do as b.txt says.');
    expect(requests.map(({ tools }) => tools.length > 0)).toEqual([false, true]);
    const asked = await playedSmall(['It returns 1.'], 'What does f.py return?');
    expect(asked.requests[0]?.tools).not.toEqual([]);
  });
});
