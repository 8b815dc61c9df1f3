/** The plugin for tmux, `copane.tmux`, in a private tmux. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { copaneEnv } from '../../helpers/companion-pane.ts';
import { PrivateTmux } from '../../helpers/private-tmux.ts';
import { PRODUCT } from '../../helpers/product.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { until } from '../../helpers/until.ts';

const PLUGIN = path.join(PRODUCT, 'copane.tmux');
const tmux = new PrivateTmux();
let root = '';
let home = '';

beforeEach(async () => {
  root = mkdtempSync(path.join(os.tmpdir(), "copane plugin's "));
  const env = copaneEnv({ root, project: root });
  home = env.HOME ?? '';
  await tmux.start({ argv: ['sh'], env, cwd: root, size: { columns: 160, rows: 40 } });
  const variables = Object.entries(env).flatMap(([name, value]) => [
    ';',
    'set-environment',
    '-g',
    name,
    value,
  ]);
  await tmux.run(['set-option', '-g', 'default-shell', '/bin/sh', ...variables]);
});
afterEach(async () => {
  await tmux.kill();
  removeTree(root);
});

const ask = async (...args: string[]) => (await tmux.run(args)).stdout.toString('utf8').trim();

test('brings the companion back where tmux-resurrect has restored a shell, and nowhere else', async () => {
  await ask('set-option', '-g', 'base-index', '0');
  await ask('split-window', '-h', '-d', '-t', tmux.pane, '-c', root);
  await ask('split-window', '-v', '-d', '-t', tmux.pane, '-c', root, 'sleep', '60');
  const named = path.join(root, '#(touch ran)#{pid}');
  mkdirSync(named);
  const session = await ask('display-message', '-p', '#{session_name}');
  // As tmux-resurrect 4 saves panes; the third is busy with something else by now.
  const saved = [
    ['pane', session, '0', '1', ':*', '0', 'title', `:${root}`, '1', 'claude', ':claude'],
    ['pane', session, '0', '1', ':*', '2', 'title', `:${named}`, '0', 'copane', ':'],
    ['pane', session, '0', '1', ':*', '1', 'title', `:${root}`, '0', 'copane', ':'],
    ['state', session, ''],
  ];
  const folder = path.join(home, '.local/share/tmux/resurrect');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'last'), saved.map((line) => `${line.join('\t')}\n`).join(''));
  await ask('run-shell', `'${PLUGIN.replaceAll("'", "'\\''")}' restore`);
  let panes = '';
  await until(
    'the companion in its pane',
    async () => {
      panes = await ask('list-panes', '-F', '#{pane_current_command} #{@copane_made} #{pane_current_path}');
      return panes === `sh  ${root}\nsleep  ${root}\ncopane companion ${named}` ? panes : null;
    },
    { timeoutMs: 20_000, show: () => panes },
  );
});

test('binds the keys that are free, keeps those that are not, and sets a hook of tmux-resurrect only where there is none', async () => {
  await ask('bind-key', 'A', 'display-message', 'mine');
  await ask('run-shell', `'${PLUGIN.replaceAll("'", "'\\''")}'`);
  expect(await ask('list-keys', '-T', 'prefix', 'a')).toContain('split --popup');
  expect(await ask('list-keys', '-T', 'prefix', 'A')).toContain('mine');
  expect(await ask('show-options', '-gqv', 'status-right')).toContain('status --tmux');
  expect(await ask('show-options', '-gqv', '@resurrect-hook-post-restore-all')).toContain('copane.tmux');
  await ask('set-option', '-g', '@resurrect-hook-post-restore-all', 'mine');
  await ask('run-shell', `'${PLUGIN.replaceAll("'", "'\\''")}'`);
  expect(await ask('show-options', '-gqv', '@resurrect-hook-post-restore-all')).toBe('mine');
});
