/** The zsh client starts no process while the user types; its settings and its scripts. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { PRODUCT } from '../../../helpers/product.ts';
import { removeTree } from '../../../helpers/remove-tree.ts';
import { ScriptedDaemon } from '../../../helpers/scripted-daemon.ts';
import { atEnd, CONTINUE, endWithTest, startZsh } from '../../../helpers/zsh-client.ts';
import { ZshPty } from '../../../helpers/zsh-pty.ts';

endWithTest();

describe('settings', () => {
  it('asks on an empty line when no letter is required', async () => {
    const { zsh } = await startZsh({ before: ['ASHLET_MIN_INPUT=0'] }, ({ input }) => [`${input}next`]);
    await zsh.untilText('(1/1) next');
    zsh.type('\t');
    await zsh.untilText('# next');
  });

  it('asks by socat where this zsh has no sockets', async () => {
    const modules = execFileSync('zsh', ['-fc', 'print -rn -- $module_path[1]'], { encoding: 'utf8' });
    const dir = mkdtempSync(path.join(os.tmpdir(), 'copane-modules-'));
    atEnd(() => removeTree(dir));
    mkdirSync(path.join(dir, 'zsh'));
    for (const name of readdirSync(path.join(modules, 'zsh')))
      if (name !== 'net') symlinkSync(path.join(modules, 'zsh', name), path.join(dir, 'zsh', name));
    const daemon = await new ScriptedDaemon({ foreign: true, answer: CONTINUE }).start();
    atEnd(() => daemon.stop());
    const zsh = new ZshPty({ socket: daemon.socket, before: [`module_path=(${dir})`] });
    atEnd(() => zsh.close());
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
    const { zsh } = await startZsh();
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
    atEnd(() => strace.kill());
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
    // The log would have shown one: now a process is started.
    zsh.type('\u0015/bin/true\r');
    await zsh.until(() => readFileSync(log, 'utf8') !== '', 'the trace of a child');
  });

  it('loads in few milliseconds and twice without harm', async () => {
    const { zsh } = await startZsh({
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

it('the shell scripts parse', () => {
  for (const file of ['ashlet.zsh', 'ashlet.plugin.zsh', 'autocomplete/init.zsh'])
    execFileSync('zsh', ['-n', path.resolve('shell', file)]);
  execFileSync('sh', ['-n', path.join(PRODUCT, 'shell/_run.sh')]);
});
