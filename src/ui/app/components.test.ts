import { renderToString } from 'ink';
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';
import { driveUi } from '../../../test/helpers/ui-driver.ts';
import { galleryEntries } from '../../../test/helpers/ui-gallery.ts';
import { type PaintedRow, rowPlainText, type Size } from '../kit/row.ts';
import { createStore } from '../kit/store.ts';
import { createTheme } from '../kit/theme/theme.ts';
import { App } from './app.tsx';
import { composeFrame, paintFrame, planFrame } from './frame.ts';
import { createFrames } from './surface.ts';

const THEME = createTheme({ depth: 'none', background: 'dark', ascii: false, plain: false });
const SIZES: readonly Size[] = [
  { columns: 40, rows: 12 },
  { columns: 60, rows: 40 },
  { columns: 84, rows: 24 },
  { columns: 160, rows: 50 },
];

/** Trailing blanks are invisible. */
const trimmed = (lines: readonly string[]) => lines.map((line) => line.trimEnd());
// Where terminals differ on a text's width, Ink may cut differently.
const drawable = galleryEntries().filter(({ name }) => !name.includes('hostile'));

describe('components', () => {
  it.each(drawable.map((entry) => [entry.name, entry] as const))(
    'place everything as planned: %s',
    async (_, entry) => {
      for (const size of SIZES) {
        const ui = await driveUi(entry.make(), { size });
        await ui.type(entry.keys ?? '');
        const { model } = ui.controller;
        const frames = createFrames(model, createStore(THEME));
        const drawn = renderToString(createElement(App, { frames, canvas: null }), { columns: size.columns });
        const planned = composeFrame(planFrame(model.get().state, model.get().facts, THEME), THEME);
        const text = planned.map(rowPlainText);
        const seen = drawn.replace(/\u001b\[[0-9;]*m/g, '').split('\n');
        expect(trimmed(seen), `${size.columns}x${size.rows}`).toEqual(trimmed(text));
      }
    },
  );

  it('give documents to the canvas at the place that Ink computed', async () => {
    const [entry] = drawable.filter(({ name }) => name === 'responses-reading');
    if (entry === undefined) throw new Error('no such entry');
    const size = { columns: 120, rows: 30 };
    const ui = await driveUi(entry.make(), { size });
    await ui.type(entry.keys ?? '');
    const { state, facts } = ui.controller.model.get();
    const frame = paintFrame(planFrame(state, facts, THEME), THEME);
    const rectangles: { x: number; y: number; columns: number; rows: readonly PaintedRow[] }[] = [];
    const canvas = {
      setRectangle: (_: object, rectangle: (typeof rectangles)[number] | null) => {
        if (rectangle !== null) rectangles.push(rectangle);
      },
    };
    const frames = { get: () => frame, subscribe: () => () => undefined };
    const drawn = renderToString(createElement(App, { frames, canvas }), { columns: size.columns });
    const { list, reading, draft } = frame.panes;
    const places = [list, reading, draft].map((pane) => {
      const region = pane?.region ?? { x: -1, y: -1, columns: 0, rows: 0 };
      // The header is above the area, the titled rule above the rows.
      return { x: region.x, y: region.y, columns: region.columns, rows: region.rows + 1 };
    });
    expect(rectangles.map(({ rows, ...place }) => ({ ...place, rows: rows.length }))).toEqual(places);
    expect(rectangles[1]?.rows.slice(1, 1 + (reading?.rows.length ?? 0))).toEqual(reading?.rows);
    // No part of the document goes through Ink.
    expect(drawn).not.toContain(reading?.rows[0]?.whole.trim());
  });
});
