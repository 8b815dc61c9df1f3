import xterm from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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

describe('the viewport', () => {
  it('draws between other rows and leaves the cursor alone', async () => {
    const { terminal, viewport, screen } = open(6);
    terminal.write('header\u001b[6;1Hfooter\u001b[6;4H');
    viewport.draw(lines(0, 4), 1);
    expect(await screen()).toEqual(['header', 'row 0', 'row 1', 'row 2', 'row 3', 'footer']);
    expect([terminal.buffer.active.cursorX, terminal.buffer.active.cursorY]).toEqual([3, 5]);
  });

  it('writes nothing when nothing changed, one row when one did', async () => {
    const { viewport, written } = open(10);
    viewport.draw(lines(0, 8), 1);
    const before = written();
    viewport.draw(lines(0, 8), 1);
    expect(written()).toBe(before);
    viewport.draw(['row X', ...lines(1, 7)], 1);
    expect(written() - before).toBeLessThan(40);
  });

  it('lets the terminal scroll', async () => {
    const { viewport, screen, written } = open(12);
    viewport.draw(lines(0, 10), 1);
    const before = written();
    viewport.draw(lines(1, 10), 1);
    expect(written() - before).toBeLessThan(80);
    expect((await screen()).slice(1, 11)).toEqual(lines(1, 10));
    viewport.draw(lines(0, 10), 1);
    expect((await screen()).slice(1, 11)).toEqual(lines(0, 10));
  });

  it('draws everything after it was told to forget, and where the area moved', async () => {
    const { terminal, viewport, screen } = open(6);
    viewport.draw(lines(0, 4), 1);
    terminal.write('\u001b[2J');
    viewport.forget();
    viewport.draw(lines(0, 4), 1);
    expect((await screen())[4]).toBe('row 3');
    viewport.draw(lines(5, 3), 2);
    expect((await screen()).slice(2, 5)).toEqual(lines(5, 3));
  });

  it('finds no scroll where nothing is saved', () => {
    expect(findScroll(lines(0, 5), lines(0, 5))).toBeNull();
    expect(findScroll(lines(0, 5), lines(50, 5))).toBeNull();
    expect(findScroll(lines(0, 9), lines(2, 9))).toEqual({ first: 0, last: 8, by: 2 });
    expect(findScroll(lines(2, 9), lines(0, 9))).toEqual({ first: 0, last: 8, by: -2 });
  });

  it('always ends with the screen that was asked for', async () => {
    const row = fc.constantFrom(
      '',
      'exactly twenty cells',
      'a',
      'b',
      'cc',
      '\u001b[1mbold\u001b[22m',
      '漢字',
    );
    const frame = fc.array(row, { minLength: 8, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 6 }), async (frames) => {
        const { viewport, screen } = open(10);
        for (const rows of frames) viewport.draw(rows, 1);
        const expected = (frames.at(-1) ?? []).map((text) => text.replace(/\u001b\[\d+m/g, ''));
        expect((await screen()).slice(1, 9)).toEqual(expected);
      }),
      { seed: 3, numRuns: 100 },
    );
  });
});
