/** The zsh client leaves options, variables, descriptors, traps and exit statuses of the user's shell unchanged. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { PRODUCT } from '../../../helpers/product.ts';
import type { SeenRequest } from '../../../helpers/scripted-daemon.ts';
import { atEnd, endWithTest, PLUGINS, startZsh } from '../../../helpers/zsh-client.ts';
import { ZshPty } from '../../../helpers/zsh-pty.ts';

endWithTest();

/** Waits so many milliseconds in a busy loop: node's timers are not that exact. */
function busyFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('options, variables, descriptors', () => {
  it.each([
    ['set -u', 'setopt no_unset'],
    ['ksh_arrays', 'setopt ksh_arrays'],
    ['sh_word_split and glob_subst', 'setopt sh_word_split glob_subst'],
    ['err_return and warn_create_global', 'setopt err_return warn_create_global'],
    ['emulate ksh', 'emulate ksh'],
    ['rc_expand_param, csh_null_glob, extended_glob', 'setopt rc_expand_param csh_null_glob extended_glob'],
    ['aliases of our words', "alias local='echo ALIAS' zle='echo ALIAS'; alias -g -- '-Fw'='GLOBAL'"],
  ])('works under %s', async (_name, line) => {
    for (const when of ['before', 'after'] as const) {
      const { zsh } = await startZsh({ [when]: [line] });
      zsh.type('ls');
      await zsh.untilText('(1/2) ls --first');
      zsh.type('\u001b[1;2C');
      await zsh.untilText('(2/2) ls --second');
      zsh.type('\t');
      await zsh.until((screen) => screen.startsWith('# ls --second'));
      zsh.type('\u0015print -r done\r');
      await zsh.until((screen) => /^done$/m.test(screen));
      expect(zsh.everything).not.toMatch(/ALIAS|GLOBAL|parameter not set|bad |error|no such/i);
    }
  });

  it('leaves options, REPLY, traps of children and stderr as they were', async () => {
    const plain = new ZshPty({ socket: '/nonexistent', withoutClient: true });
    atEnd(() => plain.close());
    await plain.ready();
    const { zsh } = await startZsh();
    zsh.type('REPLY=mine reply=(a b)\r');
    zsh.type('ls -l');
    await zsh.untilText('(1/2)');
    zsh.type('\u0015');
    expect(await zsh.run('print -r -- $REPLY $reply')).toBe('mine a b');
    expect(await zsh.run('setopt; unsetopt')).toBe(await plain.run('setopt; unsetopt'));
    expect(await zsh.run('ls /nonexistent-file')).toContain('No such file');
    zsh.type('ls /nonexistent-file\r');
    await zsh.untilText('No such file');
  });

  it('keeps $? and says nothing about jobs', async () => {
    const { zsh } = await startZsh();
    zsh.type('(exit 7)\r');
    await zsh.until((screen) => /\(exit 7\)\n#$/.test(screen));
    zsh.type('print status=$?\r');
    await zsh.untilText('status=7');
    expect(zsh.everything).not.toMatch(/\[\d+\]|done|terminated/i);
  });

  it('gives a fresh prompt at each of 100 Ctrl-C, leaves no row and leaks no descriptor', async () => {
    const { zsh } = await startZsh();
    zsh.type('ls\r');
    await zsh.untilState(({ buffer }) => buffer === '');
    const before = zsh.openFiles;
    const prompts = () => zsh.everything.match(/^#/gm)?.length ?? 0;
    for (let round = 0; round < 100; round += 1) {
      const earlier = prompts();
      zsh.type(`echo ${round}`);
      await zsh.untilText(`(1/2) echo ${round} --first`);
      await zsh.probe();
      zsh.type('\u0003');
      // With a Ctrl-C the terminal drops pending output: a letter of the old line may be missing.
      await zsh.until((screen) => screen.endsWith('\n#') && prompts() > earlier, `a prompt after ${round}`);
    }
    zsh.type('x'.repeat(2));
    await zsh.untilText('(1/2)');
    zsh.type('\r');
    await zsh.until((screen) => screen.includes('command not found'));
    await zsh.untilState(({ buffer }) => buffer === '');
    // A running widget has a few of its own.
    await zsh.until(() => zsh.openFiles <= before, `no more than ${before} descriptors`);
    expect(zsh.everything).not.toContain('(1/2)');
  });

  it.each([
    ['alone', []],
    // Alone it loses one Ctrl-C of fifteen here: zsh forgets those that hit its handler, too.
    ['beside zsh-autosuggestions', [`source ${PLUGINS.suggestions}`]],
  ])('ends the line at a Ctrl-C that comes together with an answer, %s', async (_name, after) => {
    if (after.length > 0 && !existsSync(PLUGINS.suggestions)) {
      console.warn('skipped: zsh-autosuggestions is not installed');
      return;
    }
    // Numbered: zsh-autosuggestions may complain on the screen, and zsh then draws the same prompt once more.
    const { zsh } = await startZsh({
      before: ['ASHLET_DELAY=0'],
      after: [...after, 'number() { PS1="$(( ++N ))# " }'],
    });
    await zsh.run('precmd_functions+=(number)');
    await zsh.untilText('1#');
    for (let round = 1; round <= 80; round += 1) {
      zsh.type(`echo ${round}`);
      // The answer takes a millisecond or a few.
      busyFor((round % 16) / 2);
      zsh.type('\u0003');
      await zsh.until((screen) => screen.endsWith(`\n${round + 1}#`), `a prompt after ${round}`);
    }
    expect(await zsh.run('print -r -- status=$?')).toContain('status=130');
  });

  it('never runs the line of a Ctrl-C with what is typed right behind it', async () => {
    const { zsh } = await startZsh({ before: ['ASHLET_DELAY=0'] });
    for (let round = 0; round < 60; round += 1) {
      zsh.type('echo old');
      busyFor(2 + (round % 16) / 2);
      zsh.type('\u0003');
      busyFor((round % 5) * 2);
      // zsh itself may lose a first letter that comes at once.
      zsh.type(` new\rprint -r -- END${round}\r`);
      await zsh.until((screen) => screen.includes(`\nEND${round}\n`), `the answer of ${round}`);
      expect(zsh.everything).not.toMatch(/^old/m);
    }
  });

  it('leaves a Ctrl-C trap of the user unchanged, and none of its own', async () => {
    const own = await startZsh();
    expect(await own.zsh.run('trap')).not.toContain(' INT');
    for (const trap of ["trap 'print -r -- MINE' INT", 'TRAPINT() { print -r -- MINE; return 130 }']) {
      const { zsh } = await startZsh({ after: [trap] });
      zsh.type('ls');
      await zsh.untilText('(1/2)');
      zsh.type('\u0003');
      await zsh.untilText('MINE');
      zsh.type('\u0015');
      await zsh.untilState(({ buffer }) => buffer === '');
      expect(await zsh.run('trap')).toContain('MINE');
    }
  });

  it('wraps a trap once that is set again before each prompt', async () => {
    const renew = '__p9k_trapint="print -r -- MINE; return 130"; renew() { trap -- $__p9k_trapint INT }';
    const { zsh } = await startZsh({ after: [renew, 'precmd_functions+=(renew)'] });
    for (let round = 1; round <= 4; round += 1) await zsh.run(`: ${round}`);
    expect(await zsh.run('trap')).not.toContain('_ashlet_trap_returned');
  });

  it.each([
    ['sets', "trap 'print -r -- NEW' INT", /NEW.* INT/s],
    ['removes', 'trap - INT', /^(?!.* INT)/s],
  ])('keeps what a widget %s as a trap while a line is edited', async (_does, change, expected) => {
    const widget = `change() { ${change} }; zle -N change; bindkey '^G' change`;
    const { zsh } = await startZsh({ after: ["trap 'print -r -- MINE' INT", widget] });
    zsh.type('ls');
    await zsh.untilText('(1/2)');
    zsh.type('\u0007\u0015');
    await zsh.untilState(({ buffer }) => buffer === '');
    expect(await zsh.run('trap')).toMatch(expected);
  });

  it.each([
    ["trap 'return 130' INT"],
    ['TRAPINT() { return 130 }', 'precmd() { print -n "" }'],
    [
      'renew() { trap "return 130" INT }',
      'drop() { trap - INT }',
      'precmd_functions+=(renew); preexec_functions+=(drop)',
    ],
  ])('ends the line and leaves no row at a Ctrl-C that has a trap of the user: %s', async (...trap) => {
    const { zsh } = await startZsh({ after: [...trap, 'number() { PS1="$(( ++N ))# " }'] });
    await zsh.run('precmd_functions+=(number)');
    await zsh.untilText('1#');
    for (let round = 1; round <= 40; round += 1) {
      zsh.type(`ls ${round}`);
      if (round < 12) await zsh.untilText(`${round % 3 > 0 ? '(1/2) ' : '# '}ls ${round}`);
      // In the middle of the answer, now and then.
      else busyFor((round % 14) / 2);
      zsh.type('\u0003');
      await zsh.until((screen) => screen.endsWith(`\n${round + 1}#`), `a prompt after ${round}`);
    }
    expect(zsh.everything).not.toContain('(1/2)');
  });

  it('leaves no process behind a Ctrl-C, and $! as it was', async () => {
    const { zsh } = await startZsh();
    zsh.type('sleep 300 &\r');
    await zsh.untilState(({ buffer }) => buffer === '');
    const own = () => readFileSync(`/proc/${zsh.pid}/task/${zsh.pid}/children`, 'utf8').trim();
    const job = own();
    zsh.type('ls');
    await zsh.untilText('(1/2)');
    zsh.type('\u0003');
    await zsh.until((screen) => screen.endsWith('\n#'));
    await zsh.until(() => own() === job, 'no process but the job');
    expect(await zsh.run('print -r -- $!')).toBe(job);
    zsh.type('kill %1\r');
  });

  it('keeps the first precmd function of the user alive at Ctrl-C', async () => {
    const { zsh } = await startZsh({ before: ['precmd() { print -r -- HOOK-$? }'] });
    zsh.type('ls');
    await zsh.untilText('(1/2)');
    await zsh.probe();
    zsh.type('\u0003');
    const screen = await zsh.untilText('HOOK-130');
    expect(screen).not.toContain('(1/2)');
  });

  it('lets Tab act in a burst of keys as on a shown row', async () => {
    const { zsh } = await startZsh();
    zsh.type('ls\t');
    await zsh.untilState(({ buffer }) => buffer === 'ls --first');
  });

  it('walks a menu of zsh back with Shift+Tab', async () => {
    const { zsh } = await startZsh({
      after: [
        'autoload -Uz compinit && compinit -D -u',
        'ASHLET_MIN_INPUT=99',
        'mkdir -p $ZDOTDIR/m && cd $ZDOTDIR/m && touch xa xb xc',
      ],
    });
    zsh.type('cat x\t\t\t\u001b[Z');
    await zsh.untilState(({ buffer }) => buffer.trimEnd() === 'cat xa');
  });

  it('counts the columns of a mark without a width as zsh shows it', async () => {
    const { zsh } = await startZsh({}, ({ input }: SeenRequest) => [
      `${input} e\u0301 \u{1f468}\u200d\u{1f469}`,
      `${input} x`,
    ]);
    zsh.type('ls');
    expect(await zsh.untilText('(1/2)')).toMatch(/<0301> .*<200d>.*\[/);
  });

  it('loads with the first prompt, warns of nothing and keeps the arrays of matches', async () => {
    const { zsh } = await startZsh({
      before: ['setopt warn_create_global warn_nested_var 2>/dev/null'],
      after: ['match=(mine) mbegin=(1) mend=(2)'],
    });
    zsh.type('ls "\u0016\t');
    expect(await zsh.untilText('(1/2)')).not.toMatch(/set in enclosing scope|:\d+:/);
    zsh.type('\u0015');
    await zsh.untilState(({ buffer }) => buffer === '');
    expect(await zsh.run('print -r -- $match $mbegin $mend')).toBe('mine 1 2');
    for (const widget of ['.ashlet:trigger-async', '.ashlet:fetch-async'])
      expect(await zsh.run(`print \${+widgets[${widget}]}`)).toContain('1');
  });

  it.each(['own_widget() { true }; zle -N zle-line-init own_widget', 'true'])(
    'shares the hooks with others, who may come later: %s',
    async (before) => {
      const { zsh } = await startZsh({
        before: [before],
        after: [
          'autoload -Uz add-zle-hook-widget add-zsh-hook',
          'later() { [[ $BUFFER == ls ]] && SEEN=yes; return 0 }; zle -N later',
          'late() { add-zle-hook-widget line-pre-redraw later; source $ASHLET; add-zsh-hook -d precmd late }',
          `ASHLET=${path.join(PRODUCT, 'shell/ashlet.zsh')}; add-zsh-hook precmd late`,
        ],
      });
      zsh.type('ls');
      await zsh.untilText('(1/2) ls --first');
      zsh.type('\t');
      await zsh.untilState(({ buffer }) => buffer === 'ls --first');
      zsh.type('\u0015');
      await zsh.untilState(({ buffer }) => buffer === '');
      expect(await zsh.run('print -r -- $SEEN')).toBe('yes');
    },
  );

  it('keeps its connection if hooks of the editor have no standard input', async () => {
    // As in zsh 5.3. The client is loaded with the first prompt: its function exists only then.
    const close = "functions[.ashlet:connect]='exec 0<&-;'$functions[.ashlet:connect]";
    const { zsh } = await startZsh({
      after: [`shut() { ${close}; precmd_functions=(\${precmd_functions:#shut}) }; precmd_functions+=(shut)`],
    });
    zsh.type('git');
    await zsh.untilText('(1/2) git --first');
  });

  it('children do not inherit the connection', async () => {
    const { daemon, zsh } = await startZsh();
    zsh.type('ls');
    await zsh.untilText('(1/2)');
    expect(daemon.open).toBe(1);
    zsh.type('\u0015sleep 30 & ls -l /proc/self/fd\r');
    await zsh.untilText('/dev/');
    expect(zsh.screen).not.toContain('socket:');
    zsh.type('kill %1\r');
  });
});
