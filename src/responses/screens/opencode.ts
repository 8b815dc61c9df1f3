/** How opencode draws (1.18.33, alternate screen). Running calls (`$ ls`) are kept: answers may have such lines. */
import { sliceCells, widthOf } from '../../lib/width.ts';
import type { Choice } from '../../protocol/dialog.ts';
import type { Composer, ScreenReading } from '../../protocol/screen.ts';
import { option, readChoice } from './choice.ts';
import type { Screen, ScreenRow, ScreenRules } from './port.ts';
import {
  composerOf,
  dialogReading,
  dialogText,
  findUp,
  keepLines,
  outdent,
  readingOf,
  trimBlankLines,
  trimmedRows,
} from './shared.ts';
import { type Unwrapped, unwrap } from './unwrap.ts';

const BAR = /^\s*┃/;
/** The placeholder in an empty composer; grey, not faint. */
const PLACEHOLDER = /^Ask anything…/;
const DIALOG = /△|\benter (?:confirm|submit)\b|\besc dismiss\b|⇆|↑↓/;
/** The moving bar below the composer, and the hint beside it, which a narrow pane breaks up. */
const BUSY = /^\s*[⬝■]{4,}|\besc (?:again to )?interrupt\b/;
/** The agent, the model and the time taken: `▣  Build · mock · 1.7s`. */
const SIGNATURE = /^\s*▣\s/;
/** A tool call shown as one line; an arrow alone could belong to the answer. */
const TOOL_LINE =
  /^\s{3,}(?:→ (?:Read|List|Asked|Loaded) |← (?:Write|Edit|Patch) |✱ (?:Glob|Grep) |⚙ \S|% WebFetch )/;
/** Answer text is indented by five columns, and ends six before the lower edge of the composer does. */
const GUTTER_CELLS = 5;
const MARGIN_CELLS = 6;
/** The cells that a dialog leaves free at its right. */
const DIALOG_MARGIN_CELLS = 7;
/** A wide pane has a sidebar right of the conversation; the composer's lower edge ends where it begins. */
const EDGE = /^\s*╹▀+/;
/** The last row of the sidebar, and its width in cells: measured at 140 columns. */
const SIDE_BAR = /\s{3,}• OpenCode \d/;
const SIDE_BAR_CELLS = 42;

/** The cells of the conversation. If a dialog covers the composer, the sidebar's own sign tells. */
function conversationCells(rows: readonly string[], width: number): number {
  const edge = rows.findLast((text) => EDGE.test(text));
  if (edge !== undefined) return widthOf(EDGE.exec(edge)?.[0] ?? '');
  return rows.some((text) => SIDE_BAR.test(text)) ? width - SIDE_BAR_CELLS : width;
}

interface Block {
  readonly start: number;
  readonly end: number;
  /** Closed by `╹▀▀`, as the composer is. Dialogs extend to the edge of the screen. */
  readonly closed: boolean;
}

function lowestBlock(rows: readonly ScreenRow[]): Block | null {
  const end = findUp(rows, rows.length - 1, (text) => BAR.test(text));
  if (end < 0) return null;
  const above = findUp(rows, end, (text) => !BAR.test(text));
  return { start: above + 1, end: end + 1, closed: EDGE.test(rows[end + 1]?.text ?? '') };
}

/** The input: the block without its padding and its last row, which names agent and model. */
function composer(rows: readonly ScreenRow[], block: Block): Composer {
  const lines = rows.slice(block.start, block.end - 1).map((row) => row.text.replace(/^\s*┃\s{0,2}/, ''));
  const read = composerOf(lines);
  return read.kind === 'draft' && PLACEHOLDER.test(read.text) ? { kind: 'empty' } : read;
}

/** Where the key names begin: below the answers, or after them in a wide pane. */
const KEYS = /\s+(?:ctrl\+\w|⇆|↑↓|enter|esc)(?:\s|$).*$/;

/** The head of a permission request, whose answers are never a list: what looks like one is part of a command. */
const PERMISSION = /^\s*┃\s+△ /;

function choiceOf(rows: readonly ScreenRow[], width: number): Choice {
  const texts = rows.map((row) => row.text);
  const head = texts.find((text) => text.replace(BAR, '').trim() !== '') ?? '';
  if (PERMISSION.test(head)) return rowChoice(rows);
  const listed = readChoice(texts, {
    width: width - DIALOG_MARGIN_CELLS,
    isMarked: (at) => isMarkedRow(rows, at),
  });
  if (listed.options.some(({ checked }) => checked !== null)) {
    return { ...listed, options: [...listed.options, { ...option('Go on with these'), leads: 'on' }] };
  }
  return listed.options.length > 0 ? listed : rowChoice(rows);
}

