/** What the screen recordings show: prompts, the scripted answers to them, and the tool calls that open dialogs. */
import type { ClientName } from './client-catalog.ts';
import type { Script, ScriptedReply, ScriptedTool } from './scripted-model/script.ts';

/** Answers in Markdown, by case; the prompt for each is `promptFor(case)`. */
export const ANSWERS = {
  prose: [
    'A paragraph that is much longer than the pane is wide, so that the program has to break it at its own width, with **bold** words, `code` and no end in sight until here.',
    '',
    '日本語の文章もここにあります。漢字とかなと全角記号、幅は二倍です。この文はペインの幅を超えるほど長く続きますから、どこかで折り返されます。',
    '',
    'Short line with emoji ✅ and 👩‍👩‍👧.',
  ].join('\n'),
  code: [
    'Use this:',
    '',
    '```ts',
    'export function add(a: number, b: number): number {',
    '  // A comment that is long enough to be broken in a pane of ninety columns, that much is sure.',
    '  return a + b;',
    '}',
    '',
    'add(1, 2);',
    '```',
    '',
    'Then run the tests.',
  ].join('\n'),
  list: [
    '## Steps',
    '',
    '1. First item that is so long that it has to be broken over two lines even in a pane of ninety columns.',
    '   - nested one',
    '   - nested two',
    '2. Second item',
    '',
    '> A quoted line.',
    '',
    'Last words.',
  ].join('\n'),
  table: ['| Name | Cells |', '| --- | --- |', '| ASCII | 1 |', '| 漢字 | 2 |', '', 'After the table.'].join(
    '\n',
  ),
} as const;

/** The prompt of a case; short enough for one line of a 44-column pane. */
export function promptFor(name: string): string {
  return `Show the case ${name}`;
}

export const BEFORE_TOOL = 'I run one command first.';
export const AFTER_TOOL = 'The command ran. This is the text after it.';

/** A paste that clients fold into a placeholder. */
export const LONG_PASTE = Array.from({ length: 30 }, (_, n) => `line ${n + 1} of a long paste`).join('\n');

/** A two-line draft, as a user leaves it in the composer. */
export const DRAFT = 'half a sentence of mine, not sent\nand a second line';

const QUESTION = {
  question: 'Which colour do you want?',
  header: 'Colour',
  options: [
    { label: 'Red', description: 'The warm one' },
    { label: 'Blue', description: 'The cold one' },
  ],
};

/** A command that needs the user's permission; null where the client never asks. */
export const COMMAND_TOOL: Readonly<Record<ClientName, ScriptedTool | null>> = {
  claude: { name: 'Bash', input: { command: 'touch made.txt', description: 'Create a file' } },
  'claude-old': { name: 'Bash', input: { command: 'touch made.txt', description: 'Create a file' } },
  codex: {
    name: 'exec_command',
    input: {
      cmd: 'touch made.txt',
      sandbox_permissions: 'require_escalated',
      justification: 'May I create made.txt?',
    },
  },
  opencode: { name: 'bash', input: { command: 'touch made.txt', description: 'Create a file' } },
  pi: { name: 'bash', input: { command: 'echo from the tool' } },
  'pi-new': { name: 'bash', input: { command: 'echo from the tool' } },
  gemini: { name: 'run_shell_command', input: { command: 'touch made.txt', description: 'Create a file' } },
  aider: null,
};

const RECORDED_PROJECT = '/home/dev/project';
const FILE = `${RECORDED_PROJECT}/hello.txt`;

/** A file change that needs permission. */
export const EDIT_TOOL: Readonly<Record<ClientName, ScriptedTool | null>> = {
  claude: { name: 'Write', input: { file_path: FILE, content: 'hello\nworld\n' } },
  'claude-old': { name: 'Write', input: { file_path: FILE, content: 'hello\nworld\n' } },
  codex: {
    name: 'exec_command',
    input: {
      cmd: "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: hello.txt\n+hello\n+world\n*** End Patch\nEOF",
    },
  },
  opencode: { name: 'write', input: { filePath: FILE, content: 'hello\nworld\n' } },
  pi: null,
  'pi-new': null,
  gemini: { name: 'write_file', input: { file_path: FILE, content: 'hello\nworld\n' } },
  aider: null,
};

/** A question from the model to the user. */
export const QUESTION_TOOL: Readonly<Record<ClientName, ScriptedTool | null>> = {
  claude: { name: 'AskUserQuestion', input: { questions: [{ ...QUESTION, multiSelect: false }] } },
  'claude-old': { name: 'AskUserQuestion', input: { questions: [{ ...QUESTION, multiSelect: false }] } },
  // Codex offers such a tool only in plan mode.
  codex: null,
  opencode: { name: 'question', input: { questions: [QUESTION] } },
  pi: null,
  'pi-new': null,
  gemini: { name: 'ask_user', input: { questions: [{ ...QUESTION, type: 'choice' }] } },
  aider: null,
};

/** Codex asks only in plan mode; then with this tool, with one answer to each question. */
const CODEX_QUESTION: ScriptedTool = {
  name: 'request_user_input',
  input: { questions: [{ ...QUESTION, id: 'colour' }] },
};

/** A plan in which every line names what the user approves. */
export const PLAN = [
  '# Plan: flush the last line',
  '',
  '1. Read `push` and see where an incomplete line is kept, because the cause is likely that it is never emitted.',
  '2. Add `end()`, which flushes.',
  '3. Write a test for CRLF.',
  '',
  '- No change of the public interface.',
  '',
].join('\n');

