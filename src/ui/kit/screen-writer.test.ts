import xterm from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { widthOf } from '../../lib/width.ts';
import type { PaintedRow } from './row.ts';
import { findScroll, ScreenWriter } from './screen-writer.ts';

const COLUMNS = 20;

/** A writer on an emulated terminal. `area`: the rectangle for most tests. */
function open(rows: number) {
  const terminal = new xterm.Terminal({ cols: COLUMNS, rows, allowProposedApi: true });
  let written = 0;
  const writer = new ScreenWriter(
    {
      write: (text) => {
        written += text.length;
        terminal.write(text);
      },
    },
    () => undefined,
  );
  writer.resize({ columns: COLUMNS, rows });
  const area = {};
  const draw = (drawn: readonly PaintedRow[], y: number) => {
    writer.setRectangle(area, { x: 0, y, columns: COLUMNS, rows: drawn });
    writer.flush();
  };
  const screen = async () => {
    await new Promise<void>((resolve) => terminal.write('', resolve));
    return Array.from(
      { length: rows },
      (_, row) => terminal.buffer.active.getLine(row)?.translateToString(true) ?? '',
    );
  };
  const cells = async () => {
    await screen();
    return Array.from({ length: rows }, (_, line) =>
      Array.from({ length: COLUMNS }, (_, column) => {
        const cell = terminal.buffer.active.getLine(line)?.getCell(column);
        return `${cell?.getChars() || ' '}${cell?.isBold() ? '*' : ''}`;
      }).join(''),
    );
  };
  return { terminal, writer, draw, screen, cells, written: () => written };
}

const lines = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => `row ${from + index}`);

/** A row of these spans; a leading `*` makes one bold. */
function row(...spans: readonly string[]): PaintedRow {
  const painted = spans.map((text) =>
    text.startsWith('*')
      ? { text: text.slice(1), painted: `\u001b[1m${text.slice(1)}\u001b[22m` }
      : { text, painted: text },
  );
  return { whole: painted.map((span) => span.painted).join(''), spans: painted };
}

const painted = (from: number, count: number) => lines(from, count).map((text) => row(text));

