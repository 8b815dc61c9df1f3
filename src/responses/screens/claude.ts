/**
 * How Claude Code draws (recorded: 2.1.197 on the main screen, 2.1.332 on the alternate screen). It renders Markdown:
 * backticks, emphasis and code fences are missing on its screen, only a transcript has them. 2.1.332 also renders the
 * user's prompt: a marker appears as `PROMPT …`, without its hashes.
 */
import type { AiState } from '../../protocol/pane.ts';
import type { ScreenReading } from '../../protocol/screen.ts';
import { readChoice } from './choice.ts';
import type { Screen, ScreenRow, ScreenRules } from './port.ts';
import {
  type Box,
  composerOf,
  dialogReading,
  findDown,
  findUp,
  isDoneMark,
  isGhost,
  isNumberedOption,
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

/** The prompt sign is followed by a no-break space; older versions draw `>` inside a box. */
const COMPOSER_ROW = /^(?:❯|[│|] ?[>❯])(?:\s|$)/;
/** A row at the left edge with a prompt that the user sent. */
const SENT_PROMPT = /^❯\s+\S/;
const BULLET = /^[●⏺]/;
/** The option of a dialog that Enter would choose. */
const POINTED = /^[\s│|]*❯\s+\S/;
const TOOL_RESULT = /^\s{1,4}⎿/;
/** `● Bash(ls -la)`: only a name before the parenthesis, and nothing after it. */
const TOOL_CALL = /^[●⏺]\s+[A-Z]\w*(?: - [\w-]+ )?\(.*(?:\)|…)$/;
/** Truncated in a narrow pane. */
const BUSY_HINT = /\besc to (?:interrupt|i\w*…)|\besc(?: to)? ?…$/;
/** Below a waiting prompt; a narrow pane shows only this part. Both chords are bound, whichever is named. */
const SEND_NOW = /^\s+(?:⎿\s+Queued · )?ctrl\+(?:x ctrl\+s|enter) to send now$/;
/** The cells that the bullet and the right edge take from the text. */
const GUTTER_CELLS = 2;

/** The lowest input box: a rule, rows that begin with the prompt sign, a rule. Any number of status rows may follow. */
function findBox(rows: readonly ScreenRow[]): Box | null {
  for (let at = rows.length - 1; at > 0; at--) {
    const above = rows[at - 1]?.text ?? '';
    const isTop = isRule(above) || /^╭─/.test(above);
    if (!isTop || !COMPOSER_ROW.test(rows[at]?.text ?? '')) continue;
    const end = findDown(rows, at + 1, (text) => isRule(text) || /^╰─/.test(text));
    return { top: at - 1, input: at, bottom: end < 0 ? rows.length : end };
  }
  return null;
}

interface Dialog {
  readonly top: number;
  readonly end: number;
}

/** The position of an open dialog, which is below everything else and replaces the box. */
function findDialog(rows: readonly ScreenRow[], below: number): Dialog | null {
  const pointed = findUp(rows, rows.length - 1, (text) => POINTED.test(text));
  if (pointed <= below) return null;
  const keys = findDown(rows, pointed, saysDialogKeys);
  const option = rows[pointed]?.text ?? '';
  const after = rows.slice(pointed + 1, pointed + 8).map((row) => row.text);
  // Without names of keys: numbers, or an indented pointer with more options. A sent prompt is at the left edge.
  const isList =
    isNumberedOption(option) || (/^[\s│|]/.test(option) && after.some((text) => /^\s{2,}\S/.test(text)));
  if (keys < 0 && !(below < 0 && isList)) return null;
  let top = pointed;
  // A rule can also be inside a dialog, between its options: go up until past a question.
  do top = findUp(rows, top - 1, (text) => isRule(text) || /^╭─/.test(text));
  while (top > 0 && (!hasQuestion(rows.slice(top + 1, pointed)) || isBelowPlan(rows, top)));
  return { top, end: keys < 0 ? rows.length : keys };
}

/** A plan is between dashed lines, above the rule over the question about it. */
function isBelowPlan(rows: readonly ScreenRow[], rule: number): boolean {
  const above = rows[findUp(rows, rule - 1, (text) => text.trim() !== '')]?.text ?? '';
  return /^\s*╌{8,}/.test(above);
}

function hasQuestion(rows: readonly ScreenRow[]): boolean {
  return rows.some(({ text }) => /^\s{0,2}\S/.test(text) && !isNumberedOption(text) && !isRule(text));
}

/** The input without the prompt sign, the continuation indentation and the frame of older versions. */
function inputLines(rows: readonly ScreenRow[], box: Box): readonly string[] {
  const [first, ...rest] = rows.slice(box.input, box.bottom);
  if (first === undefined) return [];
  const unframed = (text: string) => text.replace(/\s*[│|]$/, '');
  const sign = COMPOSER_ROW.exec(first.text)?.[0] ?? '';
  return [
    unframed(first.text.slice(sign.length)),
    ...rest.map((row) => unframed(row.text.replace(/^(?:[│|] ?)?\s{0,2}/, ''))),
  ];
}

/** The state from the rows above the box, lowest first, and from the hints below it. */
function stateOf(rows: readonly ScreenRow[], box: Box): AiState {
  // While text streams there is no spinner, only the hint below the box.
  if (rows.slice(box.bottom).some(({ text }) => BUSY_HINT.test(text))) return 'working';
  for (let at = box.top - 1; at >= 0; at--) {
    const text = rows[at]?.text ?? '';
    if (isDoneMark(text)) return 'idle';
    if (isSpinner(text)) return 'working';
    if (BULLET.test(text) || SENT_PROMPT.test(text)) return 'idle';
  }
  return 'idle';
}

const TIP = /^\s*Tip: /;
const TIP_MAX_ROWS = 4;

/** The rows of a dialog without the tip below its title, which ends with the word "below" and may be wrapped. */
function withoutTip(rows: readonly string[]): readonly string[] {
  if (!TIP.test(rows[1] ?? '')) return rows;
  const last = rows.slice(1, 1 + TIP_MAX_ROWS).findIndex((row) => row.endsWith(' below'));
  return last === -1 ? rows : rows.toSpliced(1, last + 1);
}

function read(screen: Screen): ScreenReading {
  const rows = trimmedRows(screen);
  const box = findBox(rows);
  const dialog = findDialog(rows, box?.bottom ?? -1);
  if (dialog !== null) {
    const texts = withoutTip(rows.slice(dialog.top + 1, dialog.end).map((row) => row.text));
    return dialogReading(texts, readChoice(texts, screen));
  }
  if (box === null) {
    const busy = findUp(rows, rows.length - 1, isSpinner) >= 0;
    return readingOf(busy ? 'working' : 'unknown', { kind: 'absent' });
  }
  const ghost = isGhost(rows.slice(box.input, box.bottom), 2);
  const around = [...rows.slice(box.input, box.bottom), ...rows.slice(Math.max(0, box.top - 6), box.top)];
  const queued = around.some(({ text }) => /edit queued messages|⎿\s+Queued\b/i.test(text));
  // The waiting prompt is where its answer will be: far above, on a tall screen.
  const offersSteering = queued && rows.slice(0, box.top).some(({ text }) => SEND_NOW.test(text));
  return readingOf(stateOf(rows, box), ghost ? { kind: 'empty' } : composerOf(inputLines(rows, box)), {
    queued,
    ...(offersSteering ? { offersSteering } : {}),
    // Measured on both versions: INSERT has a label, NORMAL has none, so this recognizes only versions that name it.
    // NORMAL also accepts a bracketed paste and its Enter; only keys typed one by one run as commands.
    vimNormal: rows.slice(box.bottom).some(({ text }) => /-- (?:NORMAL|VISUAL)/.test(text)),
  });
}

const TOOL_COUNT = String.raw`\d+ (?:shell commands?|files?|patterns?|director(?:y|ies)|memor(?:y|ies)|tools?|agents?)`;
const TOOL_VERB = '(?:[Rr]an|[Rr]ead|[Ss]earched for|[Ll]isted|[Ee]dited|[Ww]rote|[Cc]alled|[Rr]ecalled)';
/** The row in place of folded calls: `Searched for 2 patterns, read 1 file (ctrl+o to expand)`. */
const FOLDED_TOOLS = new RegExp(
  String.raw`^\s{2}${TOOL_VERB} ${TOOL_COUNT}(?:, ${TOOL_VERB} ${TOOL_COUNT})*(?: \(ctrl\+.*\))?$`,
);

/** A row that Claude Code draws around the answer. Words that an answer could contain need blank rows around. */
function isChrome(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  if (isSpinner(line) || isDoneMark(line)) return true;
  if (/^\s{20,}[◐◑◒◓●○◉]\s+\w+ · \/\w+$/.test(line)) return true;
  return FOLDED_TOOLS.test(line) && (lines[at - 1] ?? '') === '' && (lines[at + 1] ?? '') === '';
}

/** Keeps the text blocks: a bullet followed by a tool result, or with the form of a call, is a tool. */
function textBlocks(lines: readonly string[]): readonly string[] {
  let isText = true;
  return keepLines(lines, (line, at) => {
    if (/^\S/.test(line)) {
      const next = lines.slice(at + 1).find((each) => each !== '') ?? '';
      isText = BULLET.test(line) && !TOOL_RESULT.test(next) && !TOOL_CALL.test(line);
    }
    if (TOOL_RESULT.test(line)) isText = false;
    return isText && !isChrome(lines, at);
  });
}

function extract(lines: readonly string[], width: number): Unwrapped {
  const rows = plainRows(lines);
  const box = findBox(rows);
  const dialog = findDialog(rows, box?.bottom ?? -1);
  const cut = Math.max(0, box?.top ?? dialog?.top ?? rows.length);
  const next = rows.findIndex(({ text }, at) => at < cut && SENT_PROMPT.test(text));
  const answer = rows.slice(0, next < 0 ? cut : next).map((row) => row.text);
  const bare = textBlocks(answer).map((line) => line.replace(/^[●⏺]\s?/, '  '));
  return unwrap(trimBlankLines(outdent(bare, GUTTER_CELLS)), width - GUTTER_CELLS);
}

export const claudeScreen: ScreenRules = { read, extract };
