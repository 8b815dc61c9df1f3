import { describe, expect, it } from 'vitest';
import { parseHookLine } from './hook-event.ts';

function parse(cli: string, event: unknown, pid: unknown = 7) {
  return parseHookLine(JSON.stringify({ cli, pid, event }));
}

const SESSION = { session_id: 's1', transcript_path: '/t.jsonl' };

describe('the event of a hook', () => {
  it.each<[string, string, Record<string, unknown>, string | null, string | null]>([
    ['claude', 'SessionStart', { source: 'startup' }, 'idle', null],
    ['claude', 'SessionStart', { source: 'compact' }, null, null],
    ['claude', 'UserPromptSubmit', { prompt: 'go on' }, 'working', 'go on'],
    ['claude', 'PermissionRequest', { tool_name: 'Bash' }, 'waiting', null],
    ['claude', 'Notification', { notification_type: 'permission_prompt' }, 'waiting', null],
    ['claude', 'Notification', { notification_type: 'idle_prompt' }, 'idle', null],
    ['claude', 'Notification', { notification_type: 'auth_success' }, null, null],
    ['claude', 'Stop', { last_assistant_message: 'done' }, 'idle', null],
    ['claude', 'SessionEnd', { reason: 'other' }, 'unknown', null],
    ['codex', 'Interrupt', {}, 'idle', null],
    ['gemini', 'BeforeAgent', { prompt: 'x' }, 'working', 'x'],
    ['gemini', 'Notification', { notification_type: 'ToolPermission' }, 'waiting', null],
    ['gemini', 'AfterAgent', { prompt: 'x' }, 'idle', null],
    ['claude', 'PreCompact', {}, null, null],
  ])('%s %s %j', (cli, hook_event_name, more, state, prompt) => {
    expect(parse(cli, { ...SESSION, hook_event_name, ...more })).toEqual({
      cli,
      pid: 7,
      sessionId: 's1',
      path: '/t.jsonl',
      state,
      asked: null,
      prompt,
      own: true,
    });
  });

  it('a notice of Codex is the end of a turn, but does not prove whose', () => {
    expect(parse('codex-notify', { type: 'agent-turn-complete', 'thread-id': 't1' })).toEqual({
      cli: 'codex',
      pid: 7,
      sessionId: 't1',
      path: null,
      state: 'idle',
      asked: null,
      prompt: null,
      own: false,
    });
  });

  it.each([
    ['command', { type: 'exec', command: 'make\nmake install' }, { text: 'make\nmake install', reason: '' }],
    [
      'edit',
      {
        type: 'edit',
        filePath: '/p/a@@ b.ts',
        fileDiff:
          'Index: a@@ b.ts\n===\n--- a@@ b.ts\tCurrent\n+++ a@@ b.ts\tProposed\n@@ -1,1 +1,1 @@\n-old\n+new\n',
      },
      { path: '/p/a@@ b.ts', text: '@@ -1,1 +1,1 @@\n-old\n+new' },
    ],
  ])('the complete permission request of Gemini CLI: %s', (kind, details, asked) => {
    const notification_type = 'ToolPermission';
    const told = { ...SESSION, hook_event_name: 'Notification', notification_type, details };
    expect(parse('gemini', told)?.asked).toEqual({ kind, ...asked });
    expect(parse('gemini', { ...told, details: { type: 'info', prompt: 'x' } })?.asked).toBeNull();
  });

  it.each([
    ['no JSON', 'nonsense'],
    ['cut off', '{"cli":"claude","pid":7,"event":{"session_id":"a"'],
    [
      'another program',
      JSON.stringify({ cli: 'vim', pid: 7, event: { ...SESSION, hook_event_name: 'Stop' } }),
    ],
    ['no pid', JSON.stringify({ cli: 'claude', event: { ...SESSION, hook_event_name: 'Stop' } })],
    ['no session', JSON.stringify({ cli: 'claude', pid: 7, event: { hook_event_name: 'Stop' } })],
    ['no name', JSON.stringify({ cli: 'claude', pid: 7, event: SESSION })],
    ['a list', '[]'],
  ])('%s is no event', (_, line) => {
    expect(parseHookLine(line)).toBeNull();
  });
});
