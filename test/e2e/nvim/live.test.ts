/** One suggestion in several hands at once: Neovims, the companion, scripts; files open in a buffer; hosts that die. */
import type { ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAlive } from '../../../src/platform/process-state.ts';
import { rowsOf } from '../../helpers/full-run.ts';
import { readText } from '../../helpers/git-fixture.ts';
import { NEOVIMS, Neovim } from '../../helpers/neovim.ts';
import { floats, untilDrawn, untilShown } from '../../helpers/nvim-review.ts';
import { ReviewDesk } from '../../helpers/review-desk.ts';
import { serve } from '../../helpers/serve.ts';
import { until } from '../../helpers/until.ts';

/** Thirty lines, some of them replaced. */
const long = (change: Record<number, string> = {}) =>
  Array.from({ length: 30 }, (_, at) => `${change[at + 1] ?? `line ${at + 1}`}\n`).join('');
const BASE = { a: 'one\ntwo\nthree\n', b: 'four\nfive\nsix\n', c: 'seven\n', long: long() };
const LOUD = { a: 'one\nTWO\nthree\n', b: 'four\nFIVE\nsix\n', c: 'SEVEN\n' };

describe.each(NEOVIMS)('%s', (binary) => {
  let desk: ReviewDesk;
  let neovims: Neovim[];
  let hosts: ChildProcess[];
  beforeEach(async () => {
    desk = await ReviewDesk.open({ base: BASE, columns: 100, rows: 30 });
    [neovims, hosts] = [[], []];
  });
  afterEach(async () => {
    for (const nvim of neovims) await nvim.close();
    for (const host of hosts) host.kill('SIGKILL');
    await desk.close();
  });

  const place = () => ({ root: desk.root, project: desk.project });
  const file = (name: string) => readText(desk.project, name);
  async function start(options: Parameters<typeof Neovim.startAt>[2] = {}): Promise<Neovim> {
    const nvim = await Neovim.startAt(binary, place(), options);
    neovims.push(nvim);
    return nvim;
  }
  /** A separate host, as a companion has one. */
  async function startHost(): Promise<ChildProcess> {
    const child = await serve(place());
    hosts.push(child);
    return child;
  }
  const hostPid = () => {
    const { host } = JSON.parse(desk.copane(['status', '--json'])) as { host: { pid: number } | null };
    return host?.pid ?? 0;
  };
  const said = (nvim: Neovim, words: string) =>
    nvim.said().then((all) => all.filter((one) => one.includes(words)));
  const follow = (nvim: Neovim) => nvim.lua("require('copane').follow() return true");
  const isConnected = (nvim: Neovim) =>
    until('a connection', () =>
      nvim.lua(`return select(2, require('copane.review.session').peek()).kind == 'connected'`),
    );

  it('two Neovims show hunks in one file, for which the other has a swap file', async () => {
    desk.publish(LOUD, 'Louder');
    const before = `vim.o.updatecount, vim.o.directory = 200, '${desk.root}//'`;
    const [first, second] = [await start({ before }), await start({ before })];
    const swaps = () => readdirSync(desk.root).filter((name) => name.endsWith('.swp'));
    for (const nvim of [first, second]) {
      await nvim.keys(':Copane review inline<CR>');
      await untilDrawn(nvim, '2 CopaneTaken to 2', '2 | TWO');
      expect(swaps().length).toBeGreaterThan(0);
    }
    await second.keys('2G<Space>sa');
    await until('the decision', () => file('a') === LOUD.a);
    for (const nvim of [first, second]) await untilDrawn(nvim, '2 ✓ accepted');
    expect(await second.lua("return vim.fn.execute('messages')")).not.toContain('E325');
  });

  it('two Neovims and the companion decide one suggestion; each shows what the others do', async () => {
    desk.publish(LOUD, 'Louder');
    const companion = await desk.companion();
    await companion.until('the suggestion', (screen) => screen.includes('+ TWO'));
    const [first, second] = [await start(), await start()];
    await first.keys('<Space>sr');
    await second.keys(':Copane review picker<CR>');
    await untilShown(first, '+TWO', '0/3 decided');
    await untilShown(second, '◌ a:2', '◌ b:2', '◌ c:1');
    await first.keys('o');
    await untilShown(second, '◌ a:2  +1 -1  ◉ seen');
    await companion.until('the seen mark', (screen) => screen.includes('◉ seen'));
    await companion.keys(' ');
    await until('no seen mark', async () => !(await floats(second)).includes('◉ seen'));
    await first.keys('pa');
    await untilShown(second, '✓ a:2', '1/3 decided');
    await companion.until('the first decision', (screen) => screen.includes('✓'));
    await second.keys(':Copane next<CR>r');
    await untilShown(first, '2/3 decided');
    await companion.until('the second decision', (screen) => screen.includes('✗'));
    await companion.keys('n', 'n', 'a');
    await untilShown(first, '3/3 decided');
    await untilShown(second, '✓ a:2', '✗ b:2', '✓ c:1');
    expect([file('a'), file('b'), file('c')]).toEqual([LOUD.a, BASE.b, LOUD.c]);
    const id = await first.lua<string>("return require('copane.review.session').state().id");
    desk.copane(['undo', id, 'all']);
    await untilShown(first, '0/3 decided');
    await untilShown(second, '◌ a:2', '◌ b:2', '◌ c:1');
  });

  it('reloads changed files in their buffers, whatever autoread says; unsaved edits stay, and the conflict shows', async () => {
    const id = desk.publish(LOUD, 'Louder');
    const nvim = await start({ before: 'vim.o.autoread = false' });
    await nvim.act(':edit a', ':split b');
    await nvim.keys('2Gcclouder by hand<Esc>');
    await nvim.keys(':Copane review<CR>');
    await untilShown(nvim, '+TWO');
    desk.copane(['decide', id, 'all', 'accept']);
    const lines = (name: string) =>
      nvim.lua<string[]>(`return vim.api.nvim_buf_get_lines(vim.fn.bufnr('^${name}$'), 0, -1, false)`);
    await until('the file in its buffer', async () => (await lines('a')).includes('TWO'));
    await nvim.untilSaid('b changed on disk; your unsaved edits stay');
    expect(await lines('b')).toEqual(['four', 'louder by hand', 'six']);
    expect(file('b')).toBe(LOUD.b);
    await nvim.keys('<Esc>:Copane diff<CR>');
    await until('the file beside it', async () => {
      const shown = await nvim.lua<string[][]>(`return vim.tbl_map(function(win)
        return vim.wo[win].diff and vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(win), 0, -1, false) or {}
      end, vim.api.nvim_tabpage_list_wins(0))`);
      return shown.some((all) => all.includes('FIVE')) && shown.some((all) => all.includes('louder by hand'));
    });
    // Merged by hand, it can be saved like anything else.
    desk.copane(['undo', id, 'all']);
    await until('the file as it was', async () => (await lines('a')).includes('two'));
    expect(await lines('b')).toEqual(['four', 'louder by hand', 'six']);
  });

  it('applies a decision beside unsaved edits as one undo step, and :w asks nothing and loses nothing', async () => {
    const id = desk.publish({ long: long({ 5: 'five\nfive and a half', 25: 'twenty-five' }) }, 'Spell');
    await startHost();
    const nvim = await start();
    await follow(nvim);
    await isConnected(nvim);
    await nvim.act(':silent edit long');
    await nvim.keys('10Gccmine<Esc>12Gma:17,18fold<CR>20G');
    await nvim.lua(
      `vim.api.nvim_buf_set_extmark(0, vim.api.nvim_create_namespace('other'), 14, 2, {}) return true`,
    );
    desk.copane(['decide', id, 'all', 'accept']);
    const lines = () => nvim.lua<string[]>('return vim.api.nvim_buf_get_lines(0, 0, -1, false)');
    const merged = long({ 5: 'five\nfive and a half', 10: 'mine', 25: 'twenty-five' });
    await until('the decision', async () => `${(await lines()).join('\n')}\n` === merged);
    // Cursor, mark, fold and another plugin's mark have moved with their lines.
    expect(
      await nvim.lua(`return { vim.fn.line('.'), vim.fn.line("'a"), vim.fn.foldclosed(19), vim.bo.modified,
        vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_create_namespace('other'), 0, -1, {})[1][2] }`),
    ).toEqual([21, 13, 18, true, 15]);
    await nvim.keys('u');
    await until('one step back', async () => `${(await lines()).join('\n')}\n` === long({ 10: 'mine' }));
    await nvim.keys('<C-r>:w<CR>');
    await until('the file', () => file('long') === merged);
    expect(await nvim.lua("return vim.fn.execute('messages')")).not.toContain('WARNING');
  });

  it('of two decisions applies the one beside unsaved edits; the conflicting one stays out', async () => {
    const id = desk.publish({ long: long({ 5: 'five', 25: 'twenty-five' }) }, 'Spell');
    await startHost();
    const nvim = await start();
    await follow(nvim);
    await isConnected(nvim);
    await nvim.act(':silent edit long');
    await nvim.keys('5Gccmine<Esc>');
    desk.copane(['decide', id, 'all', 'accept']);
    await nvim.untilSaid('long changed on disk; your unsaved edits stay');
    expect(`${(await nvim.lines()).join('\n')}\n`).toBe(long({ 5: 'mine', 25: 'twenty-five' }));
    // No conflict is left, and nothing is asked.
    desk.copane(['undo', id, 'all']);
    await until('the second line back', async () => (await nvim.lines())[24] === 'line 25');
    await nvim.keys(':w<CR>');
    await until('the file', () => file('long') === long({ 5: 'mine' }));
  });

  it('keeps the sign of a decided hunk on its line over unsaved edits above, and over decisions made elsewhere', async () => {
    const id = desk.publish({ long: long({ 5: 'five', 15: 'fifteen', 25: 'twenty-five' }) }, 'Spell');
    const nvim = await start();
    await nvim.act(':silent edit long');
    await nvim.keys(':Copane review inline<CR>');
    await untilDrawn(nvim, '5 ◌ open', '25 ◌ open');
    desk.copane(['decide', id, 'all', 'accept']);
    await untilDrawn(nvim, '5 ✓ accepted', '15 ✓ accepted', '25 ✓ accepted');
    await nvim.keys('ggOtop<CR>top<Esc>10Gdd');
    await untilDrawn(nvim, '7 ✓ accepted', '16 ✓ accepted', '26 ✓ accepted');
    desk.copane(['undo', id, JSON.parse(desk.copane(['show', id, '--json'])).hunks[0].id]);
    await untilDrawn(nvim, '7 ◌ open', '16 ✓ accepted', '26 ✓ accepted');
    const texts = [7, 16, 26].map((row) => `vim.fn.getline(${row})`).join(', ');
    expect(await nvim.lua(`return { ${texts} }`)).toEqual(['line 5', 'fifteen', 'twenty-five']);
  });

  it('keeps cursor, mark and fold on their text when a decision is made elsewhere', async () => {
    const id = desk.publish({ long: `new\nnewer\n${long()}` }, 'More');
    await startHost();
    const nvim = await start();
    await follow(nvim);
    await isConnected(nvim);
    await nvim.act(':silent edit long');
    await nvim.keys(':10,12fold<CR>15Gma18G');
    desk.copane(['decide', id, 'all', 'accept']);
    await until('the decision', () => nvim.lua("return vim.fn.getline(1) == 'new'"));
    expect(
      await nvim.lua(
        "return { vim.fn.getline('.'), vim.fn.getline(\"'a\"), vim.fn.foldclosed(12), vim.fn.foldclosed(10), vim.bo.modified }",
      ),
    ).toEqual(['line 18', 'line 15', 12, -1, false]);
  });

  it.each(rowsOf(1, [1, 2]))(
    'after any keys, pressed faster than answers come, in two Neovims: all agree (%i)',
    async (seed) => {
      const id = desk.publish(LOUD, 'Louder');
      const both = [await start(), await start()];
      for (const nvim of both) {
        await nvim.keys('<Space>sr');
        await untilShown(nvim, '0/3 decided');
      }
      const keys = fc.sample(fc.constantFrom('a', 'r', 'u', '<C-r>', 'n', 'p', 'f', 'F'), {
        numRuns: 60,
        seed,
      });
      for (let at = 0; at < keys.length; at += 6) {
        // Three at once into each, without waiting for their effects.
        await Promise.all(
          both.map((nvim, side) => nvim.keys(keys.slice(at + side * 3, at + side * 3 + 3).join(''))),
        );
      }
      const statusesOf = (nvim: Neovim) =>
        nvim.lua<string>(`local state = require('copane.review.session').state()
        return table.concat(vim.tbl_map(function(hunk) return hunk.status end, state.suggestion.hunks), ' ')`);
      const host = () => {
        const shown = desk.copane(['show', id, '--json']);
        const { hunks, revision } = JSON.parse(shown) as { hunks: { status: string }[]; revision: number };
        // Fewer changes than that: keys are still under way.
        return revision > 10 ? hunks.map(({ status }) => status).join(' ') : `revision ${revision}`;
      };
      // Keys under way show as a file that differs from the screen.
      const isWritten = (statuses: readonly string[]) =>
        (['a', 'b', 'c'] as const).every(
          (name, at) => file(name) === (statuses[at] === 'accepted' ? LOUD[name] : BASE[name]),
        );
      let last: string[] = [];
      await until(
        'one view of it',
        async () => {
          last = [host(), ...(await Promise.all(both.map(statusesOf)))];
          return last.every((one) => one === last[0]) && isWritten((last[0] ?? '').split(' '));
        },
        { show: () => last.join('\n'), timeoutMs: 20_000, intervalMs: 200 },
      );
      for (const nvim of both)
        expect(await nvim.lua("return vim.fn.execute('messages')")).not.toContain('Error executing');
    },
  );

  it('a file that the user saves makes a hunk stop fitting, and fit again', async () => {
    desk.publish({ a: LOUD.a }, 'Louder');
    const nvim = await start();
    await nvim.act(':edit a');
    await nvim.keys(':Copane review<CR>');
    await untilShown(nvim, '◌ open  a:2');
    await nvim.keys('<C-w>p:2s/two/mine/<CR>:w<CR>');
    await untilShown(nvim, '! conflict', 'what stands there', 'mine');
    await nvim.keys('u:w<CR>');
    await untilShown(nvim, '◌ open  a:2', '+TWO');
  });

  it('announces every suggestion once, over a killed host and its successor', async () => {
    const first = await startHost();
    const nvim = await start();
    await follow(nvim);
    await isConnected(nvim);
    desk.publish({ a: LOUD.a }, 'Before');
    await until('the first', async () => (await said(nvim, 'Suggestion ready')).length === 1);
    first.kill('SIGKILL');
    await until('its end', () => first.exitCode !== null || first.signalCode !== null);
    // Each of these leads for a moment.
    desk.publish({ b: LOUD.b }, 'Between');
    desk.publish({ c: LOUD.c }, 'Between too');
    await startHost();
    desk.publish({ c: 'eight\n' }, 'After');
    await until('the last', async () => (await said(nvim, 'Suggestion ready: After')).length === 1);
    expect(await said(nvim, 'Suggestion ready')).toEqual([
      'Suggestion ready: Before (1 hunk in 1 file)',
      'Suggestion ready: Between (1 hunk in 1 file)',
      'Suggestion ready: Between too (1 hunk in 1 file)',
      'Suggestion ready: After (1 hunk in 1 file)',
    ]);
    expect(await nvim.lua("return require('copane').statusline()")).toBe('copane: 4 to review');
  });

  it('continues when the host is killed during a review: a decision that it may have missed is made once', async () => {
    const host = await startHost();
    const id = desk.publish(LOUD, 'Louder');
    const nvim = await start();
    await nvim.keys('<Space>sr');
    await untilShown(nvim, '+TWO');
    // It sleeps while the key is pressed, and never wakes.
    host.kill('SIGSTOP');
    await nvim.keys('a');
    await nvim.lua('return true');
    host.kill('SIGKILL');
    await until('the decision', () => file('a') === LOUD.a, { timeoutMs: 20_000 });
    await untilShown(nvim, '1/3 decided');
    const shown = JSON.parse(desk.copane(['show', id, '--json'])) as { revision: number };
    expect(shown.revision).toBe(2);
    expect(hostPid()).not.toBe(host.pid);
  });

  it('says when the host does not answer, and continues when it does', async () => {
    const host = await startHost();
    desk.publish(LOUD, 'Louder');
    const nvim = await start();
    await nvim.keys('<Space>sr');
    await untilShown(nvim, '+TWO');
    host.kill('SIGSTOP');
    await nvim.keys('a');
    await untilShown(nvim, 'copane does not answer');
    host.kill('SIGCONT');
    await until('the decision', () => file('a') === LOUD.a);
    await until('the words gone', async () => !(await floats(nvim)).includes('does not answer'));
  });

  it('a host that it started ends with it, even by SIGKILL, and the next Neovim continues', async () => {
    const id = desk.publish(LOUD, 'Louder');
    const [first, second] = [await start(), await start()];
    await first.keys('<Space>sr');
    await untilShown(first, '+TWO');
    await second.keys(':Copane review inline<CR>');
    await untilDrawn(second, '| TWO');
    const pid = hostPid();
    process.kill(first.pid, 'SIGKILL');
    await until('the end of its host', () => !isAlive(pid));
    await second.keys(':2<CR><Space>sa');
    await until('the decision', () => file('a') === LOUD.a, { timeoutMs: 20_000 });
    await untilDrawn(second, '2 ✓ accepted');
    const next = hostPid();
    expect([next === 0, next === pid]).toEqual([false, false]);
    desk.copane(['show', id]);
  });

  it('starts no host, and asks for none, just to listen', async () => {
    const nvim = await start();
    await follow(nvim);
    await nvim.lua("return require('copane').statusline()");
    expect(JSON.parse(desk.copane(['status', '--json']))).toMatchObject({ host: null });
    expect(await nvim.said()).toEqual([]);
  });

  it('announces suggestions only for its own folder, errors, and progress only on request', async () => {
    await startHost();
    const nvim = await start();
    await follow(nvim);
    await isConnected(nvim);
    const other = path.join(desk.root, 'other');
    desk.copane(
      ['publish', '--target', desk.root, '--description', 'Above'],
      '--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+x\n',
    );
    await nvim.lua(`local session = require('copane.review.session')
      session.ask('review/report', { message = 'halfway', status = 'testing', error = vim.NIL, suggestion = vim.NIL, hunk = vim.NIL }, function() end)
      session.ask('review/report', { message = 'no luck', status = 'working', error = 'experiment_failed', suggestion = vim.NIL, hunk = vim.NIL }, function() end)
      return true`);
    await nvim.untilSaid('copane: no luck');
    expect(existsSync(other)).toBe(false);
    expect(await nvim.said()).toEqual([]);
  });

  it('says what is wrong when copane cannot be started', async () => {
    const nvim = await start();
    await nvim.lua("require('copane').setup({ cmd = '/no/such/copane' }) return true");
    await nvim.keys('<Space>sr');
    await nvim.untilSaid('Cannot start /no/such/copane');
  });

  it('touches nothing of the user: neither configuration nor repository', async () => {
    const id = desk.publish(LOUD, 'Louder');
    const nvim = await start();
    writeFileSync(path.join(desk.root, 'config', 'mine'), 'mine\n');
    const before = readdirSync(path.join(desk.root, 'copane-home'), { recursive: true });
    await nvim.keys('<Space>sr');
    await untilShown(nvim, '+TWO');
    await nvim.keys('m');
    await nvim.untilSaid('takes this text');
    await nvim.keys(':q!<CR>');
    await untilShown(nvim, '+TWO');
    expect(readdirSync(path.join(desk.root, 'copane-home'), { recursive: true })).toEqual(before);
    expect(readdirSync(path.join(desk.root, 'config'))).toEqual(['mine']);
    expect(readdirSync(desk.project).sort()).toEqual(['.git', 'a', 'b', 'c', 'long']);
    desk.copane(['show', id]);
  });
});
