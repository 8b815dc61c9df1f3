/** How readable text is, by the WCAG 2 contrast ratio, on the backgrounds of widely used terminal themes. */
import type { Background, Color } from '../../src/ui/kit/theme/palette.ts';

export type Rgb = readonly [number, number, number];

/** Least ratio for text, and for dim text. */
export const TEXT_MIN_RATIO = 4.5;
export const FAINT_MIN_RATIO = 3;

export const USUAL_THEMES: Readonly<Record<Background, Readonly<Record<string, string>>>> = {
  dark: {
    black: '000000',
    'VS Code dark': '1e1e1e',
    'One Dark': '282c34',
    'Solarized dark': '002b36',
    Dracula: '282a36',
    'Gruvbox dark': '282828',
    Nord: '2e3440',
    'Tokyo Night': '1a1b26',
    'GitHub dark': '0d1117',
  },
  light: {
    white: 'ffffff',
    'Solarized light': 'fdf6e3',
    'One Light': 'fafafa',
    'Catppuccin Latte': 'eff1f5',
    'Gruvbox light': 'fbf1c7',
    'GitHub light': 'f6f8fa',
  },
};

function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** From 1 (the same) to 21 (black on white). */
export function ratio(one: Rgb, other: Rgb): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const LEVELS = [0, 95, 135, 175, 215, 255];

/** xterm's colour cube and grey ramp. */
export function rgbOf256(index: number): Rgb {
  if (index >= 232) return [8 + 10 * (index - 232), 8 + 10 * (index - 232), 8 + 10 * (index - 232)];
  const at = index - 16;
  return [LEVELS[Math.floor(at / 36)] ?? 0, LEVELS[Math.floor(at / 6) % 6] ?? 0, LEVELS[at % 6] ?? 0];
}

/** `1e1e1e`. */
export function hex(text: string): Rgb {
  const part = (at: number) => Number.parseInt(text.slice(at, at + 2), 16);
  return [part(0), part(2), part(4)];
}

/** The colour depths at which copane, not the theme, sets colours. */
export const DEPTHS: readonly (readonly [string, (color: Color) => Rgb])[] = [
  ['256', ({ indexed }) => rgbOf256(indexed)],
  ['truecolor', ({ rgb }) => rgb],
];