/** Where each client tells the model to put its plan. */
const PLAN_PLACE: Readonly<Partial<Record<ClientName, string>>> = {
  claude: 'create your plan at ([^ "]+?\\.md)',
  'claude-old': 'create your plan at ([^ "]+?\\.md)',
  opencode: 'create your plan at (/[^ "]+?\\.md)',
  gemini: 'plans directory: (/[^ ]*/plans)/',
};

function planReplies(write: ScriptedTool, ask: ScriptedTool, place: string): readonly ScriptedReply[] {
  const told = { plan: place };
  return [
    { text: 'I write the plan.', told, tools: [write] },
    { text: 'I planned it.', told, tools: [ask] },
    { text: AFTER_TOOL },
  ];
}

/** The replies that write a plan and ask for approval; empty where the client has no plans. */
function planOf(name: ClientName): readonly ScriptedReply[] {
  const place = PLAN_PLACE[name] ?? '';
  switch (name) {
    case 'claude':
    case 'claude-old':
      return planReplies(
        { name: 'Write', input: { file_path: '{{plan}}', content: PLAN } },
        { name: 'ExitPlanMode', input: {} },
        place,
      );
    case 'opencode':
      return planReplies(
        { name: 'write', input: { filePath: '{{plan}}', content: PLAN } },
        { name: 'plan_exit', input: {} },
        place,
      );
    case 'gemini':
      return planReplies(
        { name: 'write_file', input: { file_path: '{{plan}}/flush.md', content: PLAN } },
        { name: 'exit_plan_mode', input: { plan_filename: 'flush.md' } },
        place,
      );
    case 'codex':
      return [{ text: `I planned it.\n\n<proposed_plan>\n${PLAN}</proposed_plan>\n` }];
    default:
      return [];
  }
}

/** Two questions at once: one answer to the first, several to the second. */
const QUESTIONS = [
  {
    question: 'Which storage shall the index use, given that it must be bounded and quick at a start?',
    header: 'Storage',
    options: [
      {
        label: 'SQLite with full text search (recommended)',
        description: 'One file, search built in, needs no server; a little larger on disk than a plain list',
      },
      { label: 'Plain JSON lines', description: 'Simple to read, slow to search' },
    ],
  },
  {
    question: 'Which clients shall it cover?',
    header: 'Clients',
    options: [
      { label: 'Claude Code', description: 'By Anthropic' },
      { label: 'Codex', description: 'By OpenAI' },
      { label: 'Gemini CLI', description: 'By Google' },
    ],
  },
] as const;

function questionsWith(
  several: Readonly<Record<string, unknown>>,
  one: Readonly<Record<string, unknown>> = {},
) {
  return { questions: QUESTIONS.map((question, at) => ({ ...question, ...(at === 0 ? one : several) })) };
}

/** Several questions in one call; the last takes several answers. */
export const QUESTIONS_TOOL: Readonly<Record<ClientName, ScriptedTool | null>> = {
  claude: { name: 'AskUserQuestion', input: questionsWith({ multiSelect: true }, { multiSelect: false }) },
  'claude-old': {
    name: 'AskUserQuestion',
    input: questionsWith({ multiSelect: true }, { multiSelect: false }),
  },
  codex: null,
  opencode: { name: 'question', input: questionsWith({ multiple: true }) },
  pi: null,
  'pi-new': null,
  gemini: {
    name: 'ask_user',
    input: questionsWith({ type: 'choice', multiSelect: true }, { type: 'choice' }),
  },
  aider: null,
};

/** A service's reply to a client that is not logged in. */
export const LOGIN_NOTICE = 'invalid api key: log in again';

function moved(tool: ScriptedTool, project: string): ScriptedTool {
  return JSON.parse(JSON.stringify(tool).replaceAll(RECORDED_PROJECT, project)) as ScriptedTool;
}

/** aider has no tools: it asks before it creates the file that the answer lists. */
export const AIDER_FILE = 'Here is the file.\n\nhello.txt\n```\nhello\nworld\n```\n';

/** The whole script for one client, which works in `project`. */
export function sceneScript(name: ClientName, project = RECORDED_PROJECT): Script {
  const answers = Object.entries(ANSWERS).map(([key, text]) => ({
    when: promptFor(key),
    replies: [{ text }],
  }));
  const tools = [
    { key: 'command', tool: COMMAND_TOOL[name] },
    { key: 'edit', tool: EDIT_TOOL[name] },
    { key: 'question', tool: name === 'codex' ? CODEX_QUESTION : QUESTION_TOOL[name] },
    { key: 'questions', tool: QUESTIONS_TOOL[name] },
  ].flatMap(({ key, tool }) =>
    tool === null
      ? []
      : [
          {
            when: promptFor(key),
            replies: [{ text: BEFORE_TOOL, tools: [moved(tool, project)] }, { text: AFTER_TOOL }],
          },
        ],
  );
  const plan = planOf(name);
  return {
    withoutTools: name === 'aider',
    turns: [
      ...answers,
      // The first match is used: `question` is in `questions` too.
      ...tools.toReversed(),
      ...(plan.length === 0 ? [] : [{ when: promptFor('plan'), replies: plan }]),
      { when: promptFor('login'), replies: [{ error: { status: 401, message: LOGIN_NOTICE } }] },
      ...(name === 'aider' ? [{ when: promptFor('command'), replies: [{ text: AIDER_FILE }] }] : []),
      { when: promptFor('thinking'), replies: [{ text: 'never seen', firstDelayMs: 600_000 }] },
      {
        when: promptFor('streaming'),
        replies: [{ text: `${ANSWERS.prose}\n\n${ANSWERS.list}`, chunkSize: 12, chunkDelayMs: 400 }],
      },
      { when: promptFor('marker'), replies: [{ text: 'The answer behind the marker.' }] },
    ],
  };
}
