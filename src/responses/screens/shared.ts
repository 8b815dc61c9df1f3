/** Shared parts of all screen rules. Pure. Recognizes spinners by shape: new words must not make a CLI look idle. */
import type { Choice } from '../../protocol/dialog.ts';
import type { AiState } from '../../protocol/pane.ts';
import type { Composer, ScreenReading } from '../../protocol/screen.ts';
import type { Screen, ScreenRow } from './port.ts';
import { indentOf } from './unwrap.ts';

/** A horizontal line over (nearly) the whole row; a CLI may put a name into it. */
const RULE = /^\s*[─━▔▁]{8,}/;

/** Whether the row is a horizontal line. Dashed lines (`╌`) divide a dialog and do not count. */
export function isRule(text: string): boolean {
  if (!RULE.test(text)) return false;
  const drawn = (text.match(/[─━▔▁]/g) ?? []).length;
  return drawn * 2 >= text.trim().length;
}

/** The rows without blank ones at the end. */
export function trimmedRows(screen: Screen): readonly ScreenRow[] {
  return screen.rows.slice(0, screen.rows.findLastIndex((row) => row.text.trim() !== '') + 1);
}

/** The index of the last row from `from` upwards that `matches`; -1 if there is none. */
export function findUp(
  rows: readonly ScreenRow[],
  from: number,
  matches: (text: string, row: ScreenRow) => boolean,
): number {
  for (let at = Math.min(from, rows.length - 1); at >= 0; at--) {
    const row = rows[at];
    if (row !== undefined && matches(row.text, row)) return at;
  }
  return -1;
}

/** The index of the first row from `from` downwards that `matches`; -1 if there is none. */
export function findDown(
  rows: readonly ScreenRow[],
  from: number,
  matches: (text: string, row: ScreenRow) => boolean,
): number {
  for (let at = Math.max(0, from); at < rows.length; at++) {
    const row = rows[at];
    if (row !== undefined && matches(row.text, row)) return at;
  }
  return -1;
}

/** The rows of an input box. */
export interface Box {
  /** The upper rule. */
  readonly top: number;
  /** The first row of the input. */
  readonly input: number;
  /** The lower rule; the end of the rows if it is not visible. */
  readonly bottom: number;
}

/** Whether the text from column `from` is ghost text, which may wrap: all faint, except under a drawn cursor. */
export function isGhost(rows: readonly ScreenRow[], from: number): boolean {
  let bright = 0;
  let all = 0;
  for (const row of rows) {
    for (let at = from; at < row.text.length; at++) {
      if (row.text[at]?.trim() === '') continue;
      all += 1;
      if (!row.dim.some(([start, end]) => at >= start && at < end)) bright += 1;
    }
  }
  return all > 1 && bright <= 1;
}

