/** The content of the transcript recordings: prompts and the scripted model's Markdown, which a pull must return. */
import type { ClientName } from './client-catalog.ts';
import type { Script, ScriptedReply, ScriptedTool } from './scripted-model/script.ts';

/** The turn that a pull must return: `parts` are the scripted texts. */
export interface ExpectedTurn {
  readonly prompt: string;
  readonly parts: readonly string[];
  readonly progress: 'complete' | 'interrupted';
}

/** Answers by case; each is one text. */
export const MARKDOWN: Readonly<Record<string, string>> = {
  prose:
    'A paragraph of **bold**, *italic* and `code` that is much longer than any pane is wide, so that every program has to break it at a width of its own, which the pull must not show.\n\nA second paragraph.',
  fences:
    'Before.\n\n```ts\nconst a: string = `x`;\n\n\tindented by a tab\n```\n\n~~~~md\n```sh\necho "a fence in a fence"\n```\n~~~~\n\nAfter.',
  lists:
    '1. one\n   - one a\n     - deep\n   - one b\n2. two\n\n   a paragraph in an item\n\n* [ ] open\n* [x] done',
  table: '| left | right |\n|:-----|------:|\n| a\\|b | 1 |\n| 漢字 | 22 |\n\nBelow the table.',
  cjk: '日本語の文章です。漢字、かな、全角記号「」が混ざります。\n\n한국어 문장도 있습니다. 中文也在這裡。',
  emoji: 'Family 👩‍👩‍👧, flag 🇯🇵, tone 👍🏽, check ✅, heart ❤️.',
  ticks:
    'Use ``a ` tick`` and `\\n`, then ```` ``` ```` in a line.\n\n    indented code\n\nA backslash \\* and a trailing one \\',
  html: '<details>\n<summary>More</summary>\n\n<b>bold</b> &amp; <!-- comment --> <img src="x">\n\n</details>',
  marker: 'Text before.\n\n### PROMPT 2026-01-02 03:04:05\n\nquoted prompt\n\n### END PROMPT\n\nText after.',
};

/** Prompts: one of a single line, one of several with a blank line and wide characters. */
export function promptOf(name: string): string {
  return name === 'cjk'
    ? `Case ${name}:\n\n日本語で、二行目。\nthird line; ends so;`
    : `Case ${name}, please.`;
}

export const TOOL_PROMPT = 'Case tools, please.';
export const TOOL_TEXTS = ['I look at it first.', 'One more look.', 'Done: **both** looks agree.'] as const;
export const SLOW_PROMPT = 'Case slow, please.';
/** Long and slow enough for a key press to fall into it. */
export const SLOW_TEXT = `${'And on it goes, word by word. '.repeat(40)}`;
export const AFTER_PROMPT = 'Case after, please.';
export const AFTER_TEXT = 'After the interruption.';

export const LONG_PROMPT = 'Case long, please.';
/** An answer of 5,000 lines. */
export const LONG_TEXT = Array.from({ length: 5_000 }, (_, index) => `- line ${index + 1} of \`many\``).join(
  '\n',
);

/** A tool call that needs no permission, in each client's own words; null where the client has no tools. */
export const LOOK_TOOL: Readonly<Record<ClientName, ScriptedTool | null>> = {
  claude: { name: 'Bash', input: { command: 'echo looked', description: 'Look' } },
  'claude-old': { name: 'Bash', input: { command: 'echo looked', description: 'Look' } },
  codex: { name: 'exec_command', input: { cmd: 'echo looked' } },
  opencode: { name: 'bash', input: { command: 'echo looked', description: 'Look' } },
  pi: { name: 'bash', input: { command: 'echo looked' } },
  'pi-new': { name: 'bash', input: { command: 'echo looked' } },
  gemini: { name: 'run_shell_command', input: { command: 'echo looked', description: 'Look' } },
  aider: null,
};

/** The script for all cases of one client, and for further prompts named by their case. */
export function scriptFor(name: ClientName): Script {
  const tool = LOOK_TOOL[name];
  const turns = Object.entries(MARKDOWN).map(([key, text]) => ({ when: `Case ${key}`, replies: [{ text }] }));
  const looks: ScriptedReply[] = TOOL_TEXTS.map((text, index) =>
    index < TOOL_TEXTS.length - 1 && tool !== null ? { text, tools: [tool] } : { text },
  );
  return {
    withoutTools: name === 'aider',
    turns: [
      ...turns,
      ...(tool === null ? [] : [{ when: TOOL_PROMPT, replies: looks }]),
      { when: SLOW_PROMPT, replies: [{ text: SLOW_TEXT, chunkSize: 6, chunkDelayMs: 300 }] },
      { when: LONG_PROMPT, replies: [{ text: LONG_TEXT, chunkSize: 4_000 }] },
      { when: AFTER_PROMPT, replies: [{ text: AFTER_TEXT }] },
      { when: 'Extra one', replies: [{ text: 'Extra answer one.' }] },
      { when: 'Extra two', replies: [{ text: 'Extra answer two.' }] },
      { when: 'Extra three', replies: [{ text: 'Extra answer three.' }] },
    ],
  };
}

/** The plain cases, as a pull must return them. */
export function expectedCases(): readonly ExpectedTurn[] {
  return Object.entries(MARKDOWN).map(([key, text]) => ({
    prompt: promptOf(key),
    parts: [text],
    progress: 'complete',
  }));
}

/** The tools turn, as a pull must return it. */
export const EXPECTED_TOOLS: ExpectedTurn = { prompt: TOOL_PROMPT, parts: TOOL_TEXTS, progress: 'complete' };
