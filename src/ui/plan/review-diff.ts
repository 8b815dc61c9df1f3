/** The rows of a diff that are in view: headers with their fate, notes, lines of one or both sides. Pure. */
import type { Hunk } from '../../protocol/review.ts';
import type { Matcher } from '../screens/responses/search.ts';
import {
  bodyStart,
  type FileLayout,
  linesAt,
  NOTE_INDENT_CELLS,
  type Segment,
  segmentAt,
} from '../screens/review/diff-layout.ts';
import type { HunkDoc } from '../screens/review/hunk-doc.ts';
import type { HunkStatus } from '../screens/review/state.ts';
import type { Role } from '../theme/role.ts';
import type { Theme } from '../theme/theme.ts';
import { planCodeLine } from './code-line.ts';
import { markMatches } from './reading.ts';
import { padRow, type Row, rowPlainText, rowWidth, span, spread } from './row.ts';

export interface DiffFacts {
  readonly layout: FileLayout;
  readonly top: number;
  readonly height: number;
  /** Row of the file under the cursor; null when the diff has no focus. */
  readonly cursor: number | null;
  /** Rows of the file that are selected. */
  readonly selection: { readonly first: number; readonly last: number } | null;
  readonly shift: number;
  /** Changes of blanks alone are drawn as context. */
  readonly quietBlanks: boolean;
  readonly statusOf: (hunk: Hunk) => HunkStatus;
  readonly matcher: Matcher | null;
}

/** Both numbers stand before a line from this width on; below it one. */
const BOTH_NUMBERS_MIN_COLUMNS = 60;

/** The visible rows. */
export function planReviewDiff(facts: DiffFacts, columns: number, theme: Theme): readonly Row[] {
  const rows: Row[] = [];
  const end = Math.min(facts.layout.rows, facts.top + facts.height);
  for (let at = facts.top; at < end; at += 1) {
    const segment = segmentAt(facts.layout, at);
    if (segment !== null) rows.push(planRow(segment, at, facts, columns, theme));
  }
  return rows;
}

function planRow(segment: Segment, at: number, facts: DiffFacts, columns: number, theme: Theme): Row {
  const isCursor = at === facts.cursor;
  const { selection } = facts;
  const isSelected = selection !== null && at >= selection.first && at <= selection.last;
  const isMarked = isCursor || (isSelected && theme.options.depth === 'none');
  const gutter = span(isMarked ? theme.glyphs.bar : ' ', isCursor ? 'rule-active' : 'rule');
  const inHunk = at - segment.start;
  const width = columns - 1;
  if (inHunk === 0) return [gutter, ...headerRow(segment, facts, width, theme)];
  if (inHunk < bodyStart(segment)) {
    const mark = `${theme.glyphs.aside} `.padStart(NOTE_INDENT_CELLS);
    return [gutter, span(mark, 'rule'), ...(segment.notes[inHunk - 1] ?? [])];
  }
  const row =
    facts.layout.sides === 'two'
      ? twoSides(segment, inHunk, facts, width, theme)
      : oneSide(segment, inHunk, facts, width, theme);
  const found = facts.matcher === null ? row : withMatches(row, facts.matcher, isCursor);
  return [gutter, ...(isSelected ? padRow(plainRow(found), width, 'selection') : found)];
}

function plainRow(row: Row): Row {
  return [span(rowPlainText(row), 'selection')];
}

function withMatches(row: Row, matcher: Matcher, isCurrent: boolean): Row {
  return markMatches(row, rowPlainText(row), matcher, isCurrent);
}

const STATUS_ROLES: Readonly<Record<HunkStatus, Role>> = {
  pending: 'dim',
  accepted: 'ok',
  rejected: 'error',
  modified: 'ok',
  conflict: 'warn',
  already_applied: 'dim',
};

const STATUS_WORDS: Readonly<Record<HunkStatus, string>> = {
  pending: 'open',
  accepted: 'accepted',
  rejected: 'rejected',
  modified: 'modified',
  conflict: 'conflict',
  already_applied: 'there already',
};

/** The sign of a fate. */
export function statusSpan(status: HunkStatus, theme: Theme): Row[number] {
  return span(glyphOf(status, theme), STATUS_ROLES[status]);
}

function glyphOf(status: HunkStatus, { glyphs }: Theme): string {
  return status === 'already_applied' ? glyphs.applied : glyphs[status];
}

