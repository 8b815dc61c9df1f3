/** What the terminal can show, from its environment and its replies. Pure: the environment is passed in. */
import type { Background } from './palette.ts';
import type { ColorDepth, ThemeOptions } from './theme.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The theme options for an environment. `plain`: the user's choice; background: the terminal's reply. */
export function detectTheme(
  environment: Environment,
  wishes: { readonly plain?: boolean; readonly ascii?: boolean; readonly background?: Background } = {},
): ThemeOptions {
  const plain = wishes.plain ?? false;
  return {
    plain,
    depth: plain ? 'none' : colorDepth(environment),
    background: wishes.background ?? backgroundOfColors(environment.COLORFGBG) ?? 'dark',
    ascii: plain || (wishes.ascii ?? !isUtf8(environment)),
  };
}

/** The colour depth: from NO_COLOR, then FORCE_COLOR, then TERM and COLORTERM. */
export function colorDepth(environment: Environment): ColorDepth {
  const { NO_COLOR, FORCE_COLOR, COLORTERM, TERM = '' } = environment;
  if (NO_COLOR !== undefined && NO_COLOR !== '') return 'none';
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') {
    if (FORCE_COLOR === '0' || FORCE_COLOR === 'false') return 'none';
    if (FORCE_COLOR === '3') return 'truecolor';
    if (FORCE_COLOR === '2') return '256';
    return '16';
  }
  if (TERM === 'dumb') return 'none';
  if (COLORTERM === 'truecolor' || COLORTERM === '24bit' || /-direct$/.test(TERM)) return 'truecolor';
  // tmux accepts 256 colours whatever its TERM, and gives the terminal the nearest that it has.
  if (/256(color)?$/.test(TERM) || environment.TMUX) return '256';
  return '16';
}

function isUtf8(environment: Environment): boolean {
  const locale = environment.LC_ALL || environment.LC_CTYPE || environment.LANG;
  // Containers usually have no locale, but their terminals are UTF-8.
  if (locale === undefined || locale === '') return environment.TERM !== 'linux';
  return /utf-?8/i.test(locale) || (locale !== 'C' && locale !== 'POSIX' && !locale.includes('.'));
}

/** Asks the terminal for its background colour; the reply is an OSC 11. */
export const BACKGROUND_QUERY = '\u001b]11;?\u001b\\';

/** Asks the terminal to report changes between dark and light colours; those that do not support it ignore this. */
export const BACKGROUND_NEWS_ON = '\u001b[?2031h';
export const BACKGROUND_NEWS_OFF = '\u001b[?2031l';

/** The report: `1` is dark, `2` is light. */
const COLOR_SCHEME = /^\u001b\[\?997;([12])n/;

const OSC_11 = /^\u001b\]11;rgb:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})/i;

/** The background in the terminal's reply to the query; null if it is not such a reply. */
export function backgroundOfReply(sequence: string): Background | null {
  const scheme = COLOR_SCHEME.exec(sequence)?.[1];
  if (scheme !== undefined) return scheme === '2' ? 'light' : 'dark';
  const match = OSC_11.exec(sequence);
  if (match === null) return null;
  const [red = 0, green = 0, blue = 0] = match
    .slice(1)
    .map((hex) => Number.parseInt(hex, 16) / (16 ** hex.length - 1));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5 ? 'light' : 'dark';
}

/** `COLORFGBG`, set by a few terminals and by `copane up`: `foreground;background`. Null: it says nothing. */
export function backgroundOfColors(colors: string | undefined): Background | null {
  const background = Number(colors?.split(';').pop() || Number.NaN);
  if (!Number.isInteger(background) || background < 0 || background > 15) return null;
  return background === 7 || background > 8 ? 'light' : 'dark';
}

/** Whether a terminal with this `TERM` can be cleared and its cursor moved; others accept only lines. */
export function canDrawOn(term: string | undefined): boolean {
  return term !== undefined && term !== '' && term !== 'dumb';
}
