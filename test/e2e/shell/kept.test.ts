/** What zsh keeps out of its history is never sent. */
import { afterEach, expect, it } from 'vitest';
import { DaemonProcess } from '../../helpers/completion-daemon.ts';
import { ScriptedDaemon, type SeenRequest } from '../../helpers/scripted-daemon.ts';
import { ZshPty } from '../../helpers/zsh-pty.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A history file, as most users have one. */
const KEPT = ['HISTFILE=$ZDOTDIR/hist HISTSIZE=100 SAVEHIST=100'];

/** The lines reported after these commands ran, each with whether it may be stored on disk. */
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
    [': one (in memory)', ': two (in memory)'],
  ],
  [
    'not what a hook writes in other words',
    [...KEPT, 'zshaddhistory() { print -sr -- $1[1,5]; return 1 }'],
    [': one secret', ': two secret'],
    [],
  ],
  [
    'only in memory what a hook keeps from the file alone',
    [...KEPT, 'zshaddhistory() { [[ $1 != *secret* ]] || return 2 }'],
    [': secret', ': two'],
    [': secret (in memory)', ': two (in memory)'],
  ],
  [
    'not an alias that begins with a blank behind another command',
    [...KEPT, 'setopt hist_ignore_space', "alias quiet=' :'"],
    [': one; quiet secret', ': one | quiet secret', ': one && quiet secret', ': two'],
    [': two'],
  ],
  [
    'not an alias of such an alias, nor one of itself',
    [...KEPT, 'setopt hist_ignore_space', "alias quiet=' :' hush='quiet -x' ls='ls -a'"],
    ['hush secret', 'ls /', ': two'],
    ['ls /', ': two'],
  ],
  [
    'not what HISTORY_IGNORE takes by the options of the user',
    [...KEPT, "HISTORY_IGNORE='(: ~/vault*|: #*)'"],
    [': ~/vault/x', ': #secret', ': two'],
    [': two'],
  ],
  [
    'not what HISTORY_IGNORE takes once the blanks are reduced',
    [...KEPT, 'setopt hist_reduce_blanks', "HISTORY_IGNORE=': secret *'"],
    [':   secret   x', ': two'],
    [': two'],
  ],
  [
    'everything where HISTORY_IGNORE is no pattern',
    [...KEPT, "HISTORY_IGNORE='(: se'"],
    [': secret'],
    [': secret'],
  ],
  [
    'only in memory where the file keeps nothing',
    ['HISTFILE=/dev/null SAVEHIST=9'],
    [': one'],
    [': one (in memory)'],
  ],
  [
    'only in memory where the file cannot be written',
    ['HISTFILE=$ZDOTDIR/none/hist SAVEHIST=9'],
    [': one'],
    [': one (in memory)'],
  ],
  [
    'only in memory while another file is written',
    KEPT,
    [': one', 'fc -p $ZDOTDIR/other 9 9', ': secret', 'fc -P', ': two'],
    [': one', 'fc -p $ZDOTDIR/other 9 9 (in memory)', ': secret (in memory)', 'fc -P (in memory)', ': two'],
  ],
  [
    'only in memory once the file is another one',
    KEPT,
    [': one', 'HISTFILE=$ZDOTDIR/b', ': two'],
    [': one', 'HISTFILE=$ZDOTDIR/b (in memory)', ': two (in memory)'],
  ],
  [
    'nothing once the file keeps nothing',
    KEPT,
    [': one', 'HISTFILE=/dev/null', ': secret'],
    [': one', 'HISTFILE=/dev/null (in memory)'],
  ],
  [
    'nothing while a history that is not saved stands in front',
    KEPT,
    [': one', 'fc -p /dev/null 9 0', ': secret', 'fc -P', ': two'],
    [': one', 'fc -p /dev/null 9 0 (in memory)', ': two'],
  ],
  ['only in memory where no history is kept', [...KEPT, 'HISTSIZE=0'], [': one'], [': one (in memory)']],
  [
    'not what one hook of several refuses',
    [...KEPT, 'veto() { [[ $1 == *secret* ]] && return 1; return 0 }', 'zshaddhistory_functions=(veto)'],
    [': secret', ': two'],
    [': two (in memory)'],
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
  ...['SAVEHIST=0', 'HISTSIZE=0', 'unset SAVEHIST'].map(
    (off): [string, readonly string[], readonly string[], readonly string[]] => [
      `nothing while the history keeps nothing: ${off}`,
      KEPT,
      [': one', ` ${off}`, ': secret', 'HISTSIZE=100 SAVEHIST=100', ': two'],
      [': one', ': two'],
    ],
  ),
  ['nothing once the first command gave the history up', KEPT, [' SAVEHIST=0', ': secret'], []],
  [
    'nothing between fc -p and fc -P',
    KEPT,
    [': one', 'fc -p', ': secret', 'fc -P', ': two'],
    [': one', 'fc -p (in memory)', ': two'],
  ],
])('%s', async (_name, before, commands, expected) => {
  expect(await reported(before, commands)).toEqual(expected);
});

it('offers a line only while the history that has it is in front, and to no other shell', async () => {
  const daemon = await new DaemonProcess().start([': first']);
  cleanups.push(() => daemon.dispose());
  const start = async () => {
    const zsh = await new ZshPty({
      socket: daemon.socket,
      before: [`HISTFILE=${daemon.histfile} HISTSIZE=100 SAVEHIST=100`],
    }).ready();
    cleanups.push(() => zsh.close());
    return zsh;
  };
  const [zsh, another] = [await start(), await start()];
  const run = async (command: string) => {
    zsh.type(`\u0015${command}\r`);
    await zsh.untilState(({ buffer }) => buffer === '');
  };
  for (const command of [': second', 'fc -p $ZDOTDIR/aside 9 9', ': secret']) await run(command);
  const lacks = async (shell: ZshPty, typed: string) => {
    shell.type(`\u0015${typed}`);
    await shell.untilState(({ buffer, state }) => buffer === typed && state === 'idle');
  };
  zsh.type(': secr');
  await zsh.untilText(') : secret');
  await lacks(another, ': secr');
  await run('fc -P');
  zsh.type(': sec');
  await zsh.untilText(') : second');
  await lacks(zsh, ': secr');
});
