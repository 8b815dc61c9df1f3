/** How pi draws (0.73.1, 1.6.0, main screen). Keeps code fences; only the background marks tool output. */
import type { ScreenReading } from '../../protocol/screen.ts';
import { readChoice } from './choice.ts';
import type { Screen, ScreenRow, ScreenRules } from './port.ts';
import {
  composerOf,
  dialogReading,
  findUp,
  isPointedOption,
  isRule,
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

const QUEUED = /^ (?:Steering|Follow-up|Queued): |↳ .*edit all queued messages/;
const GUTTER_CELLS = 1;

/** Since 1.0 the rule above the editor holds the spinner: `── ⠇ Working ────`. */
const WORKING_RULE = /^─{2,} [^\s─] \S.* ─{2,}$/u;

/** The two lowest rules: the editor is between them, without a sign of its own. */
function findEditor(rows: readonly ScreenRow[]): { readonly top: number; readonly bottom: number } | null {
  const bottom = findUp(rows, rows.length - 1, isRule);
  const top = findUp(rows, bottom - 1, (text) => isRule(text) || WORKING_RULE.test(text));
  return bottom < 0 || top < 0 ? null : { top, bottom };
}

function read(screen: Screen): ScreenReading {
  const rows = trimmedRows(screen);
  const editor = findEditor(rows);
  const above = rows.slice(0, editor?.top ?? rows.length);
  const last = findUp(above, above.length - 1, (text) => text.trim() !== '');
  const working =
    WORKING_RULE.test(rows[editor?.top ?? -1]?.text ?? '') || isSpinner(above[last]?.text ?? '');
  if (editor === null) return readingOf(working ? 'working' : 'unknown', { kind: 'absent' });
  const inside = rows.slice(editor.top + 1, editor.bottom).map((row) => row.text);
  // A selector replaces the editor: it has a pointer and names its keys.
  if (inside.some(isPointedOption) && inside.some(saysDialogKeys))
    return dialogReading(inside, readChoice(inside, screen));
  return readingOf(working ? 'working' : 'idle', composerOf(inside), {
    queued: above.slice(-10).some(({ text }) => QUEUED.test(text)),
  });
}

/** pi indents code inside its fences by two; an unindented row there continues a wrapped one. */
function fencedCode(lines: readonly string[]): readonly string[] {
  const out: string[] = [];
  let isFenced = false;
  for (const line of lines) {
    if (line.startsWith('```')) {
      isFenced = !isFenced;
      out.push(line);
    } else if (isFenced && line !== '' && !line.startsWith('  ') && out.length > 0) {
      out.push(`${out.pop()} ${line}`);
    } else out.push(isFenced ? line.slice(2) : line);
  }
  return out;
}

function extract(lines: readonly string[], width: number): Unwrapped {
  const rows = plainRows(lines);
  const editor = findEditor(rows);
  const shown = rows.slice(0, editor?.top ?? rows.length).map((row) => row.text);
  const answer = keepLines(
    shown,
    (line) => !isSpinner(line) && !QUEUED.test(line) && line !== ' Operation aborted',
  );
  const indented = outdent(trimBlankLines(answer), GUTTER_CELLS);
  const text = fencedCode(indented);
  const { lines: joined, reflowed } = unwrap(text, width - 2 * GUTTER_CELLS);
  return { lines: joined, reflowed: reflowed || text.length < indented.length };
}

export const piScreen: ScreenRules = { read, extract };
