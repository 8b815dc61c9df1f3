/** How aider draws (0.86.2, main screen). Only the prompt sign on the last row tells idle from busy. */
import type { ScreenReading } from '../../protocol/screen.ts';
import { readLetters } from './choice.ts';
import type { Screen, ScreenRow, ScreenRules } from './port.ts';
import {
  composerOf,
  dialogReading,
  findUp,
  isRule,
  readingOf,
  trimBlankLines,
  trimmedRows,
} from './shared.ts';
import { type Unwrapped, unwrap } from './unwrap.ts';

/** `>`, or with the mode before it: `ask>`, `architect multi>`. */
const PROMPT_ROW = /^(?:\w+ ){0,2}\w*>(?:\s|$)/;
const QUESTION = /\(Y\)es\/\(N\)o/;
/** What aider reports about a finished answer, and when it rejects one. */
const REPORT =
  /^Tokens: .* (?:sent|received)|^The LLM did not conform to the edit format|^\^C again to exit$/;
const WAITING_BAR = /^\s+\S+\s+Waiting for \S+/;

/** The rows of a question at the very end; it may be wrapped. */
function findQuestion(rows: readonly ScreenRow[]): string | null {
  const above = findUp(rows, rows.length - 1, (text) => text.trim() === '' || isRule(text));
  const block = rows.slice(above + 1).map((row) => row.text);
  return QUESTION.test(block.join('')) && !block.some((text) => PROMPT_ROW.test(text))
    ? block.join('\n')
    : null;
}

function read(screen: Screen): ScreenReading {
  const rows = trimmedRows(screen);
  const question = findQuestion(rows);
  if (question !== null) return dialogReading(question.split('\n'), readLetters(question));
  const last = rows.length - 1;
  const isPrompt = PROMPT_ROW.test(rows[last]?.text ?? '');
  // A prompt row above the cursor was already sent; the answer has not begun. aider hides the cursor while it waits.
  const wasSent = screen.cursorRow === null || screen.cursorRow > last;
  if (!isPrompt || wasSent) return readingOf(rows.length > 0 ? 'working' : 'unknown', { kind: 'absent' });
  const above = findUp(rows, last, (text) => !PROMPT_ROW.test(text));
  const lines = rows.slice(above + 1).map((row) => row.text.replace(PROMPT_ROW, ''));
  return readingOf('idle', composerOf(lines));
}

function extract(lines: readonly string[], width: number): Unwrapped {
  const text = lines.map((line) => line.trimEnd());
  // The sign is before every row of the prompt, so the rest of the prompt may come first.
  const start = text.findIndex((line) => line !== '' && !PROMPT_ROW.test(line));
  const answer = start < 0 ? [] : text.slice(start);
  const end = answer.findIndex((line) => REPORT.test(line) || (isRule(line) && line.length >= width));
  const own = (end < 0 ? answer : answer.slice(0, end)).filter((line) => !WAITING_BAR.test(line));
  return unwrap(trimBlankLines(own), width);
}

export const aiderScreen: ScreenRules = { read, extract };
