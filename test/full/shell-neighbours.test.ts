/**
 * Unchanged third-party programs with the zsh client and the daemon: the first ashlet client on our socket, fzf-tab
 * around our TAB. Their sources are in `COPANE_TEST_SHELLS` (by default the cache folder); skipped if missing.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { DaemonProcess } from '../helpers/completion-daemon.ts';
import { ScriptedDaemon } from '../helpers/scripted-daemon.ts';
import { ZshPty } from '../helpers/zsh-pty.ts';

const SHELLS = process.env.COPANE_TEST_SHELLS ?? path.join(os.homedir(), '.cache/copane/shells');
const ASHLET = path.join(SHELLS, 'ashlet/shell/ashlet.zsh');
const FZF_TAB = path.join(SHELLS, 'fzf-tab/fzf-tab.plugin.zsh');

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const isThere = (program: string) => {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

describe('the first ashlet client, unchanged', () => {
  async function start(history: readonly string[]) {
    const daemon = new DaemonProcess();
    cleanups.push(() => daemon.dispose());
    await daemon.start(history, { COPANE_HIDDEN_SHELL: '0' });
    const zsh = new ZshPty({
      socket: daemon.socket,
      withoutClient: true,
      env: { XDG_CONFIG_HOME: path.join(daemon.dir, 'config') },
      after: [`source ${ASHLET}`],
    });
    cleanups.push(() => zsh.close());
    await zsh.ready();
    return zsh;
  }

  it('shows our candidates, browses them and applies one with TAB', async ({ skip }) => {
    if (!existsSync(ASHLET)) skip(`no ${ASHLET}`);
    if (!isThere('socat') || !isThere('jq')) skip('needs socat and jq');
    const zsh = await start(['zeta status --short', 'zeta stash pop', 'zeta status --short']);
    zsh.type('zeta st');
    await zsh.until((screen) => /\(1\/\d\).*zeta sta/.test(screen), 'our row', 20_000);
    zsh.type('\u001b[1;2C');
    await zsh.until((screen) => /\(2\/\d\).*zeta sta/.test(screen), 'the second row', 20_000);
    zsh.type('\t');
    await zsh.until((screen) => /# zeta sta\w+/.test(screen), 'the applied line', 20_000);
  });

  it('reads multibyte characters', async ({ skip }) => {
    if (!existsSync(ASHLET)) skip(`no ${ASHLET}`);
    if (!isThere('socat') || !isThere('jq')) skip('needs socat and jq');
    const zsh = await start(['zeta 世界 é --more']);
    zsh.type('zeta 世');
    await zsh.until((screen) => screen.includes(') zeta 世界'), 'our row', 20_000);
  });

  it('shows a correction', async ({ skip }) => {
    if (!existsSync(ASHLET)) skip(`no ${ASHLET}`);
    if (!isThere('socat') || !isThere('jq')) skip('needs socat and jq');
    const zsh = await start(['git status', 'git push']);
    zsh.type('gti status');
    await zsh.until((screen) => /\(\d\/\d\).*git status/.test(screen), 'the correction', 20_000);
  });
});

describe('fzf-tab', () => {
  it.each(['before', 'after'] as const)(
    'loaded %s: TAB takes our row, otherwise opens its menu',
    async (when) => {
      if (!existsSync(FZF_TAB) || !isThere('fzf')) {
        console.warn(`skipped: needs ${FZF_TAB} and fzf`);
        return;
      }
      const answers = ({ input }: { readonly input: string }) =>
        input.startsWith('echo') ? [`${input} --first`, `${input} --second`] : [];
      const daemon = await new ScriptedDaemon({ answer: answers }).start();
      cleanups.push(() => daemon.stop());
      const plugin = ['autoload -Uz compinit; compinit -u -D', `source ${FZF_TAB}`];
      const zsh = new ZshPty({ socket: daemon.socket, rows: 24, [when]: plugin });
      cleanups.push(() => zsh.close());
      await zsh.ready();
      zsh.type('touch alpha-one alpha-two\r');
      await zsh.untilState(({ buffer }) => buffer === '');
      zsh.type('echo x');
      await zsh.untilText('(1/2) echo x --first');
      zsh.type('\t');
      await zsh.untilState(({ buffer }) => buffer === 'echo x --first');
      zsh.type('\u0015cat alpha-');
      await zsh.untilState(({ buffer, state }) => buffer === 'cat alpha-' && state === 'idle');
      zsh.type('\t');
      // fzf's menu has a counter.
      await zsh.until((screen) => /2\/2/.test(screen) && screen.includes('alpha-two'), 'the menu', 15_000);
      zsh.type('\u001b[B');
      await zsh.until((screen) => /^> alpha-two/m.test(screen), 'the mark', 15_000);
      zsh.type('\r');
      await zsh.until((screen) => /# cat alpha-two/.test(screen), 'the choice', 15_000);
      zsh.type('\u0015echo y');
      await zsh.untilText('(1/2) echo y --first');
      expect(zsh.everything).not.toMatch(/maximum nested|bad file descriptor/i);
    },
  );
});
