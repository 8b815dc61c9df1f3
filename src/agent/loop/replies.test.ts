/** Replies of common models, from bug reports of AI CLIs: each becomes the intended proposal. */
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ScriptedStep } from '../../../test/helpers/agent-loop.ts';
import { AgentStage, propose, read } from '../../../test/helpers/agent-play.ts';

const FILES = {
  'src/x.ts': 'function a() {\n\tif (x) {\n\t\treturn "one";\n\t}\n\treturn null;\n}\n',
  'curly.md': 'He said “yes” — and left.  \nIt’s fine.\nend\n',
  'plain.md': 'He said "yes" and left.\nend\n',
  'page.html': '<a href="x">A & B</a>\n<b>c</b>\n',
  'crlf.txt': 'one\r\ntwo\r\nthree\r\n',
  're.ts': 'const re = /^\\d+$/;\nconst t = "a\\nb";\n',
  'nfd.md': 'cafe\u0301\nend\n',
  'twin.md': 'x\nsame\ny\nsame\nz\n',
  'list.ts': Array.from({ length: 40 }, (_, i) => `const v${i} = ${i};\n`).join(''),
  'empty.txt': '',
};

const stage = new AgentStage(FILES);

type Edit = readonly [file: string, from: number | undefined, to: number | undefined, text: string];
const quote = (file_path: string, old_text: string, new_text: string, more: object = {}) => ({
  ...{ file_path, old_text, new_text, ...more },
});

async function played(steps: readonly ScriptedStep[]) {
  const { outcome, requests } = await stage.play(steps);
  if (!outcome.ok) throw new Error(outcome.error.message);
  const { edits, message } = outcome.value;
  const brief = edits.map(({ file_path, start_line, end_line, new_text }): Edit => {
    return [file_path, start_line, end_line, new_text.replace(/\n$/, '')];
  });
  return { edits: brief, message, calls: requests.length };
}

/** The error of a job without a proposal, and the number of model calls. */
async function failed(steps: readonly ScriptedStep[]) {
  const { outcome, requests } = await stage.play(steps);
  if (outcome.ok) throw new Error(`It did not fail: ${outcome.value.message}`);
  return { words: outcome.error.message, calls: requests.length };
}

const BETA: readonly Edit[] = [['b.md', 2, 2, 'BETA']];
const ARGS = { path: 'b.md', old_str: 'beta', new_str: 'BETA' };
const JSON_ARGS = JSON.stringify(ARGS);