function headerRow(segment: Segment, facts: DiffFacts, columns: number, theme: Theme): Row {
  const { hunk, doc, index } = segment;
  const status = facts.statusOf(hunk);
  const what = doc.ranges === '' ? hunk.kind : `@@ ${doc.ranges.replace('→', theme.glyphs.arrow)} @@`;
  const kind = doc.ranges === '' || hunk.kind === 'text' ? '' : ` ${hunk.kind}`;
  const part = hunk.parent === null ? '' : ' part';
  const fallback = doc.isSpent() ? ' words of later lines not compared' : '';
  const left: Row = [span(what, 'heading'), span(`${kind}${part}${fallback}`, 'dim')];
  const place = `${index + 1} of ${facts.layout.segments.length}`;
  const right: Row = [
    span(`${glyphOf(status, theme)} ${STATUS_WORDS[status]}`, STATUS_ROLES[status]),
    span(`  ${place} `, 'dim'),
  ];
  return spread(left, right, columns, theme.glyphs.ellipsis);
}

const SIGNS = { same: ' ', removed: '-', added: '+', words: ' ', title: ' ' } as const;
const ROLES = {
  same: 'text',
  removed: 'removed',
  added: 'added',
  words: 'strong',
  title: 'heading',
} as const;
const WORD_ROLES = {
  same: 'text',
  removed: 'removed-word',
  added: 'added-word',
  words: 'strong',
  title: 'heading',
} as const;

function oneSide(segment: Segment, inHunk: number, facts: DiffFacts, columns: number, theme: Theme): Row {
  const { doc } = segment;
  const [index = -1] = linesAt(segment, inHunk, 'one');
  const line = doc.lines[index];
  if (line === undefined) return [];
  if (line.body === 0) return fullWidth(doc, index, facts, columns, theme);
  const number = (value: number | null) => String(value ?? '').padStart(doc.numberCells);
  const numbers =
    columns >= BOTH_NUMBERS_MIN_COLUMNS
      ? `${number(line.before)} ${number(line.after)} `
      : `${number(line.after ?? line.before)} `;
  const head: Row = [span(numbers, 'dim'), span(`${SIGNS[line.op]} `, ROLES[line.op])];
  return [...head, ...textCells(doc, index, facts, columns - rowWidth(head), theme)];
}

/** What is no line of the hunk has no numbers: words, headings, the parts of a conflict. */
function fullWidth(doc: HunkDoc, index: number, view: TextView, columns: number, theme: Theme): Row {
  const line = doc.lines[index];
  if (line === undefined) return [];
  if (line.op === 'words' || line.op === 'title') return textCells(doc, index, view, columns, theme);
  return [span(`${SIGNS[line.op]} `, ROLES[line.op]), ...textCells(doc, index, view, columns - 2, theme)];
}

function twoSides(segment: Segment, inHunk: number, facts: DiffFacts, columns: number, theme: Theme): Row {
  const { doc } = segment;
  const pair = doc.pairs()[inHunk - bodyStart(segment)];
  if (pair === undefined) return [];
  const line = doc.lines[pair.left];
  if (line !== undefined && line.body === 0) return fullWidth(doc, pair.left, facts, columns, theme);
  const left = Math.floor((columns - 1) / 2);
  return [
    ...padRow(sideCells(doc, pair.left, 'before', facts, left, theme), left),
    span(theme.glyphs.vertical, 'rule'),
    ...sideCells(doc, pair.right, 'after', facts, columns - left - 1, theme),
  ];
}

function sideCells(
  doc: HunkDoc,
  index: number,
  side: 'before' | 'after',
  view: TextView,
  columns: number,
  theme: Theme,
): Row {
  const line = doc.lines[index];
  if (line === undefined) return [];
  const number = `${String(line[side] ?? '').padStart(doc.numberCells)} `;
  const head: Row = [span(number, 'dim'), span(`${SIGNS[line.op]} `, ROLES[line.op])];
  return [...head, ...textCells(doc, index, view, columns - rowWidth(head), theme)];
}

/** How the text of a line is looked at. */
type TextView = Pick<DiffFacts, 'shift' | 'quietBlanks'>;

/** What stands behind the text of a line whose file ends in it. */
const OPEN_END = ' (no line end)';

function textCells(doc: HunkDoc, index: number, view: TextView, columns: number, theme: Theme): Row {
  const line = doc.lines[index];
  if (line === undefined) return [];
  const isQuiet = view.quietBlanks && line.body > 0 && doc.isBlankChange(index);
  const row = planCodeLine(
    {
      text: line.text,
      marks: line.body === 0 || isQuiet ? [] : doc.marksOf(index),
      role: isQuiet ? 'dim' : ROLES[line.op],
      markRole: WORD_ROLES[line.op],
      showBlanks: !isQuiet && (line.op === 'added' || line.op === 'removed'),
    },
    view.shift,
    columns,
    theme,
  );
  return line.isOpenEnd && rowWidth(row) + OPEN_END.length <= columns ? [...row, span(OPEN_END, 'dim')] : row;
}
