/** Roles → a terminal's colours, background, glyphs, plain mode. Pure: the terminal's abilities are passed in. */
import { Chalk, type ChalkInstance } from 'chalk';
import { type Background, type Color, GROUNDS, type Hue, ON_GROUND, PALETTES } from './palette.ts';
import type { Ground, Role } from './role.ts';

export type ColorDepth = 'none' | '16' | '256' | 'truecolor';

export interface ThemeOptions {
  readonly depth: ColorDepth;
  readonly background: Background;
  readonly ascii: boolean;
  /** Line by line, no boxes, no colour: for screen readers. */
  readonly plain: boolean;
}

/** Glyphs, one cell each. */
export interface Glyphs {
  readonly pointer: string;
  readonly horizontal: string;
  readonly vertical: string;
  readonly bar: string;
  readonly dot: string;
  readonly separator: string;
  readonly ellipsis: string;
  readonly checked: string;
  /** For cards. */
  readonly opened: string;
  readonly closed: string;
  /** For hunk states. */
  readonly accepted: string;
  readonly rejected: string;
  readonly pending: string;
  readonly modified: string;
  readonly conflict: string;
  readonly applied: string;
  /** For hidden characters. */
  readonly arrow: string;
  readonly space: string;
  /** Before a remark about the lines below. */
  readonly aside: string;
  /** Before the continuation of a wrapped line. */
  readonly goesOn: string;
  readonly seen: string;
}

/** Glyphs for a terminal with more than ASCII. */
export const UNICODE: Glyphs = {
  pointer: '▸',
  horizontal: '─',
  vertical: '│',
  bar: '▌',
  dot: '●',
  separator: '·',
  ellipsis: '…',
  checked: '■',
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

/** Glyphs for screen readers: words or meaningful signs, never lines. */
const PLAIN: Glyphs = { ...ASCII, bar: '>', vertical: ' ', horizontal: ' ', aside: ' ' };

export interface Theme {
  readonly options: ThemeOptions;
  readonly glyphs: Glyphs;
  /** Backgrounds are drawn: there are enough colours to keep text on them readable. */
  readonly isTinted: boolean;
  /** `text` in the style of `role`, on a ground if those are drawn, reset at its end. */
  readonly paint: (role: Role, text: string, ground?: Ground) => string;
}

interface Look {
  readonly color?: Hue;
  readonly attributes?: readonly ('bold' | 'dim' | 'underline' | 'inverse' | 'italic')[];
  /** Attributes in place of a colour if there are no colours. */
  readonly withoutColor?: readonly ('bold' | 'dim' | 'underline' | 'inverse' | 'italic')[];
}

/** `text` and `note` have no style: the user chose the terminal's own colour as the most readable. */
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
  emphasis: { attributes: ['italic'], withoutColor: ['underline'] },
  link: { color: 'blue', attributes: ['underline'] },
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
  'syntax-comment': { color: 'soft', attributes: ['italic'] },
  'syntax-number': { color: 'cyan' },
  'syntax-name': { color: 'blue' },
  'syntax-type': { color: 'cyan' },
  'syntax-meta': { color: 'soft' },
  working: { color: 'blue' },
  waiting: { color: 'yellow', attributes: ['bold'] },
  idle: { color: 'green' },
  ok: { color: 'green' },
  warn: { color: 'yellow' },
  error: { color: 'red', attributes: ['bold'] },
  cursor: { attributes: ['inverse'] },
};

/** Attributes are written even without colours. */
const LEVELS = { none: 1, '16': 1, '256': 2, truecolor: 3 } as const satisfies Record<ColorDepth, number>;

/** Makes a terminal's theme. */
export function createTheme(options: ThemeOptions): Theme {
  const isTinted = !options.plain && (options.depth === '256' || options.depth === 'truecolor');
  // Made on first use: a start draws only a few.
  const opens = new Map<string, readonly [string, string]>();
  const pairOf = (role: Role, ground: Ground | null) => {
    const key = ground === null ? role : `${role} ${ground}`;
    const pair = opens.get(key) ?? sequences(LOOKS[role], ground, options);
    opens.set(key, pair);
    return pair;
  };
  return {
    options,
    isTinted,
    glyphs: options.plain ? PLAIN : options.ascii ? ASCII : UNICODE,
    paint: (role, text, ground) => {
      const [open, close] = pairOf(role, isTinted ? (ground ?? null) : null);
      return open === '' || text === '' ? text : `${open}${text}${close}`;
    },
  };
}

/** The escape sequences before and after a text in a style. */
function sequences(
  look: Look,
  ground: Ground | null,
  { plain, depth, background }: ThemeOptions,
): readonly [string, string] {
  if (plain) return ['', ''];
  const isColored = depth !== 'none';
  const attributes = (isColored ? look.attributes : (look.withoutColor ?? look.attributes)) ?? [];
  let pen: ChalkInstance = new Chalk({ level: LEVELS[depth] });
  for (const attribute of attributes) pen = pen[attribute];
  // Inverse text has its own background.
  if (ground !== null && !attributes.includes('inverse')) {
    const { color, ink } = GROUNDS[background][ground];
    const on = ON_GROUND[background];
    pen = behind(pen, color, depth);
    pen = inColor(pen, depth === '256' ? (ink ?? on[look.color ?? 'ink']) : on[look.color ?? 'ink'], depth);
  } else if (isColored && look.color !== undefined) {
    pen = inColor(pen, PALETTES[background][look.color], depth);
  }
  const [open = '', close = ''] = pen(TEXT).split(TEXT);
  return [open, close];
}

/** Placeholder for the text. */
const TEXT = 'x';

function inColor(pen: ChalkInstance, { ansi, indexed, rgb }: Color, depth: ColorDepth): ChalkInstance {
  if (depth === 'truecolor') return pen.rgb(...rgb);
  if (depth === '256') return pen.ansi256(indexed);
  // Bright black is the background of some themes, so faint is used instead.
  return ansi === 'blackBright' ? pen.dim : pen[ansi];
}

function behind(pen: ChalkInstance, { indexed, rgb }: Color, depth: ColorDepth): ChalkInstance {
  return depth === 'truecolor' ? pen.bgRgb(...rgb) : pen.bgAnsi256(indexed);
}