describe('a quote that differs slightly from the file', () => {
  test.each<[string, ReturnType<typeof quote>, Edit]>([
    [
      'blanks for tabs',
      quote(
        'src/x.ts',
        '    if (x) {\n        return "one";',
        '    if (x) {\n        log();\n            // deep\n        return "two";',
      ),
      ['src/x.ts', 2, 3, '\tif (x) {\n\t\tlog();\n\t\t\t// deep\n\t\treturn "two";'],
    ],
    [
      'no indentation at all',
      quote('src/x.ts', 'if (x) {\n\treturn "one";\n}', 'if (x) {\n\treturn "two";\n}'),
      ['src/x.ts', 2, 4, '\tif (x) {\n\t\treturn "two";\n\t}'],
    ],
    [
      'curly quotation marks for straight ones',
      quote('plain.md', 'He said “yes” and left.', 'He said “no” and left.'),
      ['plain.md', 1, 1, 'He said "no" and left.'],
    ],
    [
      'straight ones for curly ones; the file keeps its own, and its trailing blanks',
      quote('curly.md', 'He said "yes" - and left.\nIt\'s fine.', 'He said "yes" - and left.\nIt\'s good.'),
      ['curly.md', 1, 2, 'He said “yes” — and left.  \nIt’s good.'],
    ],
    [
      'trailing blanks that the quote lacks',
      quote('curly.md', 'He said “yes” — and left.\nIt’s fine.', 'He said “yes” — and left.\nIt’s good.'),
      ['curly.md', 1, 2, 'He said “yes” — and left.  \nIt’s good.'],
    ],
    [
      'HTML entities',
      quote(
        'page.html',
        '&lt;a href=&quot;x&quot;&gt;A &amp; B&lt;/a&gt;',
        '&lt;a href=&quot;y&quot;&gt;A &amp; B&lt;/a&gt;',
      ),
      ['page.html', 1, 1, '<a href="y">A & B</a>'],
    ],
    [
      'text that was escaped twice',
      quote('src/x.ts', '\\tif (x) {\\n\\t\\treturn \\"one\\";', '\\tif (x) {\\n\\t\\treturn \\"two\\";'),
      ['src/x.ts', 2, 3, '\tif (x) {\n\t\treturn "two";'],
    ],
    ['CRLF in a file of CRLF', quote('crlf.txt', 'one\r\ntwo', 'one\r\n2'), ['crlf.txt', 1, 2, 'one\n2']],
    ['LF in a file of CRLF', quote('crlf.txt', 'two\n', '2\n'), ['crlf.txt', 2, 2, '2']],
    [
      'a pattern, letter by letter',
      quote('re.ts', 'const re = /^\\d+$/;', 'const re = /^\\d*$/;'),
      ['re.ts', 1, 1, 'const re = /^\\d*$/;'],
    ],
    [
      'an escape in the source',
      quote('re.ts', '"a\\nb"', '"a\\nc"', { start_line: 2, end_line: 2 }),
      ['re.ts', 2, 2, '"a\\nc"'],
    ],
    ['another Unicode form', quote('nfd.md', 'caf\u00e9', 'tea'), ['nfd.md', 1, 1, 'tea']],
    [
      'a wrong line number with it',
      quote('b.md', 'beta', 'BETA', { start_line: 1, end_line: 1 }),
      ['b.md', 2, 2, 'BETA'],
    ],
    [
      'one wrong of two line numbers with it',
      quote('twin.md', 'same', 'S', { start_line: 5, end_line: 5 }),
      ['twin.md', 4, 4, 'S'],
    ],
    ['nothing, for a new file', quote('new.md', '', 'X\n'), ['new.md', 1, undefined, 'X']],
    ['nothing, for an empty file', quote('empty.txt', '', 'X\n'), ['empty.txt', 1, undefined, 'X']],
  ])('%s', async (name, edit, expected) => {
    // Part of a line is not a quote of lines: it is found by its number.
    const isPart = name.startsWith('an escape');
    const steps = isPart
      ? [{ calls: [propose(quote('re.ts', 'const t = "a\\nb";', 'const t = "a\\nc";'))] }]
      : [{ calls: [propose(edit)] }];
    const { edits, calls } = await played(steps);
    expect(edits).toEqual(isPart ? [['re.ts', 2, 2, 'const t = "a\\nc";']] : [expected]);
    expect(calls).toBe(1);
  });

  test('that leaves lines out, as its new text does, is several quotes', async () => {
    const old = 'const v1 = 1;\n// ... existing code ...\nconst v5 = 5;';
    const { edits } = await played([
      { calls: [propose(quote('list.ts', old, old.replace('= 1', '= 10').replace('= 5', '= 50')))] },
    ]);
    expect(edits).toEqual([
      ['list.ts', 2, 2, 'const v1 = 10;'],
      ['list.ts', 6, 6, 'const v5 = 50;'],
    ]);
  });
});

describe('a path that differs slightly from the file’s', () => {
  test.each([
    ...['a/b.md', 'b/b.md', '/b.md', './b.md', '`b.md`', '@b.md', '"b.md"', ' b.md '],
    ...['ROOT/b.md', 'PROJECT/b.md', '/PROJECT/b.md', 'file://ROOT/b.md', 'src\\..\\b.md'],
  ])('%s', async (written) => {
    const file = written.replace('ROOT', stage.root).replace('PROJECT', path.basename(stage.root));
    const edit = quote(file, 'beta', 'BETA');
    expect(await played([{ calls: [propose(edit)] }])).toMatchObject({ edits: BETA, calls: 1 });
  });

  test('a path outside stays outside', async () => {
    const { words } = await failed([{ calls: [propose(quote('../b.md', 'beta', 'BETA'))] }]);
    expect(words).toContain('leaves the project');
  });
});

