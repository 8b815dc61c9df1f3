/**
 * Roles → the look of a terminal: 16 colours, 256, truecolor or none, dark or light background, Unicode or
 * ASCII glyphs, and the plain mode without boxes. Pure: what the terminal can do is given.
 */
import { Chalk, type ChalkInstance } from 'chalk';
import type { Role } from './role.ts';

export type ColorDepth = 'none' | '16' | '256' | 'truecolor';
export type Background = 'dark' | 'light';

export interface ThemeOptions {
  readonly depth: ColorDepth;
  readonly background: Background;
  readonly ascii: boolean;
  /** One line after the other, no boxes, no colour: for screen readers. */
  readonly plain: boolean;
}

/** Signs of one cell each. */
interface Glyphs {
  readonly pointer: string;
  readonly horizontal: string;
  readonly vertical: string;
  readonly bar: string;
  readonly dot: string;
  readonly separator: string;
  readonly ellipsis: string;
  readonly checked: string;
  readonly unchecked: string;
  readonly up: string;
  readonly down: string;
  /** A card. */
  readonly opened: string;
  readonly closed: string;
  /** Fate of a hunk. */
  readonly accepted: string;
  readonly rejected: string;
  readonly pending: string;
  readonly modified: string;
  readonly conflict: string;
  readonly applied: string;
  /** Hidden characters. */
  readonly arrow: string;
  readonly space: string;
  /** Stands before what is said about the lines below. */
  readonly aside: string;
  /** Stands before what a wrapped line goes on with. */
  readonly goesOn: string;
  /** The reader has seen it. */
  readonly seen: string;
}

const UNICODE: Glyphs = {
  pointer: '▸',
  horizontal: '─',
  vertical: '│',
  bar: '▌',
  dot: '●',
  separator: '·',
  ellipsis: '…',
  checked: '■',
  unchecked: '□',
  up: '↑',
  down: '↓',
  opened: '▾',
  closed: '▸',
  accepted: '✓',
  rejected: '✗',
  pending: '◌',
  modified: '✎',
  conflict: '!',
  applied: '=',
  arrow: '→',
  aside: '┊',
  goesOn: '↳',
  seen: '◉',
  space: '·',
};

const ASCII: Glyphs = {
  pointer: '>',
  horizontal: '-',
  vertical: '|',
  bar: '|',
  dot: '*',
  separator: '-',
  ellipsis: '~',
  checked: 'x',
  unchecked: '.',
  up: '^',
  down: 'v',
  opened: 'v',
  closed: '>',
  accepted: 'y',
  rejected: 'n',
  pending: 'o',
  modified: 'm',
  conflict: '!',
  applied: '=',
  arrow: '>',
  aside: ':',
  goesOn: '+',
  seen: 's',
  space: '.',
};

/** What a screen reader says is a word or a sign with a meaning, never a line. */
const PLAIN: Glyphs = { ...ASCII, bar: '>', vertical: ' ', horizontal: ' ', aside: ' ' };

export interface Theme {
  readonly options: ThemeOptions;
  readonly glyphs: Glyphs;
  /** `text` in the look of `role`, closed again at its end. */
  readonly paint: (role: Role, text: string) => string;
}

/** A colour in the three depths: name of one of the 16, index of the 256, red green blue. */
interface Color {
  readonly ansi: 'green' | 'red' | 'yellow' | 'blue' | 'cyan' | 'magenta' | 'blackBright';
  readonly indexed: number;
  readonly rgb: readonly [number, number, number];
}

const GREEN: Color = { ansi: 'green', indexed: 71, rgb: [95, 175, 95] };
const RED: Color = { ansi: 'red', indexed: 167, rgb: [215, 95, 95] };
const YELLOW: Color = { ansi: 'yellow', indexed: 179, rgb: [215, 175, 95] };
const BLUE: Color = { ansi: 'blue', indexed: 75, rgb: [95, 175, 255] };
const CYAN: Color = { ansi: 'cyan', indexed: 80, rgb: [95, 215, 215] };
const MAGENTA: Color = { ansi: 'magenta', indexed: 176, rgb: [215, 135, 215] };
const GREY: Color = { ansi: 'blackBright', indexed: 244, rgb: [128, 128, 128] };

const DARK_GREEN: Color = { ansi: 'green', indexed: 28, rgb: [0, 115, 0] };
const DARK_RED: Color = { ansi: 'red', indexed: 124, rgb: [165, 0, 0] };
const DARK_YELLOW: Color = { ansi: 'yellow', indexed: 94, rgb: [125, 85, 0] };
const DARK_BLUE: Color = { ansi: 'blue', indexed: 25, rgb: [0, 80, 160] };
const DARK_CYAN: Color = { ansi: 'cyan', indexed: 30, rgb: [0, 115, 115] };
const DARK_MAGENTA: Color = { ansi: 'magenta', indexed: 90, rgb: [135, 0, 135] };
const DARK_GREY: Color = { ansi: 'blackBright', indexed: 241, rgb: [98, 98, 98] };

