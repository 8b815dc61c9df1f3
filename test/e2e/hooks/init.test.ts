/** `copane init` and `copane uninstall` as users run them: at a terminal, in a pipe, from a script. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { COPANE } from '../../helpers/companion-pane.ts';
import { PrivateTmux } from '../../helpers/private-tmux.ts';
import { removeTree } from '../../helpers/remove-tree.ts';

const SETTINGS = '{\n  "model": "opus"\n}\n';

let home = '';
let settings = '';
beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'copane-init-cli-'));
  settings = path.join(home, '.claude/settings.json');
  mkdirSync(path.dirname(settings));
  writeFileSync(settings, SETTINGS);
});
afterEach(() => removeTree(home));

const env = () => ({ PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8', TERM: 'tmux-256color' });

function copane(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(COPANE, args, { env: env(), encoding: 'utf8' });
  return { status, stdout, stderr };
}

describe('from a script', () => {
  it('shows what it would write, and writes nothing without a yes', () => {
    const shown = copane('init', 'claude');
    expect(shown).toMatchObject({ status: 3, stderr: expect.stringContaining('Add --yes to write this.') });
    expect(shown.stdout).toContain('~/.claude/settings.json');
    expect(shown.stdout).toMatch(/^\+ .*"UserPromptSubmit"/m);
    expect(readFileSync(settings, 'utf8')).toBe(SETTINGS);
    expect(existsSync(path.join(home, '.local'))).toBe(false);
    expect(copane('init', 'claude', '--print')).toMatchObject({ status: 0, stdout: shown.stdout });
  });

  it('writes, says when it is already done, and removes it', () => {
    expect(copane('init', 'claude', '--yes')).toMatchObject({ status: 0 });
    expect(copane('init', 'claude', '--yes')).toMatchObject({
      status: 0,
      stdout: '',
      stderr: expect.stringContaining('is set up already'),
    });
    expect(copane('init', 'claude', '--remove', '--yes')).toMatchObject({ status: 0 });
    expect(readFileSync(settings, 'utf8')).toBe(SETTINGS);
    expect(copane('init', 'claude', '--remove', '--yes')).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('has changed nothing'),
    });
  });

  it('treats unknown names as usage errors', () => {
    expect(copane('init', 'emacs')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('zsh, nvim, claude'),
    });
    expect(copane('init')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/tmux .*\n.*zsh .*\n.*nvim /),
    });
    expect(copane('init', 'claude', '--parts', 'soul')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('hooks, mcp'),
    });
  });

  it('prints the code of the zsh client into a pipe', () => {
    const { status, stdout } = copane('init', 'zsh');
    expect([status, stdout.split('\n').length]).toEqual([0, 2]);
    expect(spawnSync('sh', ['-n', '-c', stdout]).status).toBe(0);
  });

  it('Neovim has the plugin from its next start on, and no longer after its removal', () => {
    const has = () => {
      const run = ['--headless', '+echo exists(":CopaneSend")', '+qa'];
      return spawnSync('nvim', run, { env: env(), encoding: 'utf8' }).stderr.trim();
    };
    expect(has()).toBe('0');
    copane('init', 'nvim', '--yes');
    expect(has()).toBe('2');
    copane('init', 'nvim', '--remove', '--yes');
    expect(has()).toBe('0');
  });

  it('uninstall undoes everything, says what stays, and leaves that alone', () => {
    for (const name of ['zsh', 'nvim', 'claude', 'codex', 'gemini', 'opencode', 'pi']) {
      expect([name, copane('init', name, '--yes').status]).toEqual([name, 0]);
    }
    expect(copane('uninstall')).toMatchObject({ status: 3, stderr: expect.stringContaining('Add --yes') });
    expect(copane('uninstall', '--print')).toMatchObject({ status: 0 });
    expect(existsSync(path.join(home, '.codex/config.toml'))).toBe(true);
    const done = copane('uninstall', '--yes');
    expect([done.status, done.stderr]).toEqual([0, expect.stringContaining('.local/state/copane')]);
    const left = spawnSync('find', ['.', '-type', 'f', '-o', '-type', 'l'], {
      cwd: home,
      encoding: 'utf8',
    }).stdout;
    expect(
      left
        .trim()
        .split('\n')
        .filter((file) => !/^\.\/\.(?:local\/state|cache)\/copane\//.test(file)),
    ).toEqual(['./.claude/settings.json']);
    expect(copane('uninstall', '--yes')).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('of no other program'),
    });
  });

  it('uninstall names what it has to leave, and continues with the rest', () => {
    copane('init', 'claude', '--yes');
    copane('init', 'gemini', '--yes');
    writeFileSync(settings, `${readFileSync(settings, 'utf8')}}`);
    const done = copane('uninstall', '--yes');
    expect([done.status, done.stderr]).toEqual([3, expect.stringContaining('settings.json is left alone')]);
    expect(existsSync(path.join(home, '.gemini'))).toBe(false);
  });
});

describe('at a terminal', () => {
  let tmux: PrivateTmux;
  afterEach(() => tmux.kill());

  async function ask(answer: string): Promise<string> {
    tmux = new PrivateTmux();
    await tmux.start({
      argv: [COPANE, 'init', 'claude', '--parts', 'mcp'],
      env: env(),
      cwd: home,
      size: { columns: 80, rows: 30 },
    });
    await tmux.until('the question', (screen) => screen.includes('Write this? [y/N]'));
    if (answer !== '') await tmux.type(answer);
    await tmux.keys('Enter');
    // Not by "Pane is dead": tmux 3.3 may miss the exit of a process whose terminal it has already closed.
    return tmux.until('the last word', (screen) => /undoes it|Nothing was written/.test(screen));
  }

  it('asks, and writes after a yes', async () => {
    expect(await ask('y')).toContain('undoes it');
    expect(existsSync(path.join(home, '.claude.json'))).toBe(true);
  });

  it.each(['', 'n', 'what'])('treats %j as a no', async (answer) => {
    expect(await ask(answer)).toContain('Nothing was written');
    expect(existsSync(path.join(home, '.claude.json'))).toBe(false);
  });
});