describe('arguments that are almost JSON', () => {
  const edit = JSON.stringify({ edits: [quote('b.md', 'beta', 'BETA')] });
  test.each<[string, string, readonly Edit[]]>([
    [
      'line ends inside a text',
      '{"edits":[{"file_path":"b.md","old_text":"alpha\nbeta","new_text":"A\nB"}]}',
      [['b.md', 1, 2, 'A\nB']],
    ],
    [
      'an unescaped pattern',
      '{"edits":[{"file_path":"re.ts","old_text":"const re = /^\\d+$/;","new_text":"const re = /\\s\\w/;"}]}',
      [['re.ts', 1, 1, 'const re = /\\s\\w/;']],
    ],
    [
      'unescaped quotation marks',
      '{"edits":[{"file_path":"b.md","old_text":"beta","new_text":"say "hi" now"}]}',
      [['b.md', 2, 2, 'say "hi" now']],
    ],
    [
      'a Python dictionary',
      "{'edits': [{'file_path': 'b.md', 'old_text': 'beta', 'new_text': 'BETA', 'rationale': None}]}",
      BETA,
    ],
    ['an empty object before it', `{}${edit}`, BETA],
    ['prose after it', `${edit} I hope this helps.`, BETA],
    ['a fence around it', `\`\`\`json\n${edit}\n\`\`\``, BETA],
    ['a missing last brace', edit.slice(0, -1), BETA],
    ['text in text', JSON.stringify({ arguments: edit }), BETA],
  ])('%s', async (_, written, expected) => {
    const { edits, calls } = await played([{ calls: [['propose_edits', written]] }]);
    expect(edits).toEqual(expected);
    expect(calls).toBe(1);
  });
});

