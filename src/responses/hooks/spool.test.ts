import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeTree } from '../../../test/helpers/remove-tree.ts';
import { HookSpool, MAX_SPOOL_EVENTS } from './spool.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../../integrations/hooks/copane-hook');

let folder = '';
const dead = new Set<number>();

beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(os.tmpdir(), 'copane-hooks-')), 'hooks');
  mkdirSync(folder);
  dead.clear();
});

afterEach(() => removeTree(path.dirname(folder)));

function spool(): HookSpool {
  return new HookSpool({ folder, isAlive: (pid) => !dead.has(pid) });
}

function event(name: string, more: Record<string, unknown> = {}): string {
  return JSON.stringify({ session_id: 's1', hook_event_name: name, ...more });
}

function put(pid: number, ...events: string[]): void {
  const lines = events.map((text) => `{"cli":"claude","pid":${pid},"event":${text}}\n`);
  appendFileSync(path.join(folder, `claude-${pid}.jsonl`), lines.join(''));
}

describe('the spool', () => {
  it('returns new events in order of arrival', async () => {
    const hooks = spool();
    await hooks.poll();
    expect([hooks.seq, hooks.events()]).toEqual([0, []]);
    put(1, event('SessionStart'));
    await hooks.poll();
    put(2, event('UserPromptSubmit', { session_id: 's2', prompt: 'x' }));
    put(1, event('Stop'));
    await hooks.poll();
    expect(hooks.events().map(({ seq, sessionId }) => [seq, sessionId])).toEqual([
      [1, 's1'],
      [2, 's1'],
      [3, 's2'],
    ]);
    expect([hooks.stateOf('s1')?.state, hooks.stateOf('s2')?.state, hooks.stateOf('s3')]).toEqual([
      'idle',
      'working',
      null,
    ]);
    expect([hooks.promptOf('s1'), hooks.promptOf('s2')?.text]).toEqual([null, 'x']);
  });

  it('shows every call that waits for permission, until the session continues', async () => {
    const hooks = spool();
    const asks = (command: string) =>
      event('Notification', { notification_type: 'ToolPermission', details: { type: 'exec', command } });
    put(1, asks('before'), event('BeforeAgent'), asks('one'), event('Notification'), asks('two'));
    await hooks.poll();
    const command = { kind: 'command', reason: '' };
    expect(hooks.stateOf('s1')).toMatchObject({
      state: 'waiting',
      asked: [
        { ...command, text: 'one' },
        { ...command, text: 'two' },
      ],
    });
    put(1, event('AfterAgent'));
    await hooks.poll();
    expect(hooks.stateOf('s1')).toMatchObject({ state: 'idle', asked: [] });
  });

  it('waits for the end of a line, and skips damaged ones', async () => {
    const hooks = spool();
    const file = path.join(folder, 'claude-1.jsonl');
    writeFileSync(file, `garbage\n\u0000\u0001\n{"cli":"claude","pid":1,"event":${event('Stop')}`);
    await hooks.poll();
    expect(hooks.events()).toEqual([]);
    appendFileSync(file, '}\n');
    await hooks.poll();
    expect(hooks.events().length).toBe(1);
  });

  it('continues with a file that was restarted', async () => {
    const hooks = spool();
    put(1, event('UserPromptSubmit', { prompt: 'a' }), event('Stop'));
    await hooks.poll();
    writeFileSync(path.join(folder, 'claude-1.jsonl'), '');
    put(1, event('UserPromptSubmit', { prompt: 'b' }));
    await hooks.poll();
    expect(hooks.events().map(({ prompt }) => prompt)).toEqual(['b']);
    expect(hooks.seq).toBe(3);
  });

  it('removes the files of processes that are gone, and nothing else', async () => {
    put(1, event('Stop'));
    put(2, event('Stop'));
    writeFileSync(path.join(folder, 'bell'), '');
    writeFileSync(path.join(folder, 'notes.txt'), '');
    dead.add(1);
    const hooks = spool();
    await hooks.poll();
    const left = ['claude-1.jsonl', 'claude-2.jsonl', 'bell', 'notes.txt'].filter((name) =>
      existsSync(path.join(folder, name)),
    );
    expect(left).toEqual(['claude-2.jsonl', 'bell', 'notes.txt']);
    expect(hooks.events().length).toBe(1);
  });

  it('accepts no event in the name of another process', async () => {
    put(1, `{"a":1},"pid":2,"event":${event('Stop')}`, event('SessionStart'));
    const hooks = spool();
    await hooks.poll();
    expect(hooks.events().map(({ pid, state }) => [pid, state])).toEqual([[1, 'idle']]);
  });

  it('keeps a bounded number of events', async () => {
    const hooks = spool();
    put(
      1,
      ...Array.from({ length: MAX_SPOOL_EVENTS + 1 }, (_, index) =>
        event('UserPromptSubmit', { prompt: `${index}` }),
      ),
    );
    await hooks.poll();
    expect([hooks.events().length, hooks.events()[0]?.prompt]).toEqual([MAX_SPOOL_EVENTS, '1']);
  });

  it('is empty without its folder', async () => {
    rmSync(folder, { recursive: true });
    const hooks = spool();
    await hooks.poll();
    expect(hooks.events()).toEqual([]);
  });
});

