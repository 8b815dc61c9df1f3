import { expect, test } from 'vitest';
import type { ProcessInfo, ProcessSource } from '../platform/process-tree.ts';
import { findAiAbove } from './below-ai.ts';

/** A chain of processes from the top down, each the parent of the next. */
function chain(...words: string[]): ProcessSource {
  const all = words.map(
    (argv, i): ProcessInfo => ({
      pid: i + 1,
      ppid: i,
      argv: argv.split(' '),
      foreground: true,
      stopped: false,
    }),
  );
  return {
    snapshot: async () => ({ below: () => all }),
    above: async () => all.toReversed(),
    words: async () => null,
    cwd: async () => null,
    environ: async () => null,
    startedAt: async () => null,
    openFiles: async () => [],
  };
}

test.each([
  ['an AI CLI in a pane', ['init', 'tmux new -d', '-zsh', 'claude', 'bash -c x', 'copane decide'], 'claude'],
  [
    'through an interpreter',
    ['init', '/usr/bin/tmux', 'sh', 'node /usr/lib/node_modules/@openai/codex/bin/codex.js', 'copane'],
    'codex',
  ],
  ['the shell of a pane', ['init', 'tmux new -d', '-zsh', 'copane decide'], null],
  ['an AI CLI without tmux', ['init', 'claude', 'bash', 'copane decide'], null],
  ['a tmux started by an AI CLI', ['init', 'claude', 'tmux new -d', 'zsh', 'copane decide'], null],
])('%s', async (_, words, cli) => {
  expect(await findAiAbove(chain(...words), words.length)).toBe(cli);
});
