/** How Gemini CLI draws (0.61.0, main screen): keeps lists and tables, drops emphasis and fences, numbers code. */
import type { Choice } from '../../protocol/dialog.ts';
import type { Composer, ScreenReading } from '../../protocol/screen.ts';
import { option, readChoice } from './choice.ts';
import type { Screen, ScreenRow, ScreenRules } from './port.ts';
import {
  type Box,
  composerOf,
  dialogReading,
  findDown,
  findUp,
  isNumberedOption,
  isPointedOption,
  isRule,
  isSpinner,
  keepLines,
  outdent,
  plainRows,
  readingOf,
  trimBlankLines,
  trimmedRows,
} from './shared.ts';
import { type Unwrapped, unwrap } from './unwrap.ts';

const COMPOSER_ROW = /^[│ ]\s?[>!*](?:\s|$)/;
const SENT_PROMPT = /^ > \S/;
/** The cursor's cell, a blank, then a placeholder of the CLI (grey, not faint). */
const PLACEHOLDER = /^\s{2,}(?:Type your message\b|Press '\w+' for \w+ mode)/;
const GUTTER_CELLS = 2;
/** Rows between the rule over the composer and its first line: the mode, and padding (more in a narrow pane). */
const MAX_HEAD_ROWS = 5;

function findBox(rows: readonly ScreenRow[]): Box | null {
  const input = findUp(rows, rows.length - 1, (text) => COMPOSER_ROW.test(text));
  const top = findUp(rows, input - 1, (text) => isRule(text) || /^╭─/.test(text));
  if (input < 0 || top < 0 || input - top > MAX_HEAD_ROWS) return null;
  return { top, input, bottom: input + heightOf(rows.slice(input)) };
}

/** Rows from the sign to the end of the box. A blank row is one of the draft if text on the box's background follows. */
function heightOf(rows: readonly ScreenRow[]): number {
  const paper = rows[0]?.painted?.[0]?.[2];
  const isInside = ({ painted = [] }: ScreenRow) => painted.some(([, , background]) => background === paper);
  const end = rows.findIndex(({ text }, at) => {
    const next = rows.slice(at).find((row) => row.text.trim() !== '');
    return /^[╰▔▁─]/.test(text) || (text.trim() === '' && (next === undefined || !isInside(next)));
  });
  return end < 0 ? rows.length : end;
}

function composer(rows: readonly ScreenRow[], box: Box): Composer {
  const [first, ...rest] = rows.slice(box.input, box.bottom).map((row) => row.text.replace(/\s*│$/, ''));
  const typed = (first ?? '').replace(/^[│ ]\s?[>!*]/, '');
  if (PLACEHOLDER.test(typed)) return { kind: 'empty' };
  return composerOf([typed.replace(/^\s/, ''), ...rest.map((text) => text.replace(/^[│ ]?\s{0,2}/, ''))]);
}

/** The pointed option of a dialog; `Done`, below answers with boxes, has no number. */
function isPointed(text: string): boolean {
  return isPointedOption(text) && (isNumberedOption(text) || /^\s?│ ● {2}\S/.test(text));
}

/** It leaves an answered dialog on the screen while it restarts, which takes seconds. */
const RESTARTS = /^\s*Gemini CLI is restarting\b/;

/** The frame around the lowest pointed option, if it is below the composer (or there is none). */
function findDialog(rows: readonly ScreenRow[], below: number): readonly ScreenRow[] | null {
  const pointed = findUp(rows, rows.length - 1, isPointed);
  if (pointed <= below) return findReview(rows, below);
  if (findDown(rows, pointed, (text) => RESTARTS.test(text)) >= 0) return null;
  const top = findUp(rows, pointed, (text) => /^\s?╭/.test(text));
  const end = findDown(rows, pointed, (text) => /^\s?╰/.test(text));
  return rows.slice(Math.max(0, top), end < 0 ? rows.length : end + 1);
}

/** The last page of several questions has no answers, only the key that submits them. */
const REVIEW_KEYS = /\bEnter to submit\b/;