describe('a call as text', () => {
  const json = `{"name": "str_replace", "arguments": ${JSON_ARGS}}`;
  test.each<[string, string]>([
    [
      'Cline',
      '<replace_in_file>\n<path>b.md</path>\n<diff>\n------- SEARCH\nbeta\n=======\nBETA\n+++++++ REPLACE\n</diff>\n</replace_in_file>',
    ],
    [
      'parameters by name',
      '<function_calls>\n<invoke name="str_replace">\n<parameter name="path">b.md</parameter>\n<parameter name="old_str">beta</parameter>\n<parameter name="new_str">BETA</parameter>\n</invoke>\n</function_calls>',
    ],
    [
      'Qwen Coder',
      '<tool_call>\n<function=str_replace>\n<parameter=path>\nb.md\n</parameter>\n<parameter=old_str>\nbeta\n</parameter>\n<parameter=new_str>\nBETA\n</parameter>\n</function>\n</tool_call>',
    ],
    [
      'Qwen Coder without ends',
      '<function=str_replace>\n<parameter=path> b.md\n<parameter=old_str> beta\n<parameter=new_str> BETA\n',
    ],
    [
      'GLM',
      '<tool_call>str_replace\n<arg_key>path</arg_key>\n<arg_value>b.md</arg_value>\n<arg_key>old_str</arg_key>\n<arg_value>beta</arg_value>\n<arg_key>new_str</arg_key>\n<arg_value>BETA</arg_value>\n</tool_call>',
    ],
    ['Mistral', `[TOOL_CALLS][${json}]`],
    ['Mistral with a name', `[TOOL_CALLS]str_replace[ARGS]${JSON_ARGS}`],
    [
      'Kimi',
      `<|tool_calls_section_begin|><|tool_call_begin|>functions.str_replace:0<|tool_call_argument_begin|>${JSON_ARGS}<|tool_call_end|>`,
    ],
    [
      'DeepSeek',
      `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>str_replace\n\`\`\`json\n${JSON_ARGS}\n\`\`\`<｜tool▁call▁end｜>`,
    ],
    [
      'gpt-oss',
      `<|channel|>commentary to=functions.str_replace <|constrain|>json<|message|>${JSON_ARGS}<|call|>`,
    ],
    ['Llama', `<|python_tag|>{"name": "str_replace", "parameters": ${JSON_ARGS}}<|eom_id|>`],
    ['Llama with a name', `<function=str_replace>${JSON_ARGS}</function>`],
    [
      'a name in tags',
      `So:\n<function-name>str_replace</function-name>\n<arguments>${JSON_ARGS}</arguments>`,
    ],
    ['Python', '[str_replace(path="b.md", old_str="beta", new_str="BETA")]'],
    ['Python in a fence', "```tool_code\nstr_replace(path='b.md', old_str='beta', new_str='BETA')\n```"],
    ['ReAct', `Thought: I edit.\nAction: str_replace\nAction Input: ${JSON_ARGS}\nObservation:`],
    ['a list in a fence', `\`\`\`json\n[${json}]\n\`\`\``],
    [
      'thoughts before it',
      `<think>I should {think} about "edits": so</think>\n<tool_call>${json}</tool_call>`,
    ],
    ['thoughts without their beginning', `so I edit.\n</think>\n\n<tool_call>${json}</tool_call>`],
  ])('%s', async (_, text) => {
    const { edits, message, calls } = await played([{ text }]);
    expect(edits).toEqual(BETA);
    expect(calls).toBe(1);
    // The user reads the message, not the form of the tool call.
    expect(message).not.toMatch(/str_replace|replace_in_file|</);
  });

  test('a file in tags keeps the tags of its text', async () => {
    const text =
      'I write it.\n<write_to_file>\n<path>n.md</path>\n<content>\nhello <b>x</b>\nworld\n</content>\n</write_to_file>';
    expect(await played([{ text }])).toMatchObject({
      edits: [['n.md', 1, undefined, 'hello <b>x</b>\nworld']],
      message: 'I write it.',
    });
  });

  test('a call that stands for several', async () => {
    const uses = [{ recipient_name: 'functions.str_replace', parameters: ARGS }];
    const { edits } = await played([{ calls: [['multi_tool_use.parallel', { tool_uses: uses }]] }]);
    expect(edits).toEqual(BETA);
  });
});

describe('edits as text', () => {
  const block = '<<<<<<< SEARCH\nbeta\n=======\nBETA\n>>>>>>> REPLACE';
  test.each<[string, string]>([
    ['a path after the fence', `\`\`\`b.md\n${block}\n\`\`\``],
    ['a path in bold', `**b.md**\n\n\`\`\`python\n${block}\n\`\`\``],
    ['no path, but one file was read', block],
    ['a diff without a head', '```diff\n--- b.md\n+++ b.md\n-beta\n+BETA\n```'],
    ['the whole file below its path', 'b.md\n```\nalpha\nBETA\ngamma\n```\n'],
    ['the whole file, with its path after the fence', '```markdown:b.md\nalpha\nBETA\ngamma\n```\nDone.'],
  ])('%s', async (_, text) => {
    expect((await played([{ calls: [read('b.md')] }, { text }])).edits).toEqual(BETA);
  });

  test('a new file in a fence', async () => {
    const text = 'Here it is.\n\n`notes/new.md`\n```md\n# New\n```\n';
    expect((await played([{ text }])).edits).toEqual([['notes/new.md', 1, undefined, '# New']]);
  });

  test('a snippet of a file is an answer', async () => {
    const text = '**list.ts**\n```ts\nconst v0 = 0;\n```\nis how it begins.';
    const input = { instruction: 'How does list.ts begin?' };
    const { outcome } = await stage.play([{ calls: [read('list.ts')] }, { text }], { input });
    expect(outcome).toMatchObject({ ok: true, value: { edits: [], message: text } });
  });
});

