/** The colours for dark and light backgrounds. A test calculates that each is readable. Pure data. */
import type { Ground } from './role.ts';

export type Background = 'dark' | 'light';
export type Hue = 'green' | 'red' | 'yellow' | 'blue' | 'cyan' | 'magenta' | 'soft' | 'grey';

/** A colour at three depths: name of one of the 16, index of the 256, red green blue. */
export interface Color {
  readonly ansi: 'green' | 'red' | 'yellow' | 'blue' | 'cyan' | 'magenta' | 'blackBright';
  readonly indexed: number;
  readonly rgb: readonly [number, number, number];
}

type Palette = Readonly<Record<Hue, Color>>;

/** Text on the terminal's own background; soft is for comments of code, grey for less important text. */
export const PALETTES: Readonly<Record<Background, Palette>> = {
  dark: {
    green: { ansi: 'green', indexed: 71, rgb: [95, 175, 95] },
    red: { ansi: 'red', indexed: 210, rgb: [255, 135, 135] },
    yellow: { ansi: 'yellow', indexed: 179, rgb: [215, 175, 95] },
    // The blue among the 16 is almost black in xterm and on a console.
    blue: { ansi: 'cyan', indexed: 75, rgb: [95, 175, 255] },
    cyan: { ansi: 'cyan', indexed: 80, rgb: [95, 215, 215] },
    magenta: { ansi: 'magenta', indexed: 176, rgb: [215, 135, 215] },
    soft: { ansi: 'blackBright', indexed: 248, rgb: [168, 168, 168] },
    grey: { ansi: 'blackBright', indexed: 244, rgb: [128, 128, 128] },
  },
  light: {
    // Of the 16, only red, blue and magenta are readable on white.
    green: { ansi: 'blue', indexed: 22, rgb: [0, 110, 0] },
    red: { ansi: 'red', indexed: 124, rgb: [165, 0, 0] },
    yellow: { ansi: 'magenta', indexed: 94, rgb: [125, 85, 0] },
    blue: { ansi: 'blue', indexed: 25, rgb: [0, 80, 160] },
    cyan: { ansi: 'blue', indexed: 23, rgb: [0, 105, 105] },
    magenta: { ansi: 'magenta', indexed: 90, rgb: [135, 0, 135] },
    soft: { ansi: 'blackBright', indexed: 241, rgb: [98, 98, 98] },
    grey: { ansi: 'blackBright', indexed: 241, rgb: [98, 98, 98] },
  },
};

/** With 16 colours or none, no ground is drawn, so its colour at that depth is never used. */
const wide = (indexed: number, rgb: Color['rgb']): Color => ({ ansi: 'blackBright', indexed, rgb });

interface GroundColor {
  readonly color: Color;
  /** With 256 colours, the only readable text colour on it; default: all are readable. */
  readonly ink?: Color;
}

const WHITE = wide(231, [255, 255, 255]);
const BLACK = wide(16, [0, 0, 0]);

/** Grounds of changed lines, and of changed words in them. */
export const GROUNDS: Readonly<Record<Background, Readonly<Record<Ground, GroundColor>>>> = {
  dark: {
    removed: { color: wide(52, [63, 0, 1]) },
    'removed-word': { color: wide(88, [130, 16, 17]), ink: WHITE },
    added: { color: wide(22, [0, 40, 0]) },
    'added-word': { color: wide(28, [0, 92, 0]), ink: WHITE },
  },
  light: {
    removed: { color: wide(224, [255, 228, 228]) },
    'removed-word': { color: wide(217, [255, 192, 192]), ink: BLACK },
    added: { color: wide(194, [216, 255, 216]) },
    'added-word': { color: wide(157, [160, 239, 160]), ink: BLACK },
  },
};

/** Text on a ground; `ink` is for text without its own colour. */
export const ON_GROUND: Readonly<Record<Background, Readonly<Record<Hue | 'ink', Color>>>> = {
  dark: {
    ink: wide(255, [238, 238, 238]),
    green: wide(157, [175, 255, 175]),
    red: wide(217, [255, 187, 187]),
    yellow: wide(222, [255, 215, 135]),
    blue: wide(153, [175, 215, 255]),
    cyan: wide(159, [175, 255, 255]),
    magenta: wide(219, [255, 185, 255]),
    soft: wide(252, [200, 200, 200]),
    grey: wide(252, [200, 200, 200]),
  },
  light: {
    ink: wide(235, [38, 38, 38]),
    green: wide(22, [0, 95, 0]),
    red: wide(88, [135, 0, 0]),
    yellow: wide(58, [100, 70, 0]),
    blue: wide(25, [0, 80, 160]),
    cyan: wide(23, [0, 90, 90]),
    magenta: wide(90, [135, 0, 135]),
    soft: wide(240, [80, 80, 80]),
    grey: wide(240, [80, 80, 80]),
  },
};