/** A folded paste: `[Pasted text #1 +29 lines]`, `[Pasted Content 612 chars]`, `[paste #1 +30 lines]`. */
const PILL = /\[(?:Pasted|paste)\b[^\]]*\]|^\s*\[Image #\d+\]\s*$/i;

/** The composer from its rows, which are already without gutter. */
export function composerOf(lines: readonly string[]): Composer {
  const text = lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
  if (text === '') return { kind: 'empty' };
  return PILL.test(text) ? { kind: 'pill', text } : { kind: 'draft', text };
}

/** `3s`, `2m 28s`, `1h 2m`: elapsed time, which all spinners show eventually. */
const ELAPSED = String.raw`(?:\d+(?:\.\d+)?[hms] ?)+`;
const ELAPSED_SHAPE = new RegExp(String.raw`\(${ELAPSED}(?: ?[·•)]|$)`);
/** The first sign of a spinner row: not a word, bullet, prompt, frame, quote, or mark of a result. */
const SPINNER_SIGN = /^\s{0,2}[^\w\s●⏺•>❯›│┃╭╰⎿└"'`(#|\-+*⚠ℹ✓✔✗✘✕×■]\s+\S/u;
const ELLIPSIS = /^[^…]*?(?:…|\.\.\.)(?:\s|$)/u;
/** The asterisk is both a frame of Claude Code's spinner and a Markdown bullet: accepted only before a single word. */
const ASTERISK_SPINNER = /^\* \S+…(?:\s|$)/u;

/** Whether the row is a running spinner, by shape: a sign with an ellipsis or a clock; `✻ Worked for 3m 38s` is not. */
export function isSpinner(text: string): boolean {
  if (ASTERISK_SPINNER.test(text)) return true;
  return SPINNER_SIGN.test(text) && (ELLIPSIS.test(text) || ELAPSED_SHAPE.test(text));
}

/** `✻ Worked for 3m 38s`, possibly with more after it. */
export function isDoneMark(text: string): boolean {
  return new RegExp(String.raw`^\s{0,2}[^\w\s]\s+\S+ for ${ELAPSED}(?:\s|$)`, 'u').test(text);
}

/** An option of a dialog with the pointer on it. */
const POINTED_OPTION = /^[\s│┃|]*[❯›●▶→]\s+\S/;
/** A narrow pane may lack the blank after the number. */
const NUMBERED_OPTION = /^[\s│┃|]*(?:[❯›●▶→]\s+)?\d{1,2}\.\s*\S/;
const DIALOG_KEYS =
  /\besc\b.{0,12}\b(?:cancel|dismiss|reject|close|exit)|\benter\b.{0,12}\b(?:confirm|select|submit|continue)|↑\/↓ to/i;

export const isPointedOption = (text: string): boolean => POINTED_OPTION.test(text);

export const isNumberedOption = (text: string): boolean => NUMBERED_OPTION.test(text);

export const saysDialogKeys = (text: string): boolean => DIALOG_KEYS.test(text);

/** A row without the frames around it, even nested ones. */
export function withoutFrame(row: string): string {
  let text = row.replace(/^\s*[│┃|]|[│┃|]\s*$/gu, '').trimEnd();
  while (/^\s*[│┃].*[│┃]$/u.test(text)) text = text.replace(/[│┃]/u, ' ').slice(0, -1).trimEnd();
  return text;
}

/** The text of a dialog without frame, dashed lines, outer blank rows, common indentation and runs of blanks. */
export function dialogText(rows: readonly string[]): string {
  const lines = rows
    .map(withoutFrame)
    .filter((line) => !/^\s*[╭╰┌└╮╯╌─━╹▀┄]{4,}/u.test(line.trim()))
    // An arrow at the right edge means that there is more text.
    .map((line) => line.replace(/[╭╮╰╯]|─{4,}|\s{3,}[↑↓]$/gu, '').trimEnd());
  const indents = lines.filter((line) => line.trim() !== '').map(indentOf);
  const indent = Math.min(...indents, 8);
  return lines
    .map((line) => line.slice(indent))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** A reading without anything special. */
export function readingOf(
  state: AiState,
  composer: Composer,
  more: Partial<ScreenReading> = {},
): ScreenReading {
  return { composer, state, dialog: null, choice: null, vimNormal: false, queued: false, ...more };
}

/** A reading of an open dialog, which replaces or covers the composer. */
export function dialogReading(rows: readonly string[], choice: Choice): ScreenReading {
  return readingOf('waiting', { kind: 'absent' }, { dialog: dialogText(rows), choice });
}

/** Lines without colours, as rows of a screen. */
export function plainRows(lines: readonly string[]): readonly ScreenRow[] {
  return lines.map((line) => ({ text: line.trimEnd(), dim: [] }));
}

/** Lines without trailing blanks, and without blank lines at both ends. */
export function trimBlankLines(lines: readonly string[]): readonly string[] {
  const trimmed = lines.map((line) => line.trimEnd());
  const first = trimmed.findIndex((line) => line !== '');
  if (first < 0) return [];
  return trimmed.slice(first, trimmed.findLastIndex((line) => line !== '') + 1);
}

/** Removes up to `cells` leading spaces from each line. */
export function outdent(lines: readonly string[], cells: number): readonly string[] {
  const gutter = new RegExp(`^ {0,${cells}}`);
  return lines.map((line) => line.replace(gutter, ''));
}

/** The kept lines; one blank line remains where lines were left out between blank lines. */
export function keepLines(
  lines: readonly string[],
  isKept: (line: string, at: number) => boolean,
): readonly string[] {
  const kept: string[] = [];
  let isAfterGap = false;
  lines.forEach((line, at) => {
    if (!isKept(line, at)) {
      isAfterGap = true;
      return;
    }
    if (isAfterGap && line === '' && kept.at(-1) === '') return;
    kept.push(line);
    if (line !== '') isAfterGap = false;
  });
  return kept;
}