describe('text that is not an edit', () => {
  test('the user sees a refusal', async () => {
    const text = "I'm sorry, but I can't help with that.";
    expect(await played([{ text }])).toEqual({ edits: [], message: text, calls: 1 });
  });

  test('the user does not see thoughts', async () => {
    expect((await played([{ text: '<think>hm</think>All is well.' }])).message).toBe('All is well.');
  });

  test.each([
    'Let me read the file first.',
    "Sure, I'll edit b.md now:",
    '[tool_call: read_file for absolute_path]',
  ])('%j is requested once', async (text) => {
    const { edits, calls } = await played([{ text }, { calls: [['str_replace', ARGS]] }]);
    expect(edits).toEqual(BETA);
    expect(calls).toBe(2);
    expect(await played([{ text }])).toEqual({ edits: [], message: text, calls: 2 });
  });
});

test('a repeated edit is one', async () => {
  const edit = quote('b.md', 'beta', 'BETA');
  expect((await played([{ calls: [propose(edit, edit)] }])).edits).toEqual(BETA);
});

test('edits in any order', async () => {
  const { edits } = await played([
    { calls: [propose(quote('b.md', 'gamma', 'GAMMA'), quote('b.md', 'alpha', 'ALPHA'))] },
  ]);
  expect(edits.map(([, from]) => from)).toEqual([3, 1]);
});

describe('an unreadable answer is reported in one sentence, and ends the job if it is repeated', () => {
  const lines = (new_text: string) => ({
    file_path: 'list.ts',
    operation: 'replace',
    start_line: 1,
    end_line: 40,
    new_text,
  });
  test.each<[string, ScriptedStep, RegExp]>([
    [
      'two edits of the same lines',
      { calls: [propose(quote('b.md', 'alpha\nbeta', 'A'), quote('b.md', 'beta\ngamma', 'B'))] },
      /overlaps/,
    ],
    ['an empty quote', { calls: [propose(quote('b.md', '', 'X\n'))] }, /old_text is empty, and b\.md is not/],
    ['a quote that occurs twice', { calls: [propose(quote('twin.md', 'same', 'S'))] }, /at lines 2, 4/],
    ['a missing file', { calls: [propose(quote('none.md', 'x', 'y'))] }, /no file "none\.md"/],
    [
      'omitted lines',
      { calls: [propose(lines('const v0 = 1;\n// ... existing code ...\n'))] },
      /leaves lines out \(“\/\/ \.\.\. existing code \.\.\.”\)/,
    ],
    [
      'a file with omitted lines',
      { calls: [['write_file', { path: 'list.ts', content: '// rest of the code\n' }]] },
      /leaves lines out/,
    ],
    [
      'a line 0',
      {
        calls: [
          propose({ file_path: 'b.md', operation: 'replace', start_line: 0, end_line: 0, new_text: 'x' }),
        ],
      },
      /needs start_line/,
    ],
    [
      'an incomplete block',
      { text: 'b.md\n<<<<<<< SEARCH\nbeta\n=======\nBETA' },
      /not complete, or names no file/,
    ],
    ['thoughts and nothing else', { text: '<think>hm, I am not sure' }, /was empty/],
    [
      'truncated arguments',
      { calls: [['propose_edits', '{"edits":[{"file_path":"b.md","old_te']] },
      /broke off/,
    ],
  ])('%s', async (_, step, expected) => {
    const { words, calls } = await failed([{ calls: [read('list.ts'), read('b.md')] }, step]);
    expect(words).toMatch(expected);
    expect(calls).toBe(3);
  });

  test('a tool that does not exist', async () => {
    const { requests } = await stage.play([{ calls: [['run_shell_command', { command: 'cat b.md' }]] }]);
    expect(requests.length).toBeLessThanOrEqual(3);
    expect(JSON.stringify(requests[1]?.messages)).toContain('There are: search_project, read_file');
  });

  test('dots that are code do not count as omitted lines', async () => {
    const text = 'def f(): ...\n\n# Rest of the code\n...';
    const edit = { file_path: 'b.md', operation: 'replace', start_line: 1, end_line: 1, new_text: text };
    const { edits } = await played([{ calls: [read('b.md')] }, { calls: [propose(edit)] }]);
    expect(edits).toEqual([['b.md', 1, 1, text]]);
  });
});
