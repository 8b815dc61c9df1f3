import { afterEach, describe, expect, it } from 'vitest';
import { PrivateTmux } from '../../helpers/private-tmux.ts';
import { NODE } from '../../helpers/product.ts';
import { buildDemo } from '../../helpers/ui-demo-build.ts';
import { until as waitUntil } from '../../helpers/until.ts';

const tmux = new PrivateTmux();
afterEach(async () => {
  await tmux.run(['kill-server']);
});

const DEADLINE_MS = 20_000;

const until = (what: string, satisfied: (screen: string) => boolean) =>
  untilIn(() => tmux.screen(), what, satisfied);

function untilIn(
  look: () => Promise<string>,
  what: string,
  satisfied: (screen: string) => boolean,
): Promise<string> {
  let screen = '';
  const shown = async () => {
    screen = await look();
    return satisfied(screen) ? screen : null;
  };
  return waitUntil(what, shown, { timeoutMs: DEADLINE_MS, intervalMs: 50, show: () => screen });
}

/** As people use it: tmux between the surface and the terminal, with its own idea of scrolling. */
describe('the surface in tmux', () => {
  it('scrolls, splits, zooms and takes a framed paste, and the screen stays intact', async () => {
    await tmux.start({
      argv: [NODE, await buildDemo()],
      env: {
        PATH: process.env.PATH ?? '',
        TERM: 'tmux-256color',
        LANG: 'C.UTF-8',
        DEMO_TURNS: '50',
        DEMO_LINES: '500',
      },
      cwd: process.cwd(),
      size: { columns: 100, rows: 30 },
    });
    await until('the list', (screen) => screen.includes('1 of 50'));
    await tmux.keys('Enter', 'j', 'j', 'j', 'C-d', 'C-d', 'C-d', 'k', 'C-u');
    await until('scrolled lines', (screen) => !screen.includes('Line 1 of the answer\n'));
    await consecutiveLines();
    await tmux.run(['split-window', '-h', '-d', '-t', tmux.pane, 'sleep 60']);
    await until('the narrow frame', (screen) => screen.includes('1 Responses 2 3 4'));
    await consecutiveLines();
    await tmux.run(['resize-pane', '-Z', '-t', tmux.pane]);
    await until('the wide frame again', (screen) => screen.includes('2 Review'));
    await tmux.keys('j', 'j', 'j', 'C-d', 'C-u', 'k');
    await consecutiveLines();
    await tmux.keys('Tab', 'o');
    await until('insert mode', (screen) => screen.includes('INSERT'));
    await tmux.paste('pasted\nq\nlines');
    await until('the paste', (screen) => screen.includes('pasted') && screen.includes('lines'));
    await tmux.keys('Escape');
    await until('normal mode', (screen) => screen.includes('NORMAL'));
    await tmux.keys('q', 'q');
    await until('the end', (screen) => screen.includes('drafts: [["pasted","q","lines"]]'));
    expect((await tmux.facts()).alternate).toBe(false);
  });
});

/** A terminal's wheel event, as bytes for `send-keys -H`. */
const bytes = (text: string) => [...Buffer.from(text)].map((byte) => byte.toString(16));

describe('the mouse in tmux', () => {
  const open = async (env: Record<string, string>) => {
    await tmux.start({
      argv: [NODE, await buildDemo()],
      env: { PATH: process.env.PATH ?? '', TERM: 'tmux-256color', LANG: 'C.UTF-8', ...env },
      cwd: process.cwd(),
      size: { columns: 100, rows: 30 },
    });
    await until('the list', (screen) => screen.includes('of 50'));
  };
  const isAsked = async () => {
    const format = '#{mouse_button_flag}#{mouse_sgr_flag}';
    const { stdout } = await tmux.run(['display-message', '-p', '-t', tmux.pane, format]);
    return stdout.toString('utf8').trim();
  };
  const DEMO = { DEMO_TURNS: '50', DEMO_LINES: '500' };

  it('is requested only if configured, scrolls, and is released at the end', async () => {
    await open({ ...DEMO, DEMO_MOUSE: '1' });
    expect(await isAsked()).toBe('11');
    const notch = bytes('\u001b[<65;10;20M');
    await tmux.run(['send-keys', '-H', '-t', tmux.pane, ...notch, ...notch]);
    await until('a scrolled response', (screen) => !screen.includes('Line 1 of the answer\n'));
    await tmux.keys('q');
    await until('the end', (screen) => screen.includes('drafts:'));
    expect(await isAsked()).toBe('00');
  });

  it.each(['TERM', 'HUP', 'INT'])('is released on SIG%s', async (signal) => {
    await open({ ...DEMO, DEMO_MOUSE: '1' });
    const { stdout } = await tmux.run(['display-message', '-p', '-t', tmux.pane, '#{pane_pid}']);
    process.kill(Number(stdout.toString('utf8').trim()), `SIG${signal}`);
    await waitUntil('the mouse given back', async () => (await isAsked()) === '00', { intervalMs: 50 });
  });

  it('is released after a crash, and not requested unless configured', async () => {
    await open({ ...DEMO, DEMO_MOUSE: '1', DEMO_CRASH_MS: '1500' });
    // tmux's message about the dead pane may push the first row into the history.
    await untilIn(
      () => tmux.history(),
      'the defect',
      (text) => text.includes('the demo was asked to crash'),
    );
    expect(await isAsked()).toBe('00');
    await tmux.run(['kill-server']);
    await open(DEMO);
    expect(await isAsked()).toBe('00');
  });
});

/** Scrolling by the terminal must leave no gap and no repeated line. */
async function consecutiveLines(): Promise<void> {
  await until('line after line', (screen) => {
    const numbers = [...screen.matchAll(/Line (\d+) of the answer/g)].map((match) => Number(match[1]));
    const [first = 0] = numbers;
    return numbers.length > 5 && numbers.every((number, index) => number === first + index);
  });
}
