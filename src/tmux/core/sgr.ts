/**
 * Reads what `capture-pane -e` prints: rows of text with colour sequences. Keeps the text and where it is faint
 * (ghost text in a composer is faint, a human's draft is not); forgets every colour. Knows no other sequence
 * than the ones tmux writes there: SGR, shift in/out for line drawing, hyperlinks.
 */

/** Text without trailing blanks, and the half-open ranges of it (UTF-16 offsets) drawn faint. Fits `ScreenRow`. */
export interface StyledRow {
  readonly text: string;
  readonly dim: readonly (readonly [start: number, end: number])[];
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
  readonly lineDrawing: boolean;
}

/** The faint state after the parameters of one SGR sequence. Colour arguments (`38;5;2`) are not attributes. */
function applySgr(parameters: string, faint: boolean): boolean {
  const codes = parameters === '' ? ['0'] : parameters.split(';');
  let now = faint;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? '';
    if (code.includes(':')) continue;
    if (code === '38' || code === '48' || code === '58') at += codes[at + 1] === '5' ? 2 : 4;
    else if (code === '2') now = true;
    else if (code === '0' || code === '' || code === '22') now = false;
  }
  return now;
}

function parseRow(row: string, start: Style): { readonly row: StyledRow; readonly style: Style } {
  let text = '';
  let style = start;
  let last = 0;
  const dim: [number, number][] = [];
  const append = (piece: string) => {
    if (piece === '') return;
    const from = text.length;
    text += style.lineDrawing ? piece.replace(/[a-z~`]/g, (char) => LINE_DRAWING[char] ?? char) : piece;
    const previous = dim.at(-1);
    if (!style.faint) return;
    if (previous !== undefined && previous[1] === from) previous[1] = text.length;
    else dim.push([from, text.length]);
  };
  for (const match of row.matchAll(SEQUENCE)) {
    append(row.slice(last, match.index));
    last = match.index + match[0].length;
    if (match[1] !== undefined) style = { ...style, faint: applySgr(match[1], style.faint) };
    else if (match[2] !== undefined) style = { ...style, lineDrawing: match[2] === '\u000e' };
  }
  append(row.slice(last));
  const trimmed = text.trimEnd();
  const ranges = dim
    .map(([from, to]) => [from, Math.min(to, trimmed.length)] as const)
    .filter(([from, to]) => from < to);
  return { row: { text: trimmed, dim: ranges }, style };
}

/** The rows of one capture. tmux does not repeat a style at the start of a row, so it is carried over. */
export function parseStyledRows(capture: string): readonly StyledRow[] {
  const rows: StyledRow[] = [];
  let style: Style = { faint: false, lineDrawing: false };
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
