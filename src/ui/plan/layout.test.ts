import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areaOf, isTooSmall, layoutResponses, MIN_COLUMNS, MIN_ROWS } from './layout.ts';

describe('layoutResponses', () => {
  const shown = (columns: number, rows: number, focus: 'list' | 'reading' | 'draft') => {
    const layout = layoutResponses(areaOf({ columns, rows }), focus, focus === 'draft' ? 'draft' : 'reading');
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

  it('always shows the focus, inside the area, without overlap', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: MIN_COLUMNS, max: 250 }),
        fc.integer({ min: MIN_ROWS, max: 120 }),
        fc.constantFrom('list', 'reading', 'draft'),
        (columns, rows, focus) => {
          const area = areaOf({ columns, rows });
          const layout = layoutResponses(area, focus, focus === 'draft' ? 'draft' : 'reading');
          expect(layout[focus]?.rows).toBeGreaterThan(0);
          const cells = new Set<string>();
          for (const region of Object.values(layout)) {
            if (region === null) continue;
            expect(region.x + region.columns).toBeLessThanOrEqual(area.columns);
            expect(region.y + region.rows).toBeLessThanOrEqual(area.rows);
            // The titled rule stands above the region.
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
    [MIN_COLUMNS, MIN_ROWS, false],
    [MIN_COLUMNS - 1, MIN_ROWS, true],
    [MIN_COLUMNS, MIN_ROWS - 1, true],
  ])('%ix%i is too small: %s', (columns, rows, expected) => {
    expect(isTooSmall({ columns, rows })).toBe(expected);
  });
});