describe('the writer of the screen', () => {
  it('draws a rectangle between lines of Ink, and positions the cursor', async () => {
    const { terminal, writer, draw, screen } = open(6);
    writer.setLines(['header', '', '', '', '', 'footer']);
    writer.setCursor({ x: 3, y: 5 });
    draw(painted(0, 4), 1);
    expect(await screen()).toEqual(['header', 'row 0', 'row 1', 'row 2', 'row 3', 'footer']);
    expect([terminal.buffer.active.cursorX, terminal.buffer.active.cursorY]).toEqual([3, 5]);
    draw(painted(7, 4), 1);
    await screen();
    expect([terminal.buffer.active.cursorX, terminal.buffer.active.cursorY]).toEqual([3, 5]);
  });

  it('writes nothing if nothing changed, and one row if one did', () => {
    const { draw, written } = open(10);
    draw(painted(0, 8), 1);
    const before = written();
    draw(painted(0, 8), 1);
    expect(written()).toBe(before);
    draw([row('row X'), ...painted(1, 7)], 1);
    expect(written() - before).toBeLessThan(40);
  });

  it('uses the scrolling of the terminal', async () => {
    const { draw, screen, written } = open(12);
    draw(painted(0, 10), 1);
    const before = written();
    draw(painted(1, 10), 1);
    expect(written() - before).toBeLessThan(80);
    expect((await screen()).slice(1, 11)).toEqual(lines(1, 10));
    draw(painted(0, 10), 1);
    expect((await screen()).slice(1, 11)).toEqual(lines(0, 10));
  });

  it('does not scroll what is beside the document', async () => {
    const { writer, screen } = open(12);
    const [left, right] = [{}, {}];
    writer.setLines(Array.from({ length: 12 }, () => `${' '.repeat(8)}|`));
    writer.setRectangle(left, { x: 0, y: 1, columns: 8, rows: painted(0, 10) });
    writer.setRectangle(right, { x: 9, y: 1, columns: 11, rows: painted(50, 10) });
    writer.flush();
    writer.setRectangle(right, { x: 9, y: 1, columns: 11, rows: painted(51, 10) });
    writer.flush();
    const beside = Array.from({ length: 10 }, (_, index) => `${`row ${index}`.padEnd(8)}|row ${51 + index}`);
    expect((await screen()).slice(1, 11)).toEqual(beside);
  });

  it('redraws everything after `forget`, and where the rectangle moved', async () => {
    const { terminal, writer, draw, screen } = open(6);
    draw(painted(0, 4), 1);
    terminal.write('\u001b[2J');
    writer.forget();
    writer.flush();
    expect((await screen())[4]).toBe('row 3');
    draw(painted(5, 3), 2);
    expect(await screen()).toEqual(['', '', ...lines(5, 3), '']);
  });

  it('writes nothing while another program has the terminal', async () => {
    const { writer, draw, screen } = open(3);
    writer.pause();
    draw(painted(0, 3), 0);
    expect(await screen()).toEqual(['', '', '']);
    writer.resume();
    writer.flush();
    expect(await screen()).toEqual(lines(0, 3));
  });

  it('finds no scroll that would save nothing', () => {
    expect(findScroll(lines(0, 5), lines(0, 5))).toBeNull();
    expect(findScroll(lines(0, 5), lines(50, 5))).toBeNull();
    expect(findScroll(lines(0, 9), lines(2, 9))).toEqual({ first: 0, last: 8, by: 2 });
    expect(findScroll(lines(2, 9), lines(0, 9))).toEqual({ first: 0, last: 8, by: -2 });
  });

  it('writes only what changed in a row, or all of it if a wide character may have moved', async () => {
    const { draw, screen, written } = open(4);
    const drawn = async (...spans: readonly string[]) => {
      const before = written();
      draw([row(...spans)], 1);
      return { bytes: written() - before, shown: (await screen())[1] };
    };
    await drawn('  ', 'a long text', ' │');
    const move = '\u001b[2;1H'.length;
    expect(await drawn('> ', 'a long text', ' │')).toEqual({ bytes: move + 2, shown: '> a long text │' });
    expect((await drawn('> ', 'a long test', ' │')).bytes).toBe(move + 'a long test'.length);
    expect(await drawn('> ', 'short')).toEqual({ bytes: move + 3 + 'short'.length, shown: '> short' });
    expect(await drawn('> ', 'short', '漢')).toMatchObject({ shown: '> short漢' });
    const unwrapped = '\u001b[?7l\u001b[?7h\u001b[K'.length;
    expect(await drawn('- ', 'short', '漢')).toEqual({
      bytes: move + unwrapped + '- short漢'.length,
      shown: '- short漢',
    });
  });

  it('keeps a row wider than calculated from overwriting the next one', async () => {
    const { draw, screen } = open(4);
    draw(painted(0, 3), 1);
    draw([row('漢'.repeat(COLUMNS)), ...painted(1, 2)], 1);
    expect((await screen()).slice(2)).toEqual(lines(1, 2));
  });

  const span = fc.constantFrom('', 'five ', '*bold', 'a', '*b', '漢', '│ ');
  const rowsOf = (columns: number, count: number) =>
    fc.array(
      fc
        .array(span, { maxLength: 4 })
        .map((spans) => row(...spans))
        .filter(({ spans }) => widthOf(spans.map(({ text }) => text).join('')) <= columns),
      { minLength: count, maxLength: count },
    );

  it('always arrives at the wanted screen, including styles', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(rowsOf(COLUMNS, 8), { minLength: 1, maxLength: 6 }), async (frames) => {
        const [all, last] = [open(10), open(10)];
        for (const rows of frames) all.draw(rows, 1);
        last.draw(frames.at(-1) ?? [], 1);
        expect(await all.cells()).toEqual(await last.cells());
      }),
      { seed: 3, numRuns: 200 },
    );
  });

  it('does so with adjacent rectangles and changing lines below them', async () => {
    const [left, right] = [{}, {}];
    const frame = fc.record({
      left: rowsOf(8, 6),
      right: rowsOf(11, 6),
      title: fc.constantFrom('', '漢字', 'a title', '\u001b[1mbold\u001b[22m'),
      isSplit: fc.boolean(),
    });
    type Frame = typeof frame extends fc.Arbitrary<infer T> ? T : never;
    const put = ({ writer }: ReturnType<typeof open>, { left: one, right: other, title, isSplit }: Frame) => {
      const bars = Array.from({ length: 6 }, () => (isSplit ? `${' '.repeat(8)}|` : ''));
      writer.setLines([title, ...bars, title]);
      writer.setRectangle(left, { x: 0, y: 1, columns: isSplit ? 8 : COLUMNS, rows: one });
      writer.setRectangle(right, isSplit ? { x: 9, y: 1, columns: 11, rows: other } : null);
      writer.flush();
    };
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 6 }), async (frames) => {
        const [all, last] = [open(8), open(8)];
        for (const each of frames) put(all, each);
        for (const each of frames.slice(-1)) put(last, each);
        expect(await all.cells()).toEqual(await last.cells());
      }),
      { seed: 5, numRuns: 200 },
    );
  });
});
