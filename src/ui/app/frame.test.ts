import { describe, expect, it } from 'vitest';
import { driveUi } from '../../../test/helpers/ui-driver.ts';
import { fakeUi, testTurn, testView } from '../../../test/helpers/ui-fakes.ts';
import { galleryEntries } from '../../../test/helpers/ui-gallery.ts';
import { paintRow, rowPlainText, rowWidth, type Size } from '../kit/row.ts';
import { createTheme } from '../kit/theme/theme.ts';
import { PLAIN_MAX_COLUMNS } from '../responses/layout.ts';
import { composeFrame, planFrame } from './frame.ts';

const SIZES: readonly (readonly [number, number])[] = [
  [12, 3],
  [29, 8],
  [30, 7],
  [30, 8],
  [31, 9],
  [40, 12],
  [60, 40],
  [109, 30],
  [110, 20],
  [160, 50],
  [250, 80],
];

const DEPTHS = [
  createTheme({ depth: '256', background: 'dark', ascii: false, plain: false }),
  createTheme({ depth: 'none', background: 'dark', ascii: true, plain: false }),
];

async function frameOf(entry: ReturnType<typeof galleryEntries>[number], size: Size, theme = DEPTHS[0]) {
  const ui = await driveUi(entry.make(), { size });
  await ui.type(entry.keys ?? '');
  const { state, facts } = ui.controller.model.get();
  if (theme === undefined) throw new Error('no theme');
  const frame = planFrame(state, facts, theme);
  return { rows: composeFrame(frame, theme), cursor: frame.cursor };
}

describe('planFrame', () => {
  it.each(galleryEntries().map((entry) => [entry.name, entry] as const))(
    'exactly fills the terminal: %s',
    async (_, entry) => {
      for (const [columns, rows] of SIZES) {
        for (const theme of DEPTHS) {
          const frame = await frameOf(entry, { columns, rows }, theme);
          expect(frame.rows, `${columns}x${rows}`).toHaveLength(rows);
          for (const row of frame.rows) {
            expect(rowWidth(row), rowPlainText(row)).toBeLessThanOrEqual(columns);
            const painted = paintRow(row, theme).replace(/\u001b\[[0-9;]*m/g, '');
            expect(painted).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b\u202a-\u202e]/);
          }
          if (frame.cursor !== null) {
            expect(frame.cursor.x).toBeLessThan(columns);
            expect(frame.cursor.y).toBeLessThan(rows);
          }
        }
      }
    },
  );

  it('keeps the line breaks of program output until a key is pressed', async () => {
    const [entry] = galleryEntries();
    const [theme] = DEPTHS;
    if (entry === undefined || theme === undefined) throw new Error('no entry');
    const ui = await driveUi(entry.make(), { size: { columns: 80, rows: 24 } });
    const { state, facts } = ui.controller.model.get();
    const text = ['git commit failed: 6 errors', 'a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts', 'f.ts'].join('\n');
    const shown = (isFolded: boolean, more = '') => {
      const toast = { tone: 'error', text: text + more, until: null, isFolded } as const;
      return composeFrame(planFrame({ ...state, toast }, facts, theme), theme).map((row) =>
        rowPlainText(row).trim(),
      );
    };
    expect(shown(false).slice(-8, -1)).toEqual(text.replaceAll('\n', '\n| ').split('\n'));
    expect(shown(true).at(-2)).toBe(text.replaceAll('\n', ' '));
    const long = shown(false, `${'\nmore'.repeat(30)}\nthe end`);
    expect(long.slice(-15, -12)).toEqual(['git commit failed: 6 errors', '…', '| more']);
    expect(long.at(-2)).toBe('| the end');
  });

  it('uses only ASCII on request', async () => {
    const view = testView({ turns: [testTurn('t', { response: 'plain\n'.repeat(60) }), testTurn('u')] });
    for (const entry of galleryEntries().filter(({ name }) => !name.startsWith('hostile'))) {
      const make = () =>
        fakeUi({ view: { ...entry.make().ports.responses.getSnapshot(), turns: view.turns } });
      for (const [columns, rows] of SIZES) {
        const frame = await frameOf({ ...entry, make }, { columns, rows }, DEPTHS[1]);
        expect(frame.rows.map(rowPlainText).join('\n'), entry.name).toMatch(/^[\n\u0020-\u007e]*$/);
      }
    }
  });

  it('has no boxes and no columns in plain mode', async () => {
    const plain = createTheme({ depth: 'none', background: 'dark', ascii: true, plain: true });
    for (const entry of galleryEntries()) {
      const frame = await frameOf(entry, { columns: PLAIN_MAX_COLUMNS, rows: 50 }, plain);
      const text = frame.rows.map(rowPlainText).join('\n');
      expect(text, entry.name).not.toMatch(/[│─▸●▌]|\|/);
    }
  });
});
