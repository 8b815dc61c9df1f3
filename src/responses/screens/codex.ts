/**
 * How Codex draws (recorded: 0.171.0, alternate screen; older versions print their history on the main screen). It pins
 * the last prompt that scrolled away to the first row, so a prompt above an answer may be a copy.
 */
import type { AiState } from '../../protocol/pane.ts';
import type { ScreenReading } from '../../protocol/screen.ts';
import { readChoice } from './choice.ts';
import type { Screen, ScreenRow, ScreenRules } from './port.ts';
import {
  composerOf,
  dialogReading,
  findDown,
  findUp,
  isGhost,
  isNumberedOption,
  isSpinner,
  keepLines,
  outdent,
  plainRows,
  readingOf,
  saysDialogKeys,
  trimBlankLines,
  trimmedRows,
} from './shared.ts';
import { type Unwrapped, unwrap } from './unwrap.ts';

/** The sign of the composer, of a sent prompt, and of the pointer in a dialog. */
const SIGN_ROW = /^\s{0,2}›(?:\s|$)/;
const BULLET = /^[•◦]\s/;
/** `• Working (12s • esc to interrupt)`: the words vary, the hint does not. */
const BUSY = /^\s{0,2}\S .*\besc to interrupt\b/;
/** The greeting, its last row (the folder), and the hint of a folded call. */
const GREETING = /^\s*>_ /;
const FOLDER = /^\s+(?:~?\/\S*|~)$/;
const FOLDED = /^\s+\+ Show details$/;
const STOPPED = /^■ /;
const TURN_END = /^\s+(?:Worked for \S+|└ Tip: )/;
/** A tool's output hangs below its bullet; so does a tip below an answer. */
const TOOL_RESULT = /^\s{2}(?:└(?! Tip: )|│)/;
/** `• Edited notes.md (+3 -1)`: a change, followed by its lines. Another verb could be the first word of an answer. */
const EDIT = /^[•◦] \w+ .*\(\+\d+ -\d+\)$/;
/** The title of the prompts that wait, which hang below it: an answer can begin with the same words. */
const QUEUE = /^\s{0,2}[•↳] (?:Queued|Messages to be submitted)\b/;
const QUEUED_PROMPT = /^ {2}↳ /;
const TITLE_MAX_ROWS = 3;
/** At the right edge of a composer with more text than it shows. */
const SCROLL_SIGN = /\s{4,}[↑↓]$/;
/** Below a prompt sent while Codex starts. It stays in the input box until Codex is ready. */
const STARTING = /^\s{0,2}Waiting for startup\b/;
const CLEARS_NOTES = /^(?:.*\|)?\s*tab or esc to clear notes\b/;
const GUTTER_CELLS = 2;

/**
 * The lowest row with the prompt sign. After startup, status rows follow below a blank row. A draft with a numbered
 * list looks like a dialog but contains the cursor; so does a question's field for notes, which names its keys below.
 */
function findBox(rows: readonly ScreenRow[], cursorRow: number | null) {
  const input = findUp(rows, rows.length - 1, (text) => SIGN_ROW.test(text));
  const blank = findUp(rows, rows.length - 1, (text) => text.trim() === '');
  const bottom = blank > input ? blank : rows.length;
  const isHeld = cursorRow !== null && cursorRow >= input && cursorRow < bottom;
  const hasKeys = findDown(rows, Math.max(blank, input), saysDialogKeys) >= 0;
  const isOption = isNumberedOption(rows[input]?.text ?? '') && !isHeld;
  return input < 0 || hasKeys || isOption ? null : { input, bottom };
}

/** The rows above a question's field for notes: notes can look like an answer with its own pointer. */
function withoutNotes(rows: readonly ScreenRow[]): readonly ScreenRow[] {
  // Its keys are in the last rows; a permission request can contain the same words.
  const foot = findUp(rows, rows.length - 1, (text) => text.trim() === '');
  const keys = findDown(rows, foot + 1, (text) => CLEARS_NOTES.test(text));
  const field = findUp(rows, keys, (text) => SIGN_ROW.test(text));
  return keys >= 0 && rows[field - 1]?.text === '' ? rows.slice(0, field) : rows;
}

