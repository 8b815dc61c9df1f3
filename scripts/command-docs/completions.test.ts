import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { bashCompletion } from './completions.ts';
import { commandTable } from './table.ts';

/** What bash offers for these words, the last one being typed. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const script = `${bashCompletion(await commandTable())}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _copane; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', ...words], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.trimEnd().split('\n');
}

it.each([
  [
    ['copane', 'sta'],
    ['status', 'state'],
  ],
  [['copane', 'sandbox', 'n'], ['new']],
  [['copane', 'sandbox', 'new', '--t'], ['--target']],
  [
    ['copane', 'pull', '--source', ''],
    ['auto', 'transcript', 'screen'],
  ],
  [['copane', 'init', 'tm'], ['tmux']],
  [['copane', 'send', 'some-file'], ['']],
])('%j', async (words, expected) => {
  expect(await offered(...words)).toEqual(expected);
});

it('describes every command, option and argument', async () => {
  const table = await commandTable();
  const words = table.flatMap(({ summary, options }) => [summary, ...options.map(({ about }) => about)]);
  expect(words.filter((text) => text.trim() === '')).toEqual([]);
});
