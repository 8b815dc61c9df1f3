/** What zsh keeps out of its history is told to nobody. */
import { afterEach, expect, it } from 'vitest';
import { ScriptedDaemon, type SeenRequest } from '../../helpers/scripted-daemon.ts';
import { ZshPty } from '../../helpers/zsh-pty.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A history file, as most users have one. */
const KEPT = ['HISTFILE=$ZDOTDIR/hist HISTSIZE=100 SAVEHIST=100'];

/** The lines that were reported after these commands ran, each with whether it may go to disk. */
async function reported(before: readonly string[], commands: readonly string[]) {
  const daemon = await new ScriptedDaemon({ answer: ({ input }: SeenRequest) => [`${input} x`] }).start();
  cleanups.push(() => daemon.stop());
  const zsh = await new ZshPty({ socket: daemon.socket, before }).ready();
  cleanups.push(() => zsh.close());
  for (const command of [...commands, ': end']) {
    zsh.type(`${command}\r`);
    await zsh.untilState(({ buffer }) => buffer === '');
  }
  zsh.type('zz');
  await daemon.requestFor('zz');
  return daemon.messages
    .filter(({ event }) => event === 'executed')
    .map(({ line, store }) => (store === false ? `${line} (in memory)` : String(line)))
    .filter((line) => !line.startsWith(': end'));
}

it.each<[string, readonly string[], readonly string[], readonly string[]]>([
  ['everything, as a rule', KEPT, [': one', ': two'], [': one', ': two']],
  ['not what begins with a blank', KEPT, [' : secret', ': two'], [': two']],
  [
    'not an alias that begins with a blank',
    [...KEPT, 'setopt hist_ignore_space', "alias quiet=' :'"],
    ['quiet secret', ': two'],
    [': two'],
  ],
  [
    'not what HISTORY_IGNORE takes',
    [...KEPT, "HISTORY_IGNORE='(: se*|ls)'"],
    [': secret', ': two'],
    [': two'],
  ],
  [
    'not a look at the history under hist_no_store',
    [...KEPT, 'setopt hist_no_store'],
    ['history 1', 'fc -l 1', ': two'],
    [': two'],
  ],
  [
    'not a function under hist_no_functions',
    [...KEPT, 'setopt hist_no_functions'],
    ['f() { : secret }', 'function g { : secret }', ': two'],
    [': two'],
  ],
  [
    'not what a hook refuses',
    [...KEPT, 'zshaddhistory() { [[ $1 != *secret* ]] }'],
    [': one', ': secret', ': two'],
    [': one', ': two'],
  ],
  [
    'not what one hook of several refuses',
    [...KEPT, 'veto() { [[ $1 == *secret* ]] && return 1; return 0 }', 'zshaddhistory_functions=(veto)'],
    [': secret', ': two'],
    [': two'],
  ],
  ['only in memory without a history file', ['unset HISTFILE'], [': one'], [': one (in memory)']],
  [
    'only in memory where nothing is saved',
    ['HISTFILE=$ZDOTDIR/hist SAVEHIST=0'],
    [': one'],
    [': one (in memory)'],
  ],
  [
    'nothing once the history file was given up',
    KEPT,
    [': one', 'unset HISTFILE', ': secret'],
    [': one', 'unset HISTFILE (in memory)'],
  ],
  [
    'nothing between fc -p and fc -P',
    KEPT,
    [': one', 'fc -p', ': secret', 'fc -P', ': two'],
    [': one', 'fc -p (in memory)', ': two'],
  ],
])('%s', async (_name, before, commands, expected) => {
  expect(await reported(before, commands)).toEqual(expected);
});