describe('the program that hooks run', () => {
  function run(args: readonly string[], input: string, env: NodeJS.ProcessEnv = process.env) {
    return spawnSync(PROGRAM, args, { input, env, encoding: 'utf8' });
  }

  it('writes an event, prints nothing and ends with 0', async () => {
    const prompt = 'say "hi" to $(me) \\ `x` %s \u2028 日本語\n🙂 ';
    const done = run(
      ['claude', folder],
      event('UserPromptSubmit', { prompt, transcript_path: '/a b/c.jsonl' }),
    );
    expect([done.status, done.stdout, done.stderr]).toEqual([0, '', '']);
    const hooks = spool();
    await hooks.poll();
    expect(hooks.events()).toMatchObject([
      { cli: 'claude', pid: process.pid, prompt, path: '/a b/c.jsonl', state: 'working' },
    ]);
  });

  it('makes its files readable only by their owner', () => {
    run(['claude', folder], event('Stop'));
    expect(statSync(path.join(folder, `claude-${process.pid}.jsonl`)).mode & 0o777).toBe(0o600);
  });

  it('touches the bell file at each event', () => {
    const bell = path.join(folder, 'bell');
    writeFileSync(bell, '');
    utimesSync(bell, 1, 1);
    run(['claude', folder], event('Stop'));
    expect(statSync(bell).mtimeMs).toBeGreaterThan(1_000);
  });

  it('puts an event of several lines on one line', async () => {
    run(['gemini', folder], JSON.stringify(JSON.parse(event('AfterAgent', { prompt: 'a\nb' })), null, 2));
    const hooks = spool();
    await hooks.poll();
    expect(hooks.events()).toMatchObject([{ cli: 'gemini', state: 'idle', sessionId: 's1' }]);
  });

  it('keeps the name and the session of an event that is too long', async () => {
    run(['claude', folder], event('UserPromptSubmit', { prompt: 'x'.repeat(300_000) }));
    const hooks = spool();
    await hooks.poll();
    expect(hooks.events()).toMatchObject([{ sessionId: 's1', state: 'working', prompt: null }]);
  });

  it('restarts a long file with a prompt', () => {
    const file = path.join(folder, `claude-${process.pid}.jsonl`);
    writeFileSync(file, 'x'.repeat(1_048_577));
    run(['claude', folder], event('Stop'));
    expect(statSync(file).size).toBeGreaterThan(1_048_577);
    run(['claude', folder], event('UserPromptSubmit', { prompt: 'a' }));
    expect(statSync(file).size).toBeLessThan(1_000);
  });

  it.each([
    ['no input', ''],
    ['no JSON', 'hello'],
    ['binary input', '\u0000\u0001\u0002'],
  ])('with %s writes nothing and ends with 0', (_, input) => {
    const done = run(['claude', folder], input);
    expect([done.status, done.stdout, done.stderr, existsSync(path.join(folder, 'bell'))]).toEqual([
      0,
      '',
      '',
      false,
    ]);
  });

  it('without a folder, write permission or arguments ends silently with 0', () => {
    expect(run(['claude', path.join(folder, 'none')], event('Stop'))).toMatchObject({
      status: 0,
      stderr: '',
    });
    writeFileSync(path.join(folder, `claude-${process.pid}.jsonl`), '');
    mkdirSync(path.join(folder, 'bell'));
    chmodSync(folder, 0o500);
    expect(run(['claude', folder], event('Stop'))).toMatchObject({ status: 0, stdout: '', stderr: '' });
    chmodSync(folder, 0o700);
    expect(run([], event('Stop'))).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });

  it('runs the chained program as if it had been called directly', async () => {
    const notice =
      '{"type":"agent-turn-complete","thread-id":"t 1","last-assistant-message":"it\'s \\"done\\""}';
    const chained = ['sh', '-c', 'printf "%s|" "$@"; exit 3', 'sh', 'a b', '--', '$x'];
    const done = run(['codex-notify', folder, '--', ...chained, notice], '');
    expect([done.status, done.stdout]).toEqual([3, `a b|--|$x|${notice}|`]);
    const hooks = spool();
    await hooks.poll();
    expect(hooks.events()).toMatchObject([{ cli: 'codex', sessionId: 't 1', state: 'idle', own: false }]);
  });

  it('is fast', () => {
    const begin = performance.now();
    for (let count = 0; count < 20; count += 1)
      execFileSync(PROGRAM, ['claude', folder], { input: event('Stop') });
    const each = (performance.now() - begin) / 20;
    // Some 10 ms on an idle machine; a start of Node would take ten times as long.
    expect(each).toBeLessThan(150);
    expect(readFileSync(path.join(folder, `claude-${process.pid}.jsonl`), 'utf8').split('\n').length).toBe(
      21,
    );
  });
});