/** The rows of a dialog: a numbered list with the pointer in it, or a list that names its keys. */
function findDialog(shown: readonly ScreenRow[]): readonly ScreenRow[] | null {
  const rows = withoutNotes(shown);
  const pointed = findUp(rows, rows.length - 1, (text) => SIGN_ROW.test(text) && isNumberedOption(text));
  if (pointed <= findUp(rows, rows.length - 1, (text) => BULLET.test(text))) return null;
  const keys = findDown(rows, pointed, saysDialogKeys);
  // A row with only a path belongs to the greeting if that is above it, else to the end of a wrapped question.
  const isAbove = ({ text }: ScreenRow, at: number) =>
    [BULLET, SIGN_ROW, TOOL_RESULT, GREETING, FOLDED].some((shape) => shape.test(text)) ||
    (FOLDER.test(text) && GREETING.test(rows[at - 1]?.text ?? ''));
  const above = rows.slice(0, pointed).findLastIndex(isAbove);
  return rows.slice(above + 1, keys < 0 ? rows.length : keys).filter(({ text }) => !TURN_END.test(text));
}

/** 0.171 shows no state while text streams; a finished turn ends in `Worked for …`. Else title and transcript tell. */
function stateOf(rows: readonly ScreenRow[], input: number): AiState {
  for (let at = input - 1; at >= 0; at--) {
    const text = rows[at]?.text ?? '';
    if (BUSY.test(text) || isSpinner(text)) return 'working';
    if (TURN_END.test(text) || STOPPED.test(text)) return 'idle';
    if (BULLET.test(text) || SIGN_ROW.test(text)) return 'unknown';
  }
  return 'idle';
}

function read(screen: Screen): ScreenReading {
  const rows = trimmedRows(screen);
  if (STARTING.test(rows.at(-1)?.text ?? ''))
    return readingOf('working', { kind: 'absent' }, { queued: true });
  const box = findBox(rows, screen.cursorRow);
  if (box === null) {
    const texts = findDialog(rows)?.map((row) => row.text);
    return texts === undefined
      ? readingOf('unknown', { kind: 'absent' })
      : dialogReading(texts, readChoice(texts, screen));
  }
  const lines = rows.slice(box.input, box.bottom);
  const isEmpty = isGhost(lines, 2);
  const typed = lines.map(({ text }, at) =>
    text.replace(at === 0 ? SIGN_ROW : /^\s{0,2}/, '').replace(SCROLL_SIGN, ''),
  );
  return readingOf(stateOf(rows, box.input), isEmpty ? { kind: 'empty' } : composerOf(typed), {
    queued: rows
      .slice(0, box.input)
      .some(({ text }) => QUEUE.test(text) || /edit (?:last )?queued message/i.test(text)),
  });
}

/** Keeps the model's text: bullets that are not tool calls, and the rows below them. */
function textBlocks(lines: readonly string[]): readonly string[] {
  let isText = true;
  return keepLines(lines, (line, at) => {
    if (/^\S/.test(line)) {
      const below = lines.slice(at + 1).filter((each) => each !== '');
      // In a narrow pane a title takes several rows.
      const isQueue =
        QUEUE.test(line) && below.slice(0, TITLE_MAX_ROWS).some((each) => QUEUED_PROMPT.test(each));
      isText = BULLET.test(line) && !EDIT.test(line) && !TOOL_RESULT.test(below[0] ?? '') && !isQueue;
    }
    return isText && !TURN_END.test(line) && !BUSY.test(line);
  });
}

function extract(lines: readonly string[], width: number): Unwrapped {
  const rows = plainRows(lines);
  // The first row with the sign is the next prompt, or the composer.
  const end = rows.findIndex(({ text }) => SIGN_ROW.test(text));
  const answer = rows.slice(0, end < 0 ? rows.length : end).map((row) => row.text);
  const bare = textBlocks(answer).map((line) => line.replace(/^[•◦]\s/, '  '));
  return unwrap(outdent(trimBlankLines(bare), GUTTER_CELLS), width - GUTTER_CELLS);
}

export const codexScreen: ScreenRules = { read, extract };