/** `Allow once   Allow always   Reject`: answers in one row; the marked one has another background. */
function rowChoice(rows: readonly ScreenRow[]): Choice {
  const texts = rows.map((row) => row.text);
  const bare = texts.map((text) => text.replace(KEYS, '').replace(BAR, (bar) => ' '.repeat(bar.length)));
  const at = bare.findLastIndex((text) => text.trim() !== '');
  const answers = [...(bare[at] ?? '').matchAll(/\S+(?: \S+)*/g)];
  if (answers.length < 2) return confirmOf(texts);
  const row = rows[at];
  const backgrounds = answers.map(({ index }) => (row === undefined ? '' : backgroundAt(row, index)));
  const odd = backgrounds.findIndex((each) => backgrounds.filter((other) => other === each).length === 1);
  return {
    question: dialogText(texts.slice(0, at)),
    options: answers.map(([label]) => option(label)),
    // With two answers, either could be the marked one.
    pointed: odd < 0 || answers.length < 3 ? null : odd,
    keys: 'right',
  };
}

/** The last page of several questions has one key and shows the chosen answers. */
function confirmOf(texts: readonly string[]): Choice {
  const question = dialogText(texts.slice(0, -2));
  const isReview = texts.some((text) => /^\s*┃\s+Review$/.test(text));
  return {
    question,
    options: isReview ? [option('Submit')] : [],
    pointed: isReview ? 0 : null,
    keys: 'down',
  };
}

function backgroundAt({ painted = [] }: ScreenRow, at: number): string {
  return painted.find(([start, end]) => start <= at && at < end)?.[2] ?? '';
}

/** The number of the marked answer has another background than the bar before it. */
function isMarkedRow(rows: readonly ScreenRow[], at: number): boolean {
  const row = rows[at];
  const number = row === undefined ? -1 : row.text.search(/\d{1,2}\./);
  return row !== undefined && number > 0 && backgroundAt(row, number) !== backgroundAt(row, number - 1);
}

function read(screen: Screen): ScreenReading {
  const shown = trimmedRows(screen);
  const texts = shown.map((row) => row.text);
  const cells = conversationCells(texts, screen.width);
  const rows = shown.map((row) => ({ ...row, text: sliceCells(row.text, cells).trimEnd() }));
  const block = lowestBlock(rows);
  if (block === null) return readingOf('unknown', { kind: 'absent' });
  const inside = rows.slice(block.start, block.end).map((row) => row.text);
  if (!block.closed) {
    const choice = choiceOf(rows.slice(block.start, block.end), cells);
    // A list taller than the screen leaves no row for the key names.
    const isDialog = choice.pointed !== null || inside.some((text) => DIALOG.test(text));
    return isDialog ? dialogReading(inside, choice) : readingOf('unknown', { kind: 'absent' });
  }
  const working = shown.slice(block.end).some(({ text }) => BUSY.test(text));
  return readingOf(working ? 'working' : 'idle', composer(rows, block), {
    queued: rows.slice(0, block.start).some(({ text }) => /^\s*┃\s+QUEUED$/.test(text)),
  });
}

function extract(lines: readonly string[], width: number): Unwrapped {
  const cells = conversationCells(lines, width);
  const trimmed = lines.map((line) => sliceCells(line, cells).trimEnd());
  // The lower edge of the prompt's own block comes first.
  const start = Math.max(
    0,
    trimmed.findIndex((line) => line !== '' && !BAR.test(line)),
  );
  // A turn ends with its signature or, before there is one, at the composer. Other blocks with a bar are tools.
  const end = trimmed.findIndex((line, at) => at >= start && (SIGNATURE.test(line) || EDGE.test(line)));
  const own = keepLines(
    trimmed.slice(start, end < 0 ? trimmed.length : end),
    (line) => !BAR.test(line) && !TOOL_LINE.test(line),
  );
  const text = outdent(trimBlankLines(own), GUTTER_CELLS);
  return unwrap(text, cells - MARGIN_CELLS);
}

export const opencodeScreen: ScreenRules = { read, extract };
