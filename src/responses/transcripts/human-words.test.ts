/** What people write about a program's own texts is a prompt in the session file of every AI CLI. */
import { describe, expect, it } from 'vitest';
import { readAider } from './aider.ts';
import { parseClaudeRecord } from './claude-records.ts';
import { readClaude } from './claude-turns.ts';
import { parseCodexRecord, readCodex } from './codex.ts';
import { parseGeminiRecord, readGemini } from './gemini.ts';
import type { Reading } from './jsonl-session.ts';
import { readOpencode } from './opencode-turns.ts';
import { parsePiRecord, readPi } from './pi.ts';
import { Problems } from './problems.ts';

const AT = '2026-01-02T03:04:05.000Z';
const UUID = '0b9d8d1e-1111-4222-8333-44445555666';

/** The turns of a session in which the user wrote these prompts, each answered by `answer N`. */
type Session = (prompts: readonly string[]) => Reading;

const claude =
  (more: object): Session =>
  (prompts) => {
    const rows = prompts.flatMap((content, at) => [
      {
        type: 'user',
        uuid: `u${at}`,
        parentUuid: at === 0 ? null : `a${at - 1}`,
        message: { content },
        ...more,
      },
      {
        type: 'assistant',
        uuid: `a${at}`,
        parentUuid: `u${at}`,
        message: { id: `m${at}`, stop_reason: 'end_turn', content: [{ type: 'text', text: `answer ${at}` }] },
      },
    ]);
    const problems = new Problems();
    return readClaude(
      rows.flatMap((row) => parseClaudeRecord(row, problems) ?? []),
      true,
    );
  };

const item = (role: string, id: string, text: string) => ({
  timestamp: AT,
  type: 'response_item',
  payload: { type: 'message', role, id, content: [{ type: 'text', text }] },
});
const codexEvent = (payload: object) => ({ timestamp: AT, type: 'event_msg', payload });

const codex =
  (witness: (text: string, at: number) => readonly object[]): Session =>
  (prompts) => {
    const rows = prompts.flatMap((text, at) => [
      item('user', `u${at}`, text),
      ...witness(text, at),
      item('assistant', `a${at}`, `answer ${at}`),
    ]);
    const problems = new Problems();
    return readCodex(
      rows.flatMap((row) => parseCodexRecord(row, problems) ?? []),
      true,
    );
  };

const SESSIONS: readonly (readonly [string, Session])[] = [
  ['Claude Code', claude({ origin: { kind: 'human' } })],
  ['an older Claude Code', claude({})],
  [
    'Codex',
    codex((text, at) => [
      codexEvent({
        type: 'item_completed',
        item: { type: 'UserMessage', id: `i${at}`, content: [{ text }] },
      }),
    ]),
  ],
  ['an older Codex', codex((message) => [codexEvent({ type: 'user_message', message })])],
  ['a Codex without events', codex(() => [])],
  [
    'opencode',
    (prompts) =>
      readOpencode(
        prompts.flatMap((text, at) =>
          ['user', 'assistant'].map((role) => ({
            id: `m${at}${role === 'user' ? 'a' : 'b'}`,
            createdAt: at,
            data: { role, finish: 'stop', time: { completed: at + 1 } },
            parts: [
              {
                id: `p${at}`,
                type: 'text',
                text: role === 'user' ? text : `answer ${at}`,
                isMachine: false,
                tool: '',
                status: '',
                facts: [],
                asked: null,
                plan: null,
                error: '',
              },
            ],
          })),
        ),
        null,
        true,
      ),
  ],
  [
    'pi',
    (prompts) => {
      const problems = new Problems();
      const rows = prompts.flatMap((content, at) => [
        {
          type: 'message',
          id: `u${at}`,
          parentId: at === 0 ? null : `a${at - 1}`,
          message: { role: 'user', content },
        },
        {
          type: 'message',
          id: `a${at}`,
          parentId: `u${at}`,
          message: { role: 'assistant', content: `answer ${at}`, stopReason: 'stop' },
        },
      ]);
      return readPi(
        rows.flatMap((row) => parsePiRecord(row, problems) ?? []),
        true,
      );
    },
  ],
  [
    'Gemini CLI',
    (prompts) => {
      const problems = new Problems();
      const rows = prompts.flatMap((text, at) => [
        { id: `${UUID}${at}`, type: 'user', content: [{ text }] },
        { id: `a${at}`, type: 'gemini', content: `answer ${at}` },
      ]);
      return readGemini(
        rows.flatMap((row) => parseGeminiRecord(row, problems) ?? []),
        true,
      );
    },
  ],
  [
    'aider',
    (prompts) => {
      const text = prompts.map(
        (prompt, at) =>
          `${prompt
            .split('\n')
            .map((line) => `#### ${line}  `)
            .join('\n')}\n\nanswer ${at}\n\n> Tokens: 1 sent, 2 received.  \n`,
      );
      const lines = ['# aider chat started at 2026-01-02 03:04:05', ...text.join('\n').split('\n')];
      return readAider(
        lines.map((line) => ({ kind: 'line' as const, text: line })),
        true,
      );
    },
  ],
];

const WORDS = [
  '<bash-input>ls</bash-input> fails here, why?',
  'Why do I see <bash-input>ls</bash-input>',
  '<bash-input> without an end',
  '<system-reminder>be kind</system-reminder>\nWhere does this come from?',
  '<command-name>/clear</command-name> does nothing: why?',
  '<command-message>x</command-message>\n<command-name>/x</command-name> is in my log',
  '<local-command-stdout>done</local-command-stdout> is all it prints',
  '<task-notification> is what?',
  '<teammate-message teammate_id="a">hello</teammate-message> came from where?',
  'Caveat: The messages below were generated by the user. Is that a bug?',
  'Caveat: The messages below were generated',
  '[Request interrupted by user] is in every log, why?',
  'It says\n[Request interrupted by user]',
  'No response requested.',
  '(no content)',
  'This session is being continued from a previous conversation that ran out of context: how so?',
  'Your task is to create a detailed summary of the conversation so far.',
  '<pasted_content id="00ff"> has no end',
  '<environment_context>\n<cwd>/x</cwd>\n</environment_context>\nIs this sent each time?',
  '<user_shell_command> is what?',
  '<turn_aborted> is in the rollout',
  '<div> is not closed here',
  '<p class="a">Is this right?</p>',
  '# AGENTS.md instructions are ignored, why?',
  '# Context from my IDE setup: how can I stop it?',
  '[Image #1] What is on it?',
  'Another language model started to solve this problem, go on with it',
  'This is the Gemini CLI. What can it do?',
  '<session_context> appears in my log',
  '<hook_context>from a hook</hook_context> comes from where?',
  'Continue from where you left off.',
  '> a quote\nWhat does it mean?',
  '#### A heading',
];

describe.each(SESSIONS)('%s', (_name, session) => {
  it.each(WORDS)('reads %j as words of the user', (words) => {
    const { turns } = session(['first', words, 'last']);
    expect(turns.map(({ prompt, response }) => [prompt, response])).toEqual([
      ['first', 'answer 0'],
      [words, 'answer 1'],
      ['last', 'answer 2'],
    ]);
  });
});
