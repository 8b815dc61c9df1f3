/**
 * Parses the output of `capture-pane -e`: rows of text with colour sequences. Keeps the text, the faint ranges (ghost
 * text in a composer is faint, a user's draft is not) and the backgrounds (some programs mark an option only by that).
 * Knows only the sequences that tmux writes: SGR, shift in/out for line drawing, hyperlinks.
 */

/** Text without trailing blanks, and half-open ranges of it (UTF-16 offsets). Fits `ScreenRow`. */
export interface StyledRow {
  readonly text: string;
  /** Drawn faint. */
  readonly dim: readonly (readonly [start: number, end: number])[];
  /** Drawn on a background, which the last part names. */
  readonly painted: readonly (readonly [start: number, end: number, background: string])[];
}

const SEQUENCE = /\u001b\[([0-9;:]*)m|\u001b\]8;[^\u0007\u001b]*(?:\u0007|\u001b\\)|([\u000e\u000f])/g;

/** The DEC line drawing set, for cells written with the alternate character set. */
const LINE_DRAWING: Readonly<Record<string, string>> = {
  j: '┘',
  k: '┐',
  l: '┌',
  m: '└',
  n: '┼',
  q: '─',
  t: '├',
  u: '┤',
  v: '┴',
  w: '┬',
  x: '│',
  a: '▒',
  '~': '·',
  '`': '◆',
};

interface Style {
  readonly faint: boolean;
  /** The SGR code; empty for the terminal's own. */
  readonly background: string;
  readonly lineDrawing: boolean;
}

const PLAIN = { faint: false, background: '' };

/** The style after the parameters of one SGR sequence. Colour arguments (`38;5;2`) are not attributes. */
function applySgr(parameters: string, style: Style): Style {
  const codes = parameters === '' ? ['0'] : parameters.split(';');
  let now = style;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? '';
    if (code.includes(':')) continue;
    if (code === '38' || code === '48' || code === '58') {
      const end = at + (codes[at + 1] === '5' ? 2 : 4);
      if (code === '48') now = { ...now, background: codes.slice(at, end + 1).join(';') };
      at = end;
    } else if (code === '2') now = { ...now, faint: true };
    else if (code === '22') now = { ...now, faint: false };
    else if (code === '49' || code === '27') now = { ...now, background: '' };
    else if (code === '7' || /^(?:4[0-7]|10[0-7])$/.test(code)) now = { ...now, background: code };
    else if (code === '0' || code === '') now = { ...now, ...PLAIN };
  }
  return now;
}

function parseRow(row: string, start: Style): { readonly row: StyledRow; readonly style: Style } {
  let text = '';
  let style = start;
  let last = 0;
  const dim: [number, number][] = [];
  const painted: [number, number, string][] = [];
  const append = (piece: string) => {
    if (piece === '') return;
    const from = text.length;
    text += style.lineDrawing ? piece.replace(/[a-z~`]/g, (char) => LINE_DRAWING[char] ?? char) : piece;
    const { background } = style;
    const before = painted.at(-1);
    if (before !== undefined && before[1] === from && before[2] === background) before[1] = text.length;
    else if (background !== '') painted.push([from, text.length, background]);
    const previous = dim.at(-1);
    if (!style.faint) return;
    if (previous !== undefined && previous[1] === from) previous[1] = text.length;
    else dim.push([from, text.length]);
  };
  for (const match of row.matchAll(SEQUENCE)) {
    append(row.slice(last, match.index));
    last = match.index + match[0].length;
    if (match[1] !== undefined) style = applySgr(match[1], style);
    else if (match[2] !== undefined) style = { ...style, lineDrawing: match[2] === '\u000e' };
  }
  append(row.slice(last));
  const trimmed = text.trimEnd();
  const inText = <Range extends readonly [number, number, ...string[]]>(range: Range) =>
    range[0] < trimmed.length;
  return {
    row: {
      text: trimmed,
      dim: dim.filter(inText).map(([from, to]) => [from, Math.min(to, trimmed.length)]),
      painted: painted.filter(inText).map(([from, to, back]) => [from, Math.min(to, trimmed.length), back]),
    },
    style,
  };
}

/** The rows of one capture. tmux does not repeat a style at the start of a row, so it is carried over. */
export function parseStyledRows(capture: string): readonly StyledRow[] {
  const rows: StyledRow[] = [];
  let style: Style = { ...PLAIN, lineDrawing: false };
  for (const line of splitCapture(capture)) {
    const parsed = parseRow(line, style);
    rows.push(parsed.row);
    style = parsed.style;
  }
  return rows;
}

/** The rows of a capture: tmux ends each with a newline. */
export function splitCapture(capture: string): readonly string[] {
  return (capture.endsWith('\n') ? capture.slice(0, -1) : capture).split('\n');
}
