/** The text of a pane read in steps equals a fresh read of all of it. */
import { appendFile } from 'node:fs/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createScrollback,
  type Scrollback,
  scrolledRows,
  viewPane,
  viewPanes,
} from '../../../src/tmux/capture.ts';
import { eventually, must, SendBench } from '../../helpers/tmux-sender.ts';

let bench: SendBench | null = null;

afterEach(async () => {
  await bench?.close();
  bench = null;
});

/** A pane whose program only sleeps: the test writes its content through its terminal. */
class Stage {
  readonly b: SendBench;
  readonly paneId: string;
  readonly #tty: string;
  #marks = 0;

  constructor(b: SendBench, paneId: string, tty: string) {
    this.b = b;
    this.paneId = paneId;
    this.#tty = tty;
  }

  /** Writes and waits until tmux has drawn it. */
  async print(text: string): Promise<void> {
    this.#marks += 1;
    const title = `mark${this.#marks}`;
    await appendFile(this.#tty, `${text}\u001b]2;${title}\u0007`);
    const shown = () => this.b.must('display-message', '-p', '-t', this.paneId, '#{pane_title}');
    await eventually('the output', shown, (now) => now === title);
  }

  scrollback(): Scrollback {
    return createScrollback(this.b.tmux, this.paneId);
  }

  async lines(scrollback = this.scrollback()): Promise<readonly string[]> {
    const { lines } = must(await scrollback.read());
    return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
  }
}

async function stage(historyLimit = 50_000): Promise<Stage> {
  const b = new SendBench();
  bench = b;
  await b.startProgram(['sh', '-c', 'echo ready; exec sleep 600'], 'ready');
  await b.must('set-option', '-g', 'history-limit', String(historyLimit));
  const window = ['new-window', '-P', '-F', '#{pane_id} #{pane_tty}', 'stty -echo; exec sleep 600'];
  const [paneId = '', tty = ''] = (await b.must(...window)).split(' ');
  await eventually(
    'the program',
    () => b.must('display-message', '-p', '-t', paneId, '#{pane_current_command}'),
    (name) => name === 'sleep',
  );
  return new Stage(b, paneId, tty);
}

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}`);

describe('scrollback', () => {
  it('grows by the new lines', async () => {
    const s = await stage();
    const kept = s.scrollback();
    await s.print(`${numbered(1, 10).join('\r\n')}\r\n`);
    expect(await s.lines(kept)).toEqual(numbered(1, 10));
    await s.print(`${numbered(11, 200).join('\r\n')}\r\n`);
    expect(await s.lines(kept)).toEqual(numbered(1, 200));
    await s.print(`${numbered(201, 230).join('\r\n')}\r\n`);
    expect(await s.lines(kept)).toEqual(numbered(1, 230));
    expect(await s.lines(kept)).toEqual(numbered(1, 230));
  });

  it('joins a wrapped line across two reads, wide characters too', async () => {
    const s = await stage();
    const kept = s.scrollback();
    const long = '漢字 and a long line of text; '.repeat(40).trim();
    await s.print('\r\n'.repeat(30));
    await s.print(`${long.slice(0, 500)}`);
    await s.lines(kept);
    await s.print(`${long.slice(500)}\r\n${'\r\n'.repeat(10)}`);
    await s.lines(kept);
    await s.print('\r\n'.repeat(30));
    await s.lines(kept);
    await s.print('end');
    expect((await s.lines(kept)).filter((line) => line !== '')).toEqual([long, 'end']);
  });

  it('starts again after the history was cleared, or the pane became narrower', async () => {
    const s = await stage();
    const kept = s.scrollback();
    await s.print(`${numbered(1, 100).join('\r\n')}\r\n`);
    await s.lines(kept);
    await s.b.must('clear-history', '-t', s.paneId);
    await s.print(`${numbered(101, 200).join('\r\n')}\r\n`);
    expect(await s.lines(kept)).toEqual(await s.lines());
    await s.print(`${'wide '.repeat(30)}\r\n${'\r\n'.repeat(40)}x`);
    await s.lines(kept);
    await s.b.must('resize-window', '-t', s.paneId, '-x', '33');
    expect(await s.lines(kept)).toEqual(await s.lines());
  });

  it('stays right when tmux drops old history', async () => {
    const s = await stage(100);
    const kept = s.scrollback();
    for (let from = 1; from < 600; from += 37) {
      await s.print(`${numbered(from, from + 36).join('\r\n')}\r\n`);
      const [mine, fresh] = [await s.lines(kept), await s.lines()];
      expect(mine.slice(-fresh.length)).toEqual(fresh);
    }
  });

  it('of a full-screen program is its screen, never the shell history', async () => {
    const s = await stage();
    await s.print(`${numbered(1, 100).join('\r\n')}\r\n`);
    const kept = s.scrollback();
    await s.lines(kept);
    await s.print('\u001b[?1049h\u001b[Hin full screen');
    expect(must(await kept.read())).toMatchObject({ alternate: true });
    expect(await s.lines(kept)).toEqual(['in full screen']);
    await s.print('\u001b[?1049l');
    expect(await s.lines(kept)).toEqual(numbered(1, 100));
  });

  it('has no trailing blanks', async () => {
    const s = await stage();
    await s.print(`a   \r\n${'b'.repeat(79)}  \r\n${'c'.repeat(100)}   \r\n`);
    expect(await s.lines()).toEqual(['a', 'b'.repeat(79), 'c'.repeat(100)]);
  });

  it('is the same in pieces as at once, for any output', async () => {
    const s = await stage(200);
    const kept = s.scrollback();
    const piece = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', ' ', '漢', '🙂', '-'), maxLength: 200 }),
      fc.integer({ min: 1, max: 120 }).map((count) => '\r\n'.repeat(count)),
      fc.constantFrom('\u001b[H\u001b[2J', '\u001b[A\u001b[A\u001b[2K', '\u001b[2mfaint\u001b[0m', '\t'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
        await s.print(pieces.join(''));
        const mine = await s.lines(kept);
        const fresh = await s.lines();
        expect(mine.slice(mine.length - fresh.length)).toEqual(fresh);
      }),
      { seed: 23, numRuns: 60 },
    );
  });

  it('of a closed pane is an error', async () => {
    const s = await stage();
    await s.b.must('kill-pane', '-t', s.paneId);
    expect(await s.scrollback().read()).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(await viewPane(s.b.tmux, s.paneId)).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  it('shows several panes at once, and the remaining ones after one closes', async () => {
    const s = await stage();
    await s.print('one of two');
    const ids = [s.b.server.pane, s.paneId];
    const text = async (of: readonly string[]) =>
      (await viewPanes(s.b.tmux, of)).map(
        (view) => view?.screen.rows.map((row) => row.text).join(' ') ?? null,
      );
    const [first, second] = await text(ids);
    expect(first).toContain('ready');
    expect(second).toContain('one of two');
    expect(await text([...ids, '%999'])).toEqual([first, second, null]);
    expect(await text([])).toEqual([]);
  });
});

describe('one look', () => {
  it('reads the named pane, not the one in front, with styles, title and cursor', async () => {
    const s = await stage();
    await s.b.must('split-window', '-t', s.paneId, 'cat');
    await s.print('❯ \u001b[2mghost\u001b[0m \u001b[39mdraft');
    await s.b.must('select-pane', '-t', s.paneId, '-T', '✳ idle');
    const { facts, screen } = must(await viewPane(s.b.tmux, s.paneId));
    expect(screen.rows[0]).toEqual({ text: '❯ ghost draft', dim: [[2, 7]], painted: [] });
    expect(screen).toMatchObject({ title: '✳ idle', width: 80, cursorRow: 0 });
    expect(facts.active).toBe(false);
    await s.print('\u001b[?25l');
    expect(must(await viewPane(s.b.tmux, s.paneId)).screen.cursorRow).toBeNull();
  });

  it('of a pane in copy mode is its live screen', async () => {
    const s = await stage();
    await s.print(`${numbered(1, 100).join('\r\n')}`);
    await s.b.must('copy-mode', '-t', s.paneId);
    await s.b.must('send-keys', '-t', s.paneId, '-X', 'history-top');
    const { facts, screen } = must(await viewPane(s.b.tmux, s.paneId));
    expect(facts.inMode).toBe(true);
    expect(screen.rows.at(-1)?.text).toBe('line 100');
  });

  it('with the rows that have scrolled away since', async () => {
    const s = await stage();
    const before = must(await viewPane(s.b.tmux, s.paneId)).facts.historySize;
    await s.print(`${numbered(1, 100).join('\r\n')}`);
    const { facts, screen } = must(await viewPane(s.b.tmux, s.paneId));
    const rows = [...(await scrolledRows(s.b.tmux, facts, before)), ...screen.rows.map((row) => row.text)];
    expect(rows).toEqual(numbered(1, 100));
    expect(await scrolledRows(s.b.tmux, facts, facts.historySize)).toEqual([]);
  });
});
