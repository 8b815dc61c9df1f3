import { describe, expect, it } from 'vitest';
import { type Background, type Color, GROUNDS, type Hue, ON_GROUND, PALETTES } from './palette.ts';

/** Ratios of WCAG 2: for text, and for what may stand back. */
const TEXT_MIN_RATIO = 4.5;
const FAINT_MIN_RATIO = 3;

/** Backgrounds of themes that are much used. */
const USUAL: Readonly<Record<Background, readonly string[]>> = {
  dark: ['000000', '1e1e1e', '282c34', '002b36', '282a36', '282828', '2e3440', '1a1b26', '0d1117'],
  light: ['ffffff', 'fdf6e3', 'fafafa', 'eff1f5', 'fbf1c7', 'f6f8fa'],
};

type Rgb = readonly [number, number, number];

function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function ratio(one: Rgb, other: Rgb): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const LEVELS = [0, 95, 135, 175, 215, 255];

/** The colour cube and the grey ramp of xterm. */
function rgbOf256(index: number): Rgb {
  if (index >= 232) return [8 + 10 * (index - 232), 8 + 10 * (index - 232), 8 + 10 * (index - 232)];
  const at = index - 16;
  return [LEVELS[Math.floor(at / 36)] ?? 0, LEVELS[Math.floor(at / 6) % 6] ?? 0, LEVELS[at % 6] ?? 0];
}

const hex = (text: string): Rgb =>
  [0, 2, 4].map((at) => Number.parseInt(text.slice(at, at + 2), 16)) as never;

const DEPTHS: readonly (readonly [string, (color: Color) => Rgb])[] = [
  ['256', ({ indexed }) => rgbOf256(indexed)],
  ['truecolor', ({ rgb }) => rgb],
];

describe.each(['dark', 'light'] as const)('on %s backgrounds', (background) => {
  it.each(DEPTHS)('text can be read on every usual one, with %s', (_, rgb) => {
    for (const [hue, color] of Object.entries(PALETTES[background])) {
      const least = (hue as Hue) === 'grey' ? FAINT_MIN_RATIO : TEXT_MIN_RATIO;
      for (const usual of USUAL[background])
        expect(ratio(rgb(color), hex(usual)), `${hue} on #${usual}`).toBeGreaterThanOrEqual(least);
    }
  });

  it.each(DEPTHS)('all text can be read on changed lines and words, with %s', (depth, rgb) => {
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
