/** A diff's rows in view: headers with status, notes, lines of one or both sides. Pure. */
import type { Hunk } from '../../protocol/review.ts';
import { foreign, padRow, type Row, rowPlainText, span, spread } from '../kit/row.ts';
import { type Matcher, markMatches } from '../kit/search.ts';
import { type HunkStatus, STATUS_WORDS, statusSpan, tallyRow } from '../kit/tally.ts';
import type { Theme } from '../kit/theme/theme.ts';
import { count } from '../kit/time.ts';
import { type FileLayout, segmentAt } from './diff-layout.ts';
import type { FilesFacts } from './files-view.ts';
import { countLines, type HunkColors, type HunkDoc } from './hunk-doc.ts';
import { type LineView, planLine, planPair } from './line-view.ts';
import { NOTE_INDENT_CELLS } from './remarks.ts';
import { bodyStart, type Segment } from './segment.ts';
import { sizeRow } from './sizes.ts';

export interface DiffFacts {
  readonly layout: FileLayout;
  readonly top: number;
  readonly height: number;
  /** The cursor's row in the file; null if the diff has no focus. */
  readonly cursor: number | null;
  /** The selected rows of the file. */
  readonly selection: { readonly first: number; readonly last: number } | null;
  readonly line: Omit<LineView, 'colors' | 'numberCells' | 'moved'>;
  readonly foldKey: string;
  readonly colorsOf: (hunk: Hunk) => HunkColors | null;
  readonly isSeen: (hunk: Hunk) => boolean;
  readonly statusOf: (hunk: Hunk) => HunkStatus;
  readonly tallyOf: FilesFacts['tallyOf'];
  readonly sizeOf: FilesFacts['sizeOf'];
  readonly matcher: Matcher | null;
}

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
  if (inHunk < bodyStart(segment)) return [gutter, ...aside(segment.notes[inHunk - 1] ?? [], theme)];
  const place = segment.body.at(inHunk - bodyStart(segment));
  if (place === null) return [gutter];
  if (place.kind === 'remark') return [gutter, ...aside(place.row, theme)];
  const colors = facts.colorsOf(segment.hunk);
  const view: LineView = {
    ...facts.line,
    numberCells: facts.layout.numberCells,
    colors: colors !== null && 'lines' in colors ? colors.lines : [],
    moved: segment.moved,
  };
  const drawn = { doc: segment.doc, view, theme };
  const pair = facts.layout.sides === 'two' ? segment.doc.pairs(segment.pairing)[place.entry] : undefined;
  const row =
    pair === undefined
      ? planLine(drawn, { index: place.entry, part: place.part }, width)
      : planPair(drawn, { ...pair, part: place.part }, width);
  const found = facts.matcher === null ? row : markMatches(row, rowPlainText(row), facts.matcher, isCursor);
  return [gutter, ...(isSelected ? padRow(plainRow(found), width, 'selection') : found)];
}

/** A remark on the lines above. */
function aside(row: Row, theme: Theme): Row {
  return [span(`${theme.glyphs.aside} `.padStart(NOTE_INDENT_CELLS), 'rule'), ...row];
}

const plainRow = (row: Row): Row => [span(rowPlainText(row), 'selection')];

/** What a folded header hides, and the key that shows it. */
function foldedWords({ diff }: Hunk, doc: HunkDoc, { line, foldKey }: DiffFacts): Row {
  const why = line.quietBlanks && doc.isBlankOnly() ? 'whitespace only, ' : '';
  return [span('  '), ...sizeRow(countLines(diff)), span(`  ${why}folded; ${foldKey} unfolds`, 'dim')];
}

/** A file folded to one row: what it hides, and its decisions. */
function fileRow(hunks: readonly Hunk[], facts: DiffFacts, columns: number, theme: Theme): Row {
  const kinds = new Set(hunks.map(({ kind }) => kind).filter((kind) => kind !== 'text'));
  const words = [count(hunks.length, 'hunk'), ...kinds].join(', ');
  const left = [
    span(words, 'heading'),
    span('  '),
    ...sizeRow(facts.sizeOf(hunks)),
    span(`  folded; ${facts.foldKey} unfolds`, 'dim'),
  ];
  const news = [
    ...(hunks.some(({ isNew }) => isNew === true) ? ['new  '] : []),
    ...(hunks.every(facts.isSeen) ? [`${theme.glyphs.seen} seen  `] : []),
  ];
  const right = [span(news.join(''), 'dim'), ...tallyRow(facts.tallyOf(hunks), theme, 'nonzero'), span(' ')];
  return spread(left, right, columns, theme);
}

function headerRow(segment: Segment, facts: DiffFacts, columns: number, theme: Theme): Row {
  const { oneRow } = facts.layout;
  if (oneRow !== null) return fileRow(oneRow, facts, columns, theme);
  const { hunk, doc, index } = segment;
  const status = facts.statusOf(hunk);
  const what = doc.ranges === '' ? hunk.kind : `@@ ${doc.ranges.replace('→', theme.glyphs.arrow)} @@`;
  const kind = doc.ranges === '' || hunk.kind === 'text' ? '' : ` ${hunk.kind}`;
  const part = hunk.parent === null ? '' : ' part';
  const colors = facts.colorsOf(hunk);
  const uncolored = colors !== null && 'why' in colors ? ` ${colors.why}` : '';
  const fallback = `${doc.isSpent() ? ' words of later lines not compared' : ''}${uncolored}`;
  const section = doc.section === '' ? [] : [foreign(` ${doc.section}`, 'dim')];
  const left: Row = [
    span(what, 'heading'),
    ...(segment.isFolded ? foldedWords(hunk, doc, facts) : []),
    span(`${kind}${part}${fallback}`, 'dim'),
    ...section,
  ];
  const place = `${index + 1} of ${facts.layout.segments.length}`;
  const news = [
    ...(hunk.version === undefined ? [] : [`since version ${hunk.version}  `]),
    ...(hunk.isNew === true ? ['new  '] : []),
    ...(facts.isSeen(hunk) ? [`${theme.glyphs.seen} seen  `] : []),
  ];
  const sign = statusSpan(status, theme);
  const right: Row = [
    span(news.join(''), 'dim'),
    span(`${sign.text} ${STATUS_WORDS[status]}`, sign.role),
    span(`  ${place} `, 'dim'),
  ];
  return spread(left, right, columns, theme);
}