function findReview(rows: readonly ScreenRow[], below: number): readonly ScreenRow[] | null {
  const keys = findUp(rows, rows.length - 1, (text) => REVIEW_KEYS.test(text));
  const top = findUp(rows, keys, (text) => /^\s?╭/.test(text));
  return keys <= below || top < 0 ? null : rows.slice(top, keys);
}

function choiceOf(texts: readonly string[], screen: Screen): Choice {
  const read = readChoice(texts, screen);
  return read.options.length > 0 ? read : { ...read, options: [option('Submit')], pointed: 0 };
}

function read(screen: Screen): ScreenReading {
  const rows = trimmedRows(screen);
  const box = findBox(rows);
  const dialog = findDialog(rows, box?.bottom ?? -1);
  if (dialog !== null) {
    const texts = dialog.map((row) => row.text);
    return dialogReading(texts, choiceOf(texts, screen));
  }
  const above = rows.slice(0, box?.top ?? rows.length);
  const last = findUp(above, above.length - 1, (text) => isSpinner(text) || /^(?:✦ | > \S)/.test(text));
  const working = isSpinner(above[last]?.text ?? '');
  if (box === null) return readingOf(working ? 'working' : 'unknown', { kind: 'absent' });
  return readingOf(working ? 'working' : 'idle', composer(rows, box), {
    queued: above.slice(-12).some(({ text }) => /^\s+Queued \(press/.test(text)),
    vimNormal: rows.slice(box.bottom).some(({ text }) => /\[NORMAL\]/.test(text)),
  });
}

function isChrome(line: string): boolean {
  return isSpinner(line) || /^ℹ /.test(line) || /^\s{20,}\? for shortcuts$/.test(line);
}

/** The rows without tool boxes (which begin at the left edge) and other messages of the CLI about its work. */
function withoutChrome(lines: readonly string[]): readonly string[] {
  let isBoxed = false;
  let isQueued = false;
  return keepLines(lines, (line) => {
    const wasBoxed = isBoxed;
    isBoxed = /^╭/.test(line) || (isBoxed && !/^╰/.test(line));
    isQueued = /^\s+Queued \(press/.test(line) || (isQueued && /^\s{4}/.test(line));
    return !wasBoxed && !isBoxed && !isQueued && !isChrome(line);
  });
}

const NUMBERED = /^(\s*)(\d+)(?: (.*))?$/;

/** Removes line numbers: a run that starts at 1. A row without a number continues a wrapped one. */
function withoutLineNumbers(lines: readonly string[]): readonly string[] {
  const out: string[] = [];
  let run: { readonly column: number; next: number } | null = null;
  for (const line of lines) {
    const match = NUMBERED.exec(line);
    const column = match === null ? 0 : numberEnd(match) + 1;
    const isFirst = match?.[2] === '1' && match[3] !== undefined;
    if (run !== null && match !== null && Number(match[2]) === run.next && column === run.column) {
      out.push(line.slice(column));
      run.next += 1;
    } else if (run !== null && line.trim() !== '' && line.startsWith(' '.repeat(run.column))) {
      out.push(`${out.pop() ?? ''} ${line.slice(run.column)}`);
    } else {
      run = isFirst ? { column, next: 2 } : null;
      out.push(isFirst ? line.slice(column) : line);
    }
  }
  return out;
}

/** The column after the number: numbers are right-aligned. */
const numberEnd = (match: RegExpExecArray): number => (match[1] ?? '').length + (match[2] ?? '').length;

function extract(lines: readonly string[], width: number): Unwrapped {
  const rows = plainRows(lines);
  const box = findBox(rows);
  const cut = box?.top ?? rows.length;
  const next = rows.findIndex(({ text }, at) => at < cut && SENT_PROMPT.test(text));
  const answer = rows.slice(0, next < 0 ? cut : next).map((row) => row.text);
  const bare = withoutChrome(answer).map((line) => line.replace(/^✦\s?/, '  '));
  const numbered = outdent(trimBlankLines(bare), GUTTER_CELLS);
  const text = withoutLineNumbers(numbered);
  const { lines: joined, reflowed } = unwrap(text, width - GUTTER_CELLS);
  return { lines: joined, reflowed: reflowed || text.length < numbered.length };
}

export const geminiScreen: ScreenRules = { read, extract };
