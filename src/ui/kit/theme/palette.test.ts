import { describe, expect, it } from 'vitest';
import {
  DEPTHS,
  FAINT_MIN_RATIO,
  hex,
  ratio,
  TEXT_MIN_RATIO,
  USUAL_THEMES,
} from '../../../../test/helpers/contrast.ts';
import { GROUNDS, ON_GROUND, PALETTES } from './palette.ts';
import { createTheme } from './theme.ts';

describe.each(['dark', 'light'] as const)('on %s backgrounds', (background) => {
  it.each(DEPTHS)('text is readable on every usual one, with %s', (_, rgb) => {
    for (const [hue, color] of Object.entries(PALETTES[background])) {
      const least = hue === 'grey' ? FAINT_MIN_RATIO : TEXT_MIN_RATIO;
      for (const [name, usual] of Object.entries(USUAL_THEMES[background]))
        expect(ratio(rgb(color), hex(usual)), `${hue} on ${name}`).toBeGreaterThanOrEqual(least);
    }
  });

  it.each(DEPTHS)('all text is readable on changed lines and words, with %s', (depth, rgb) => {
    for (const [name, { color, ink }] of Object.entries(GROUNDS[background])) {
      for (const [hue, own] of Object.entries(ON_GROUND[background])) {
        const text = depth === '256' && ink !== undefined ? ink : own;
        expect(ratio(rgb(text), rgb(color)), `${hue} on ${name}`).toBeGreaterThanOrEqual(TEXT_MIN_RATIO);
      }
    }
  });

  it.each(DEPTHS)('words stand out from their line, and lines from each other, with %s', (_, rgb) => {
    const colors = Object.values(GROUNDS[background]).map(({ color }) => rgb(color).join());
    expect(new Set(colors).size).toBe(4);
    for (const { color } of Object.values(GROUNDS[background])) {
      expect(color.indexed, 'of the cube').toBeGreaterThanOrEqual(16);
      expect(color.indexed, 'not of the grey ramp').toBeLessThan(232);
    }
  });
});

it.each(['dark', 'light'] as const)(
  'with 16 colours, faint is not bright black, which is a background, on %s',
  (background) => {
    const theme = createTheme({ depth: '16', background, ascii: false, plain: false });
    expect(theme.paint('dim', 'x')).toBe('\u001b[2mx\u001b[22m');
    expect(theme.paint('rule', 'x')).not.toContain('90m');
  },
);

/** The colours xterm uses for the names; faint text is not one of them. */
const XTERM = {
  red: 'cd0000',
  green: '00cd00',
  yellow: 'cdcd00',
  blue: '0000ee',
  magenta: 'cd00cd',
  cyan: '00cdcd',
};

it.each([
  ['dark', '000000', FAINT_MIN_RATIO],
  ['light', 'ffffff', TEXT_MIN_RATIO],
] as const)('with the 16 colours of xterm, text is readable on %s', (background, behind, least) => {
  for (const [hue, { ansi }] of Object.entries(PALETTES[background])) {
    if (ansi === 'blackBright') continue;
    expect(ratio(hex(XTERM[ansi]), hex(behind)), hue).toBeGreaterThanOrEqual(least);
  }
});