interface Palette {
  readonly green: Color;
  readonly red: Color;
  readonly yellow: Color;
  readonly blue: Color;
  readonly cyan: Color;
  readonly magenta: Color;
  readonly grey: Color;
}

const PALETTES: Readonly<Record<Background, Palette>> = {
  dark: { green: GREEN, red: RED, yellow: YELLOW, blue: BLUE, cyan: CYAN, magenta: MAGENTA, grey: GREY },
  light: {
    green: DARK_GREEN,
    red: DARK_RED,
    yellow: DARK_YELLOW,
    blue: DARK_BLUE,
    cyan: DARK_CYAN,
    magenta: DARK_MAGENTA,
    grey: DARK_GREY,
  },
};

interface Look {
  readonly color?: keyof Palette;
  readonly attributes?: readonly ('bold' | 'dim' | 'underline' | 'inverse' | 'italic')[];
  /** Attributes in place of a colour where there is none. */
  readonly withoutColor?: readonly ('bold' | 'dim' | 'underline' | 'inverse' | 'italic')[];
}

/** `text` and `note` have no look: they are the terminal's own colour, which the user chose to read best. */
const LOOKS: Readonly<Record<Role, Look>> = {
  text: {},
  note: {},
  dim: { color: 'grey', withoutColor: ['dim'] },
  response: { color: 'grey', withoutColor: ['dim'] },
  changed: { color: 'yellow', attributes: ['italic'], withoutColor: ['underline'] },
  strong: { attributes: ['bold'] },
  title: { attributes: ['bold'] },
  rule: { color: 'grey', withoutColor: ['dim'] },
  'rule-active': { color: 'cyan', withoutColor: ['bold'] },
  tab: { color: 'grey', withoutColor: ['dim'] },
  'tab-active': { attributes: ['bold'], color: 'cyan', withoutColor: ['bold', 'underline'] },
  key: { attributes: ['bold'], color: 'blue' },
  selected: { attributes: ['bold'] },
  selection: { attributes: ['inverse'] },
  match: { color: 'yellow', attributes: ['underline'] },
  'match-current': { color: 'yellow', attributes: ['inverse'] },
  heading: { attributes: ['bold'], color: 'blue' },
  code: { color: 'cyan' },
  added: { color: 'green' },
  removed: { color: 'red' },
  'added-strong': { color: 'green', attributes: ['bold'] },
  'removed-strong': { color: 'red', attributes: ['bold'] },
  'added-soft': { color: 'green', attributes: ['italic'] },
  'removed-soft': { color: 'red', attributes: ['italic'] },
  'added-word': { color: 'green', attributes: ['inverse'] },
  'removed-word': { color: 'red', attributes: ['inverse'] },
  'syntax-keyword': { color: 'magenta' },
  'syntax-string': { color: 'yellow' },
  'syntax-comment': { color: 'grey', attributes: ['italic'] },
  'syntax-number': { color: 'cyan' },
  'syntax-name': { color: 'blue' },
  'syntax-type': { color: 'cyan' },
  'syntax-meta': { color: 'grey' },
  working: { color: 'blue' },
  waiting: { color: 'yellow', attributes: ['bold'] },
  idle: { color: 'green' },
  ok: { color: 'green' },
  warn: { color: 'yellow' },
  error: { color: 'red', attributes: ['bold'] },
  cursor: { attributes: ['inverse'] },
};

/** Attributes are no colours: they are written where there are none, too. */
const LEVELS = { none: 1, '16': 1, '256': 2, truecolor: 3 } as const satisfies Record<ColorDepth, number>;

/** Makes the theme for a terminal. */
export function createTheme(options: ThemeOptions): Theme {
  const opens = new Map<Role, readonly [string, string]>();
  for (const role of Object.keys(LOOKS) as Role[]) opens.set(role, sequences(LOOKS[role], options));
  return {
    options,
    glyphs: options.plain ? PLAIN : options.ascii ? ASCII : UNICODE,
    paint: (role, text) => {
      const pair = opens.get(role);
      return pair === undefined || pair[0] === '' || text === '' ? text : `${pair[0]}${text}${pair[1]}`;
    },
  };
}

/** What stands before and behind a text in a look. */
function sequences(look: Look, { plain, depth, background }: ThemeOptions): readonly [string, string] {
  if (plain) return ['', ''];
  const isColored = depth !== 'none';
  const attributes = (isColored ? look.attributes : (look.withoutColor ?? look.attributes)) ?? [];
  let pen: ChalkInstance = new Chalk({ level: LEVELS[depth] });
  for (const attribute of attributes) pen = pen[attribute];
  if (isColored && look.color !== undefined) pen = inColor(pen, PALETTES[background][look.color], depth);
  const [open = '', close = ''] = pen(TEXT).split(TEXT);
  return [open, close];
}

/** Stands for the text. */
const TEXT = 'x';

function inColor(pen: ChalkInstance, { ansi, indexed, rgb }: Color, depth: ColorDepth): ChalkInstance {
  if (depth === 'truecolor') return pen.rgb(...rgb);
  return depth === '256' ? pen.ansi256(indexed) : pen[ansi];
}
