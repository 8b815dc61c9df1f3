/** The zsh client changes nothing of the user's shell: options, files, processes, traps, keys, exit statuses, other plugins. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { PRODUCT } from '../../helpers/product.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { ScriptedDaemon, type SeenRequest } from '../../helpers/scripted-daemon.ts';
import { type ZshOptions, ZshPty } from '../../helpers/zsh-pty.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Answers every line with two continuations of it; an empty one, where only a repair is asked for, with none. */
const CONTINUE = ({ input }: SeenRequest) => (input === '' ? [] : [`${input} --first`, `${input} --second`]);

async function start(options: Partial<ZshOptions> = {}, answer = CONTINUE) {
  const daemon = await new ScriptedDaemon({ answer }).start();
  cleanups.push(() => daemon.stop());
  const zsh = new ZshPty({ socket: daemon.socket, ...options });
  cleanups.push(() => zsh.close());
  await zsh.ready();
  return { daemon, zsh };
}

const PLUGINS = {
  suggestions: '/usr/share/zsh-autosuggestions/zsh-autosuggestions.zsh',
  highlighting: '/usr/share/zsh-syntax-highlighting/zsh-syntax-highlighting.zsh',
};

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
      const { zsh } = await start({ [when]: [line] });
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
    cleanups.push(() => plain.close());
    await plain.ready();
    const { zsh } = await start();
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
    const { zsh } = await start();
    zsh.type('(exit 7)\r');
    await zsh.until((screen) => /\(exit 7\)\n#$/.test(screen));
    zsh.type('print status=$?\r');
    await zsh.untilText('status=7');
    expect(zsh.everything).not.toMatch(/\[\d+\]|done|terminated/i);
  });

  it('gives a fresh prompt at each of 100 Ctrl-C, leaves no row and leaks no descriptor', async () => {
    const { zsh } = await start();
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
      // With a Ctrl-C the terminal drops what it was about to show: a letter of the old line may be missing.
      await zsh.until((screen) => screen.endsWith('\n#') && prompts() > earlier, `a prompt after ${round}`);
    }
    zsh.type('x'.repeat(2));
    await zsh.untilText('(1/2)');
    zsh.type('\r');
    await zsh.until((screen) => screen.includes('command not found'));
    await zsh.untilState(({ buffer }) => buffer === '');
    // A widget that runs just now has a few of its own.
    await zsh.until(() => zsh.openFiles <= before, `no more than ${before} descriptors`);
    expect(zsh.everything).not.toContain('(1/2)');
  });

  it.each([
    ['alone', []],
    // Alone it loses one Ctrl-C of fifteen here: zsh forgets those that strike its handler too.
    ['beside zsh-autosuggestions', [`source ${PLUGINS.suggestions}`]],
  ])('ends the line at a Ctrl-C that comes together with an answer, %s', async (_name, after) => {
    if (after.length > 0 && !existsSync(PLUGINS.suggestions)) {
      console.warn('skipped: zsh-autosuggestions is not installed');
      return;
    }
    // Numbered: zsh-autosuggestions may complain on the screen, and zsh then draws the same prompt once more.
    const { zsh } = await start({
      before: ['ASHLET_DELAY=0'],
      after: [...after, 'number() { PS1="$(( ++N ))# " }'],
    });
    await zsh.run('precmd_functions+=(number)');
    await zsh.untilText('1#');
    for (let round = 1; round <= 80; round += 1) {
      zsh.type(`echo ${round}`);
      // Busy, for a timer of node is never that exact: the answer takes a millisecond or a few.
      const until = performance.now() + (round % 16) / 2;
      while (performance.now() < until);
      zsh.type('\u0003');
      await zsh.until((screen) => screen.endsWith(`\n${round + 1}#`), `a prompt after ${round}`);
    }
    expect(await zsh.run('print -r -- status=$?')).toContain('status=130');
  });

  it('never runs the line of a Ctrl-C with what is typed right behind it', async () => {
    const { zsh } = await start({ before: ['ASHLET_DELAY=0'] });
    const wait = (ms: number) => {
      const until = performance.now() + ms;
      while (performance.now() < until);
    };
    for (let round = 0; round < 60; round += 1) {
      zsh.type('echo old');
      wait(2 + (round % 16) / 2);
      zsh.type('\u0003');
      wait((round % 5) * 2);
      // zsh alone may lose the first letter, where it comes at once.
      zsh.type(` new\rprint -r -- END${round}\r`);
      await zsh.until((screen) => screen.includes(`\nEND${round}\n`), `the answer of ${round}`);
      expect(zsh.everything).not.toMatch(/^old/m);
    }
  });

  it('leaves a trap of the user on Ctrl-C as it is, and none of its own', async () => {
    const own = await start();
    expect(await own.zsh.run('trap')).not.toContain(' INT');
    for (const trap of ["trap 'print -r -- MINE' INT", 'TRAPINT() { print -r -- MINE; return 130 }']) {
      const { zsh } = await start({ after: [trap] });
      zsh.type('ls');
      await zsh.untilText('(1/2)');
      zsh.type('\u0003');
      await zsh.untilText('MINE');
      zsh.type('\u0015');
      await zsh.untilState(({ buffer }) => buffer === '');
      expect(await zsh.run('trap')).toContain('MINE');
    }
  });

  it('leaves no process behind a Ctrl-C, and $! as it was', async () => {
    const { zsh } = await start();
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
    const { zsh } = await start({ before: ['precmd() { print -r -- HOOK-$? }'] });
    zsh.type('ls');
    await zsh.untilText('(1/2)');
    await zsh.probe();
    zsh.type('\u0003');
    const screen = await zsh.untilText('HOOK-130');
    expect(screen).not.toContain('(1/2)');
  });

  it('lets Tab do in a burst of keys what it does to a row that is shown', async () => {
    const { zsh } = await start();
    zsh.type('ls\t');
    await zsh.untilState(({ buffer }) => buffer === 'ls --first');
  });

  it('walks a menu of zsh back with Shift+Tab', async () => {
    const { zsh } = await start({
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
    const { zsh } = await start({}, ({ input }: SeenRequest) => [
      `${input} e\u0301 \u{1f468}\u200d\u{1f469}`,
      `${input} x`,
    ]);
    zsh.type('ls');
    expect(await zsh.untilText('(1/2)')).toMatch(/<0301> .*<200d>.*\[/);
  });

  it('loads with the first prompt, warns of nothing and keeps the arrays of matches', async () => {
    const { zsh } = await start({
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
      const { zsh } = await start({
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

  it('keeps its connection where hooks of the editor have no standard input', async () => {
    // As in zsh 5.3. The client is loaded with the first prompt: its function is there only then.
    const close = "functions[.ashlet:connect]='exec 0<&-;'$functions[.ashlet:connect]";
    const { zsh } = await start({
      after: [`shut() { ${close}; precmd_functions=(\${precmd_functions:#shut}) }; precmd_functions+=(shut)`],
    });
    zsh.type('git');
    await zsh.untilText('(1/2) git --first');
  });

  it('children do not inherit the connection', async () => {
    const { daemon, zsh } = await start();
    zsh.type('ls');
    await zsh.untilText('(1/2)');
    expect(daemon.open).toBe(1);
    zsh.type('\u0015sleep 30 & ls -l /proc/self/fd\r');
    await zsh.untilText('/dev/');
    expect(zsh.screen).not.toContain('socket:');
    zsh.type('kill %1\r');
  });
});

describe('settings', () => {
  it('asks on an empty line when no letter is required', async () => {
    const { zsh } = await start({ before: ['ASHLET_MIN_INPUT=0'] }, ({ input }) => [`${input}next`]);
    await zsh.untilText('(1/1) next');
    zsh.type('\t');
    await zsh.untilText('# next');
  });

  it('asks by socat where this zsh has no sockets', async () => {
    const modules = execFileSync('zsh', ['-fc', 'print -rn -- $module_path[1]'], { encoding: 'utf8' });
    const dir = mkdtempSync(path.join(os.tmpdir(), 'copane-modules-'));
    cleanups.push(() => removeTree(dir));
    mkdirSync(path.join(dir, 'zsh'));
    for (const name of readdirSync(path.join(modules, 'zsh')))
      if (name !== 'net') symlinkSync(path.join(modules, 'zsh', name), path.join(dir, 'zsh', name));
    const daemon = await new ScriptedDaemon({ foreign: true, answer: CONTINUE }).start();
    cleanups.push(() => daemon.stop());
    const zsh = new ZshPty({ socket: daemon.socket, before: [`module_path=(${dir})`] });
    cleanups.push(() => zsh.close());
    await zsh.ready();
    zsh.type('ls');
    await zsh.untilText('(1/2) ls --first');
    zsh.type('\t');
    await zsh.until((screen) => screen.startsWith('# ls --first'));
    expect(await zsh.run('print -r -- $_ashlet_transport')).toBe('socat');
  });
});

describe('processes', () => {
  it('starts none while typing', async () => {
    if (!existsSync('/usr/bin/strace')) {
      console.warn('skipped: strace is not installed');
      return;
    }
    const { zsh } = await start();
    const log = path.join(zsh.dir, 'strace.log');
    zsh.type('ls');
    await zsh.untilText('(1/2) ls --first');
    const strace = spawn('strace', [
      '-f',
      '-qq',
      '-e',
      'trace=clone,clone3,fork,vfork,execve',
      '-o',
      log,
      '-p',
      String(zsh.pid),
    ]);
    cleanups.push(() => strace.kill());
    const traced = () => /TracerPid:\s+[1-9]/.test(readFileSync(`/proc/${zsh.pid}/status`, 'utf8'));
    const deadline = Date.now() + 5_000;
    while (!traced()) {
      if (Date.now() > deadline) throw new Error('strace did not attach');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    zsh.type('\u0015');
    for (let round = 0; round < 5; round += 1) {
      await zsh.typeSlowly('git commit -m message');
      await zsh.untilText('(1/2) git commit -m message --first');
      zsh.type('\u001b[1;2C');
      await zsh.untilText('(2/2)');
      zsh.type('\t');
      await zsh.untilText('# git commit -m message --second');
      zsh.type('\u0015');
    }
    expect(readFileSync(log, 'utf8')).toBe('');
    // The log would have shown one: a process is started now.
    zsh.type('\u0015/bin/true\r');
    await zsh.until(() => readFileSync(log, 'utf8') !== '', 'the trace of a child');
  });

  it('loads in few milliseconds and twice without harm', async () => {
    const { zsh } = await start({
      after: [
        `source ${path.join(PRODUCT, 'shell/ashlet.zsh')}`,
        `source ${path.join(PRODUCT, 'shell/ashlet.plugin.zsh')}`,
      ],
    });
    zsh.type('ls');
    await zsh.untilText('(1/2) ls --first');
    zsh.type('\t');
    await zsh.until((screen) => screen.startsWith('# ls --first'));
    zsh.type('\u0003');
    await zsh.until((screen) => screen.endsWith('#'));
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of zsh.
    expect(await zsh.run('print -r -- ${(j:,:)precmd_functions} ${(j:,:)preexec_functions}')).toBe(
      '.ashlet:nothing,.ashlet:precmd .ashlet:preexec',
    );
  });
});

describe('keys', () => {
  it('TAB does what it did before when no row is shown', async () => {
    const { zsh } = await start({}, () => []);
    zsh.type('cat .zsh\t');
    await zsh.until((screen) => screen.startsWith('# cat .zshrc'));
  });

  it('TAB calls the widget that was bound before, whether it came before or after us', async () => {
    const mine = ['my-tab() { LBUFFER+=MINE }', 'zle -N my-tab', "bindkey '^I' my-tab"];
    for (const when of ['before', 'after'] as const) {
      const { zsh } = await start({ [when]: mine }, () => []);
      zsh.type('xy\t');
      await zsh.untilText('# xyMINE');
    }
  });

  it('a widget that wraps ours and is wrapped by it does not loop', async () => {
    const { zsh } = await start(
      { after: ['wrap() { zle .ashlet:apply-tab }', 'zle -N wrap', "bindkey '^I' wrap"] },
      () => [],
    );
    zsh.type('cat .zsh\t');
    await zsh.until((screen) => screen.startsWith('# cat .zshrc'));
  });

  it('a widget that wraps ours, loaded after us, still reaches the completion functions', async () => {
    const { zsh } = await start(
      {
        before: ['autoload -Uz compinit; compinit -u -D'],
        after: [
          'zeta() { true }; _zeta() { compadd -- only-by-function }; compdef _zeta zeta',
          'wrap() { zle .ashlet:apply-tab }',
          'zle -N wrap',
          "bindkey '^I' wrap",
        ],
      },
      () => [],
    );
    zsh.type('zeta on\t');
    await zsh.until((screen) => screen.startsWith('# zeta only-by-function'));
  });

  it('Shift+TAB is the shell completion, row or not', async () => {
    const { zsh } = await start();
    zsh.type('cat .zsh');
    await zsh.untilText('(1/2)');
    zsh.type('\u001b[Z');
    await zsh.until((screen) => screen.startsWith('# cat .zshrc'));
  });

  it('ESC with no row is still a prefix, however slow', async () => {
    const { zsh } = await start({}, () => []);
    zsh.type('one two');
    await zsh.untilState(({ buffer }) => buffer === 'one two');
    zsh.type('\u001b');
    await new Promise((resolve) => setTimeout(resolve, 200));
    zsh.type('b');
    expect(await zsh.untilState(({ cursor }) => cursor === 4)).toMatchObject({ buffer: 'one two' });
  });

  it('ESC calls a widget that the user had bound to it, row or not', async () => {
    const { zsh } = await start({
      before: ['my-esc() { LBUFFER+=E }', 'zle -N my-esc', "bindkey -M emacs '^[' my-esc"],
    });
    zsh.type('ls');
    await zsh.untilText('(1/2)');
    zsh.type('\u001b');
    await zsh.untilText('# lsE');
  });

  it('vi mode: ESC goes to command mode at once and takes the row away', async () => {
    const { zsh } = await start({ before: ['bindkey -v'] });
    zsh.type('echo abc');
    await zsh.untilText('(1/2)');
    zsh.type('\u001b');
    await zsh.untilNoText('(1/2)');
    zsh.type('0x');
    await zsh.untilText('# cho abc');
    zsh.type('ie');
    await zsh.untilText('(1/2) echo abc --first');
    zsh.type('\t');
    await zsh.untilText('# echo abc --first');
    expect(await zsh.run("bindkey -M viins '^['; bindkey -M vicmd '^['")).toMatch(
      /vi-cmd-mode\n.*(undefined-key|beep)/,
    );
  });

  it('vi mode without escape sequences stays without them', async () => {
    const { zsh } = await start({ before: ['bindkey -v', "bindkey -rpM viins '^['"] });
    expect(await zsh.run("bindkey -M viins | grep -c '\\^\\[\\['")).toBe('0');
  });

  it('private mode sends nothing until it is left, and shows that', async () => {
    const { daemon, zsh } = await start();
    zsh.type('\u0018\u0010');
    await zsh.untilText('private: nothing is sent');
    zsh.type('secret thing');
    await zsh.untilState(({ buffer }) => buffer === 'secret thing');
    await zsh.untilText('private: nothing is sent');
    zsh.type('\u0015\u0018\u0010');
    await zsh.untilNoText('private:');
    zsh.type('ls');
    await zsh.untilText('(1/2)');
    expect(daemon.requests.map(({ input }) => input).filter((input) => input.includes('secret'))).toEqual([]);
  });

  it('a line that begins with a blank is never sent', async () => {
    const { daemon, zsh } = await start();
    await zsh.typeSlowly(' secret');
    await zsh.untilState(({ buffer }) => buffer === ' secret');
    zsh.type('\r');
    await zsh.untilText('command not found');
    zsh.type('ls');
    await zsh.untilText('(1/2)');
    expect(JSON.stringify([daemon.requests, daemon.messages])).not.toContain('secret');
  });
});

describe('places', () => {
  it('vared, select and nested editors are left alone', async () => {
    const { daemon, zsh } = await start();
    zsh.type('v=abcdef; vared v\r');
    await zsh.until((screen) => screen.endsWith('\nabcdef'));
    const asked = daemon.requests.length;
    zsh.type('gh');
    await zsh.until((screen) => screen.endsWith('abcdefgh'));
    expect(daemon.requests).toHaveLength(asked);
    zsh.type('\r');
    await zsh.until((screen) => screen.endsWith('#'));
  });

  it('at PS2 it asks where a command may stand, not in a quotation', async () => {
    const { daemon, zsh } = await start();
    zsh.type('for i in 1; do\r');
    await zsh.untilText('for>');
    zsh.type('ec');
    await zsh.untilText('(1/2) ec --first');
    zsh.type('ho x; done\r');
    await zsh.until((screen) => /^x$/m.test(screen));
    zsh.type("echo 'a\r");
    await zsh.untilText('quote>');
    const asked = daemon.requests.length;
    zsh.type("bcd'\r");
    await zsh.until((screen) => /^bcd$/m.test(screen));
    expect(daemon.requests).toHaveLength(asked);
  });

  it('works in a buffer of several lines and with letters of several bytes', async () => {
    const { daemon, zsh } = await start({}, ({ input }) => [`${input}\necho "世界"`]);
    zsh.type('echo 世界 é');
    const request = await daemon.requestFor('echo 世界 é');
    expect(request.cursor_pos).toBe(14);
    await zsh.untilText('(1/1) echo 世界 é⏎echo "世界"');
    zsh.type('\t');
    const multi = await daemon.requestFor('echo 世界 é\necho "世界"');
    expect(multi.cursor_pos).toBe(Buffer.byteLength(multi.input));
    await zsh.until((screen) => /^# echo 世界 é\necho "世界"/.test(screen));
  });

  it('places the cursor where a candidate says, counted in bytes', async () => {
    const { zsh } = await start({}, () => []);
    zsh.close();
    const daemon = await new ScriptedDaemon({
      answer: () => [{ completion: 'echo "世界" é', cursor_pos: 12 }],
    }).start();
    cleanups.push(() => daemon.stop());
    const shell = await new ZshPty({ socket: daemon.socket }).ready();
    cleanups.push(() => shell.close());
    shell.type('echo');
    await shell.untilText('(1/1) echo "世界|" é');
    shell.type('\t');
    expect(await shell.untilState(({ buffer }) => buffer.includes('é'))).toMatchObject({ cursor: 8 });
  });

  it('a paste is one request', async () => {
    const { daemon, zsh } = await start();
    zsh.type('ls');
    await zsh.untilText('(1/2)');
    const asked = daemon.requests.length;
    zsh.type(`\u0015${'echo word '.repeat(40)}`);
    await zsh.until(
      () => daemon.requests.some(({ input }) => input.length === 400),
      'the request for the whole',
    );
    expect(daemon.requests.length - asked).toBeLessThan(8);
    zsh.type('\u0015\u001b[200~echo bracketed paste\u001b[201~');
    await daemon.requestFor('echo bracketed paste');
  });
});

describe('the row', () => {
  it('is cut to the width, wide letters and all, and drops the hint first', async () => {
    const { zsh } = await start({ columns: 40 }, () => [`ls ${'世'.repeat(40)}`]);
    zsh.type('ls');
    await zsh.untilText('(1/1) ls 世');
    const row = zsh.rows[1] ?? '';
    expect(row).toMatch(/…$/);
    expect(row).not.toContain('apply');
    expect(zsh.rows[2]).toBe('');
    zsh.type('\t');
    await zsh.untilState(({ buffer }) => buffer === `ls ${'世'.repeat(40)}`);
  });

  it('has a grey hint at the right edge', async () => {
    const { zsh } = await start();
    zsh.type('ls');
    await zsh.untilText('(1/2)');
    const row = zsh.rows[1] ?? '';
    expect(row).toMatch(/^\(1\/2\) ls --first +\[↹\] apply \| \[⇧\]\+\[←\/→\] navigate$/);
    expect(zsh.colourAt(1, row.indexOf('apply'))).toBe(242);
    expect(zsh.colourAt(1, 1)).toBe(-1);
    expect((await zsh.probe()).highlights).toBe(1);
  });

  it('speaks ASCII where the locale is not UTF-8', async () => {
    const { zsh } = await start({ env: { LC_ALL: 'C', LANG: 'C' } });
    zsh.type('ls');
    await zsh.untilText('[Tab] apply | [Shift]+[Left/Right] navigate');
  });

  it('leaves nothing after a resize or a clear-screen', async () => {
    const { zsh } = await start({ columns: 80 });
    zsh.type('ls');
    await zsh.untilText('navigate');
    zsh.resize(50, 16);
    await zsh.until(
      (screen) => (screen.match(/\(1\/2\)/g) ?? []).length === 1 && !screen.includes('navigate\n('),
    );
    zsh.resize(100, 16);
    await zsh.until(
      (screen) => screen.includes('navigate') && (screen.match(/\(1\/2\)/g) ?? []).length === 1,
    );
    zsh.type('\u000c');
    await zsh.until((screen) => /^# ls\n\(1\/2\) ls --first/.test(screen));
    expect((zsh.screen.match(/\(1\/2\)/g) ?? []).length).toBe(1);
  });

  it('at the bottom of the screen scrolls once and stays', async () => {
    const { zsh } = await start({ rows: 6 });
    zsh.type('print -l 1 2 3 4 5 6 7\r');
    await zsh.until((screen) => /7\n#$/.test(screen));
    zsh.type('ls');
    await zsh.until((screen) => /# ls\n\(1\/2\) ls --first.*$/.test(screen));
    zsh.type('\u0015');
    await zsh.until((screen) => /#$/.test(screen) && !screen.includes('(1/2)'));
  });
});

describe('beside other plugins', () => {
  it.each(['before', 'after'] as const)(
    'zsh-autosuggestions and zsh-syntax-highlighting, both %s',
    async (when) => {
      const files = Object.values(PLUGINS);
      if (!files.every((file) => existsSync(file))) {
        console.warn('skipped: zsh-autosuggestions and zsh-syntax-highlighting are not both installed');
        return;
      }
      const { zsh } = await start({ [when]: files.map((file) => `source ${file}`) });
      const highlights: number[] = [];
      for (let round = 0; round < 8; round += 1) {
        await zsh.typeSlowly(`true ${round}`);
        await zsh.untilText(`(1/2) true ${round} --first`);
        highlights.push((await zsh.probe()).highlights);
        zsh.type('\t');
        await zsh.untilState(({ buffer }) => buffer === `true ${round} --first`);
        await zsh.probe();
        // Ended by Enter: with these plugins zsh itself may lose a Ctrl-C that comes while it draws.
        zsh.type('\r');
        await zsh.until((screen) => screen.endsWith('#'));
      }
      // Two of the line, one of a suggestion, one of our row, in whatever order the plugins come and go: a highlight
      // that stays behind at each row would soon make them more.
      expect(Math.max(...highlights), highlights.join(' ')).toBeLessThanOrEqual(4);
      expect(zsh.everything).not.toMatch(/\(1\/2\)|maximum nested|error/i);
    },
  );

  const cases = [
    ['zsh-autosuggestions before', PLUGINS.suggestions, 'before'],
    ['zsh-autosuggestions after', PLUGINS.suggestions, 'after'],
    ['zsh-syntax-highlighting before', PLUGINS.highlighting, 'before'],
    ['zsh-syntax-highlighting after', PLUGINS.highlighting, 'after'],
  ] as const;
  it.each(cases)('%s', async (name, file, when) => {
    if (!existsSync(file)) {
      console.warn(
        `skipped: ${name}: ${file} is not installed (apt install ${path.basename(path.dirname(file))})`,
      );
      return;
    }
    const { zsh } = await start({ [when]: [`source ${file}`] });
    zsh.type('ls -d /usr\r');
    await zsh.until((screen) => /^\/usr\n#$/m.test(screen));
    await zsh.typeSlowly('ls -d');
    await zsh.untilText('(1/2) ls -d --first');
    if (name.includes('suggestions')) await zsh.untilText('# ls -d /usr');
    else
      expect(
        zsh.colourAt(
          zsh.rows.findIndex((row) => row.startsWith('# ls -d')),
          2,
        ),
      ).not.toBe(-1);
    if (name.includes('highlighting')) {
      const row = zsh.rows.findIndex((line) => line.startsWith('(1/2)'));
      expect(zsh.colourAt(row, (zsh.rows[row] ?? '').indexOf('apply'))).toBe(242);
    }
    // Right arrow takes the other plugin's suggestion, never our row.
    zsh.type('\u001b[C');
    const accepted = name.includes('suggestions') ? 'ls -d /usr' : 'ls -d';
    await zsh.untilState(({ buffer }) => buffer === accepted);
    await zsh.untilText(`(1/2) ${accepted} --first`);
    zsh.type('\t');
    await zsh.untilState(({ buffer }) => buffer === `${accepted} --first`);
    await zsh.until((screen) => screen.split('\n').includes(`# ${accepted} --first`), 'no stale suggestion');
    await zsh.untilText(`(1/2) ${accepted} --first --first`);
    await zsh.probe();
    zsh.type('\u0003');
    await zsh.until((screen) => screen.endsWith('#'));
    expect(zsh.everything).not.toMatch(/\(1\/2\)|maximum nested|error/i);
  });
});

it('the shell scripts parse', () => {
  for (const file of ['ashlet.zsh', 'ashlet.plugin.zsh', 'autocomplete/init.zsh'])
    execFileSync('zsh', ['-n', path.resolve('shell', file)]);
  execFileSync('sh', ['-n', path.join(PRODUCT, 'shell/_run.sh')]);
});
