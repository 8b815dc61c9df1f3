import xterm from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PaintedRow } from './row.ts';
import { createViewport, findScroll } from './viewport.ts';

const COLUMNS = 20;

function open(rows: number) {
  const terminal = new xterm.Terminal({ cols: COLUMNS, rows, allowProposedApi: true });
  let written = 0;
  const viewport = createViewport({
    write: (text) => {
      written += text.length;
      terminal.write(text);
    },
  });
  const screen = async () => {
    await new Promise<void>((resolve) => terminal.write('', resolve));
    return Array.from(
      { length: rows },
      (_, row) => terminal.buffer.active.getLine(row)?.translateToString(true) ?? '',
    );
  };
  return { terminal, viewport, screen, written: () => written };
}

const lines = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => `row ${from + index}`);

/** A row of these spans; those that begin with `*` are bold. */
function row(...spans: readonly string[]): PaintedRow {
  const painted = spans.map((text) =>
    text.startsWith('*')
      ? { text: text.slice(1), painted: `\u001b[1m${text.slice(1)}\u001b[22m` }
      : { text, painted: text },
  );
  return { whole: painted.map((span) => span.painted).join(''), spans: painted };
}

const painted = (from: number, count: number) => lines(from, count).map((text) => row(text));

describe('the viewport', () => {
  it('draws between other rows and leaves the cursor alone', async () => {
    const { terminal, viewport, screen } = open(6);
    terminal.write('header\u001b[6;1Hfooter\u001b[6;4H');
    viewport.draw(painted(0, 4), 1);
    expect(await screen()).toEqual(['header', 'row 0', 'row 1', 'row 2', 'row 3', 'footer']);
    expect([terminal.buffer.active.cursorX, terminal.buffer.active.cursorY]).toEqual([3, 5]);
  });

  it('writes nothing when nothing changed, one row when one did', async () => {
    const { viewport, written } = open(10);
    viewport.draw(painted(0, 8), 1);
    const before = written();
    viewport.draw(painted(0, 8), 1);
    expect(written()).toBe(before);
    viewport.draw([row('row X'), ...painted(1, 7)], 1);
    expect(written() - before).toBeLessThan(40);
  });

  it('lets the terminal scroll', async () => {
    const { viewport, screen, written } = open(12);
    viewport.draw(painted(0, 10), 1);
    const before = written();
    viewport.draw(painted(1, 10), 1);
    expect(written() - before).toBeLessThan(80);
    expect((await screen()).slice(1, 11)).toEqual(lines(1, 10));
    viewport.draw(painted(0, 10), 1);
    expect((await screen()).slice(1, 11)).toEqual(lines(0, 10));
  });

  it('draws everything after it was told to forget, and where the area moved', async () => {
    const { terminal, viewport, screen } = open(6);
    viewport.draw(painted(0, 4), 1);
    terminal.write('\u001b[2J');
    viewport.forget();
    viewport.draw(painted(0, 4), 1);
    expect((await screen())[4]).toBe('row 3');
    viewport.draw(painted(5, 3), 2);
    expect((await screen()).slice(2, 5)).toEqual(lines(5, 3));
  });

  it('finds no scroll where nothing is saved', () => {
    expect(findScroll(lines(0, 5), lines(0, 5))).toBeNull();
    expect(findScroll(lines(0, 5), lines(50, 5))).toBeNull();
    expect(findScroll(lines(0, 9), lines(2, 9))).toEqual({ first: 0, last: 8, by: 2 });
    expect(findScroll(lines(2, 9), lines(0, 9))).toEqual({ first: 0, last: 8, by: -2 });
  });

  it('writes of a row what changed, and all of it where a wide character may stand elsewhere', async () => {
    const { viewport, screen, written } = open(4);
    const drawn = async (...spans: readonly string[]) => {
      const before = written();
      viewport.draw([row(...spans)], 1);
      return { bytes: written() - before, shown: (await screen())[1] };
    };
    await drawn('  ', 'a long text', ' │');
    const cursor = '\u001b7\u001b8\u001b[2;1H'.length;
    expect(await drawn('> ', 'a long text', ' │')).toEqual({ bytes: cursor + 2, shown: '> a long text │' });
    expect((await drawn('> ', 'a long test', ' │')).bytes).toBe(cursor + 'a long test'.length);
    expect(await drawn('> ', 'short')).toEqual({ bytes: cursor + 3 + 'short'.length, shown: '> short' });
    expect(await drawn('> ', 'short', '漢')).toMatchObject({ shown: '> short漢' });
    const unwrapped = '\u001b[?7l\u001b[?7h\u001b[K'.length;
    expect(await drawn('- ', 'short', '漢')).toEqual({
      bytes: cursor + unwrapped + '- short漢'.length,
      shown: '- short漢',
    });
  });

  it('keeps a row that is wider than we think from running over the next one', async () => {
    const { viewport, screen } = open(4);
    viewport.draw(painted(0, 3), 1);
    viewport.draw([row('漢'.repeat(COLUMNS)), ...painted(1, 2)], 1);
    expect((await screen()).slice(2)).toEqual(lines(1, 2));
  });

  it('always ends with the screen that was asked for, styles and all', async () => {
    const span = fc.constantFrom('', 'five ', '*bold', 'a', '*b', '漢', '│ ');
    const frame = fc.array(
      fc.array(span, { maxLength: 4 }).map((spans) => row(...spans)),
      { minLength: 8, maxLength: 8 },
    );
    const cells = ({ terminal }: ReturnType<typeof open>) =>
      Array.from({ length: 10 }, (_, line) =>
        Array.from({ length: COLUMNS }, (_, column) => {
          const cell = terminal.buffer.active.getLine(line)?.getCell(column);
          return `${cell?.getChars() || ' '}${cell?.isBold() ? '*' : ''}`;
        }).join(''),
      );
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 6 }), async (frames) => {
        const [all, last] = [open(10), open(10)];
        for (const rows of frames) all.viewport.draw(rows, 1);
        last.viewport.draw(frames.at(-1) ?? [], 1);
        await Promise.all([all.screen(), last.screen()]);
        expect(cells(all)).toEqual(cells(last));
      }),
      { seed: 3, numRuns: 200 },
    );
  });
});
