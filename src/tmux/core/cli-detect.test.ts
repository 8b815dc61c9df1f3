import { describe, expect, it } from 'vitest';
import { detectCli, findCli, findForeground, isInteractiveShell, type PaneProcess } from './cli-detect.ts';

describe('AI CLIs by their argument list', () => {
  it.each([
    ['claude', ['claude']],
    ['claude', ['claude', '--resume']],
    ['claude', ['claude --resume abc']],
    ['claude', ['/home/u/.local/share/claude/versions/2.1.332']],
    [
      'claude',
      ['node', '--max-old-space-size=8192', '/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js'],
    ],
    ['claude', ['/usr/bin/node', '/home/u/.npm-global/bin/claude']],
    ['claude', ['bun', '/opt/claude-code/cli.js']],
    ['codex', ['codex']],
    ['codex', ['/opt/codex-x86_64-unknown-linux-musl', '--no-alt-screen']],
    ['codex', ['node', '/x/node_modules/@openai/codex/bin/codex.js']],
    ['gemini', ['node', '/x/node_modules/@google/gemini-cli/dist/index.js', '-m', 'flash']],
    ['gemini', ['/usr/bin/node', '--no-warnings=DEP0040', '/usr/local/bin/gemini']],
    ['opencode', ['/x/node_modules/opencode-linux-x64/bin/opencode']],
    ['opencode', ['/x/node_modules/opencode-ai/bin/.opencode']],
    ['pi', ['pi']],
    ['pi', ['node', '/x/node_modules/@mariozechner/pi-coding-agent/dist/cli.js']],
    ['aider', ['/usr/bin/python3.12', '/home/u/.local/bin/aider', '--model', 'x']],
    ['aider', ['python3', '-m', 'aider']],
    ['tour', ['copane tour']],
    ['tour', ['node', '/opt/copane/dist/copane.js', 'tour']],
  ])('%s: %j', (cli, argv) => {
    expect(detectCli(argv)).toBe(cli);
  });

  it.each([
    [['vim', 'claude.md']],
    [['copane tui']],
    [['sh', '-c', '"$@"', 'copane', '/opt/copane/bin/copane', 'tour']],
    [['node', 'server.js', 'claude']],
    [['python3', 'pi.py']],
    [['bash']],
    [['ssh', 'host', 'claude']],
    [['grep', '-r', 'codex', '.']],
    [['tail', '-f', '/tmp/claude']],
    [['node', '/srv/claude-tools/index.js']],
    [[]],
  ])('none: %j', (argv) => {
    expect(detectCli(argv)).toBeNull();
  });
});

describe('shells', () => {
  it.each([
    [['-zsh'], true],
    [['/bin/bash'], true],
    [['bash', '--rcfile', '/tmp/x', '-i'], true],
    [['zsh', '-o', 'vi'], true],
    [['busybox', 'sh'], true],
    [['fish', '-l'], true],
    [['bash', 'script.sh'], false],
    [['sh', '-c', 'while read x; do :; done'], false],
    [['zsh', '-ic', 'claude'], false],
    [['ssh', 'host'], false],
  ])('%j waits for commands: %s', (argv, expected) => {
    expect(isInteractiveShell(argv)).toBe(expected);
  });
});

function process(pid: number, ppid: number, words: string, front = true, stopped = false): PaneProcess {
  return { pid, ppid, argv: words.split(' '), foreground: front, stopped };
}

describe('the reader of the keys', () => {
  it('is the CLI, not the tools it runs', () => {
    const tree = [process(3, 2, 'codex mcp-server'), process(1, 0, '-zsh', false), process(2, 1, 'claude')];
    expect(findForeground(tree)).toEqual({ kind: 'cli', cli: 'claude', pid: 2 });
    expect(findCli(tree)).toEqual({ cli: 'claude', pid: 2 });
  });

  it('is the shell, if the CLI is stopped or gone', () => {
    const stopped = [process(1, 0, '-zsh'), process(2, 1, 'claude', false, true)];
    expect(findForeground(stopped)).toEqual({ kind: 'shell', name: 'zsh', pid: 1 });
    expect(findCli(stopped)).toEqual({ cli: 'claude', pid: 2 });
    expect(findForeground([process(1, 0, 'bash')])).toMatchObject({ kind: 'shell' });
  });

  it('is another program', () => {
    expect(findForeground([process(1, 0, 'bash', false), process(2, 1, 'python3 x.py')])).toEqual({
      kind: 'program',
      name: 'python3',
      pid: 2,
    });
    expect(findForeground([])).toBeNull();
  });
});
