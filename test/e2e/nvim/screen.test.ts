/** The review on a real screen: Neovim in tmux, keys and prompts as a person has them. */
import { existsSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { run } from '../../../src/platform/run.ts';
import { copaneEnv } from '../../helpers/companion-pane.ts';
import { readText } from '../../helpers/git-fixture.ts';
import { NEOVIMS, Neovim } from '../../helpers/neovim.ts';
import { untilShown } from '../../helpers/nvim-review.ts';
import { COPANE } from '../../helpers/product.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { ReviewDesk } from '../../helpers/review-desk.ts';
import { until } from '../../helpers/until.ts';

const BASE = { 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'four\n' };
const WANT = { 'a.txt': 'one\nTWO\nthree\n', 'b.txt': 'FOUR\n' };
/** A folder with real plugins, if the machine has one. */
const PLUGINS = process.env.COPANE_TEST_NVIM_PLUGINS;

describe.each(NEOVIMS)('%s', (binary) => {
  let desk: ReviewDesk;
  let nvim: Neovim;
  afterEach(async () => {
    await desk.close();
    await nvim.close();
  });

  async function open(columns: number, rows: number) {
    desk = await ReviewDesk.open({ base: BASE, columns, rows });
    const tmux = await desk.tmux();
    const started = await Neovim.startIn(binary, tmux, { root: desk.root, project: desk.project });
    nvim = started.nvim;
    const screen = async () =>
      (await tmux.run(['capture-pane', '-p', '-t', started.pane])).stdout.toString('utf8');
    const keys = (...names: string[]) => tmux.run(['send-keys', '-t', started.pane, ...names]);
    const shows = async (...words: string[]) => {
      let last = '';
      return until(
        words.join(' and '),
        async () => {
          last = await screen();
          return words.every((one) => last.includes(one)) && last;
        },
        { intervalMs: 50, show: () => last },
      );
    };
    return { screen, keys, shows };
  }

  it.each([
    [80, 24],
    [160, 40],
  ])(
    'at %i columns: hears of a suggestion, reviews it, asks by prompts, and never stops for an Enter',
    async (columns, rows) => {
      const { screen, keys, shows } = await open(columns, rows);
      const companion = await desk.companion();
      desk.publish(
        WANT,
        'Speak up, and a description that is too long for any one row of a screen of this size',
      );
      await shows('Suggestion ready: Speak up', '(2 hunks in 2 files)');
      expect(await screen()).not.toContain('Press ENTER');
      await keys('Space', 's', 'r');
      await shows('◌ open  a.txt:2  hunk 1 of 2', '-two', '+TWO', 'a accept');
      await keys('A');
      await shows('Accept 2 open hunks?', '(Y)es, [N]o');
      await keys('y');
      await shows('2/2 decided');
      await companion.until('the decisions', (text) => text.includes('✓') || text.includes('2/2'));
      await until('the file', () => readText(desk.project, 'b.txt') === 'FOUR\n');
      // One action is one undo.
      await keys('u');
      await shows('0/2 decided');
      await keys('c');
      await shows('Comment:');
      await keys('why?', 'Enter');
      await shows('you: why?');
      await keys('Escape');
      await until('the review closed', async () => !(await screen()).includes('a accept'));
    },
  );

  it('at 40 columns: nothing stops for an Enter, and the keys are on whole rows', async () => {
    const { screen, keys, shows } = await open(40, 24);
    await keys('Space', 's', 'r');
    await shows('No suggestion is waiting');
    expect(await screen()).not.toContain('Press ENTER');
    desk.publish({ 'a.txt': WANT['a.txt'] }, 'Speak up, and a description that is too long');
    await shows('Ready: Speak up');
    await keys('Space', 's', 'r');
    await shows('◌ open  a.txt:2', '-two', '+TWO', 'f/F file', 'd discard', 'u undo');
    await keys('m');
    await shows('Edit; :w takes this text');
    await keys('j', 'A', '!', 'Escape', ':w', 'Enter');
    await until('the text', () => readText(desk.project, 'a.txt') === 'one\nTWO!\nthree\n', {
      show: () => readText(desk.project, 'a.txt') ?? '',
    });
    await shows('a.txt has your text');
    expect(await screen()).not.toContain('Press ENTER');
  });

  it('draws deletions and additions into a file', async () => {
    const { keys, shows } = await open(100, 30);
    desk.publish(WANT, 'Speak up');
    await keys(':Copane review inline', 'Enter');
    const shown = await shows('◌ two', '◌ open');
    expect(shown).toMatch(/two.*\n\s*TWO/);
    const id = desk.publish({ 'b.txt': 'new\nfour\n' }, 'At the top');
    await keys(`:Copane review inline ${id}`, 'Enter');
    expect(await shows('◌ four')).toMatch(/^\s*new\n◌ four/m);
  });

  it.runIf(PLUGINS !== undefined).each(['telescope', 'fzf-lua'])(
    'lets %s draw the picker, where it runs',
    async (plugin) => {
      const { keys, shows } = await open(120, 30);
      await nvim.lua(`for _, name in ipairs({ 'telescope.nvim', 'plenary.nvim', 'fzf-lua' }) do
        vim.opt.runtimepath:append('${PLUGINS}/' .. name)
      end return true`);
      desk.publish(WANT, 'Speak up');
      await keys(`:Copane review ${plugin}`, 'Enter');
      if ((await nvim.lua("return vim.fn.has('nvim-0.9')")) === 0) {
        await untilShown(nvim, '◌ a.txt:2  +1 -1\n◌ b.txt:1  +1 -1');
        return;
      }
      await shows('a.txt:2  +1 -1', 'b.txt:1  +1 -1', '+TWO');
      await keys(plugin === 'telescope' ? 'a' : 'C-a');
      await until('the decision', () => readText(desk.project, 'a.txt') === WANT['a.txt']);
      await shows('✓ a.txt:2', '◌ b.txt:1');
      await keys('Enter');
      await untilShown(nvim, 'Speak up  1/2 decided');
    },
  );

  it('uses the built-in picker if the preferred plugin is not installed', async () => {
    const { keys } = await open(100, 30);
    desk.publish(WANT, 'Speak up');
    await keys(':Copane review telescope', 'Enter');
    await untilShown(nvim, '◌ a.txt:2  +1 -1\n◌ b.txt:1  +1 -1');
  });
});

describe.each(NEOVIMS)('%s after copane init nvim', (binary) => {
  it('loads the plugin by itself, and no longer after --remove', async () => {
    const desk = await ReviewDesk.open({ base: BASE, columns: 80, rows: 24 });
    const data = mkdtempSync(path.join(os.tmpdir(), 'copane-nvim-data-'));
    try {
      const env = { ...copaneEnv({ root: desk.root, project: desk.project, env: { XDG_DATA_HOME: data } }) };
      const copane = (...args: string[]) => run(COPANE, args, { env });
      const exists = async () => {
        const out = path.join(data, 'out');
        const ask = `call writefile([exists(':Copane')], '${out}')`;
        await run(
          binary,
          ['--headless', '-i', 'NONE', '-n', '+runtime! plugin/copane.lua', `+${ask}`, '+qa'],
          { env },
        );
        return readText(data, 'out')?.trim();
      };
      expect(await exists()).toBe('0');
      expect((await copane('init', 'nvim', '--yes')).code).toBe(0);
      expect(await exists()).toBe('2');
      await copane('init', 'nvim', '--remove', '--yes');
      expect(await exists()).toBe('0');
      expect(existsSync(path.join(data, 'nvim/site/pack/copane/start/copane'))).toBe(false);
    } finally {
      await desk.close();
      removeTree(data);
    }
  });
});

if (PLUGINS === undefined)
  it.skip('Telescope and fzf-lua: no folder of plugins is named in COPANE_TEST_NVIM_PLUGINS', () =>
    undefined);
