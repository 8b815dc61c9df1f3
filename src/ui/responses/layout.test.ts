import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areaOf, isTooSmall, MIN_COLUMNS, MIN_ROWS } from '../kit/layout.ts';
import { layoutResponses } from './layout.ts';

describe('layoutResponses', () => {
  const shown = (columns: number, rows: number, focus: 'list' | 'reading' | 'draft') => {
    const lower = focus === 'draft' ? 'draft' : 'reading';
    const layout = layoutResponses(areaOf({ columns, rows }), { focus, lower, turns: 20, isDraftOpen: true });
    return (['list', 'reading', 'draft'] as const).filter((pane) => layout[pane] !== null);
  };

  it.each([
    [40, 12, 'list', ['list']],
    [40, 12, 'draft', ['draft']],
    [80, 24, 'list', ['list', 'reading']],
    [80, 24, 'draft', ['list', 'draft']],
    [60, 40, 'list', ['list', 'reading', 'draft']],
    [160, 50, 'list', ['list', 'reading', 'draft']],
    [120, 20, 'reading', ['list', 'reading', 'draft']],
  ] as const)('%ix%i with the focus on %s shows %j', (columns, rows, focus, expected) => {
    expect(shown(columns, rows, focus)).toEqual(expected);
  });

  it('always shows the focused pane, inside the area, without overlap', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: MIN_COLUMNS, max: 250 }),
        fc.integer({ min: MIN_ROWS, max: 120 }),
        fc.constantFrom('list', 'reading', 'draft'),
        fc.integer({ min: 0, max: 20 }),
        fc.boolean(),
        (columns, rows, focus, turns, isDraftOpen) => {
          const area = areaOf({ columns, rows });
          const layout = layoutResponses(area, {
            focus,
            lower: focus === 'draft' ? 'draft' : 'reading',
            turns,
            isDraftOpen,
          });
          expect(layout[focus]?.rows).toBeGreaterThan(0);
          const cells = new Set<string>();
          for (const region of Object.values(layout)) {
            if (region === null) continue;
            expect(region.x + region.columns).toBeLessThanOrEqual(area.columns);
            expect(region.y + region.rows).toBeLessThanOrEqual(area.rows);
            // The titled rule is above the region.
            for (let y = region.y - 1; y < region.y + region.rows; y += 1) {
              for (const x of [region.x, region.x + region.columns - 1]) {
                expect(cells.has(`${x},${y}`)).toBe(false);
                cells.add(`${x},${y}`);
              }
            }
          }
        },
      ),
      { seed: 1 },
    );
  });

  it.each([
    [0, 1],
    [2, 2],
    [6, 6],
    [20, 9],
  ])('gives a list of %i turns %i rows, and the response the rest', (turns, rows) => {
    const layout = layoutResponses(areaOf({ columns: 60, rows: 40 }), {
      focus: 'list',
      lower: 'reading',
      turns,
      isDraftOpen: true,
    });
    expect(layout.list?.rows).toBe(rows);
    expect(layout.reading?.y).toBe(rows + 2);
  });

  it('reduces a closed draft to its title, and gives an open one half the room', () => {
    const area = areaOf({ columns: 60, rows: 40 });
    const rows = (isDraftOpen: boolean) =>
      layoutResponses(area, { focus: 'list', lower: 'reading', turns: 3, isDraftOpen }).draft?.rows;
    expect([rows(false), rows(true)]).toEqual([0, 15]);
  });

  it.each([
    [MIN_COLUMNS, MIN_ROWS, false],
    [MIN_COLUMNS - 1, MIN_ROWS, true],
    [MIN_COLUMNS, MIN_ROWS - 1, true],
  ])('%ix%i is too small: %s', (columns, rows, expected) => {
    expect(isTooSmall({ columns, rows })).toBe(expected);
  });
});
