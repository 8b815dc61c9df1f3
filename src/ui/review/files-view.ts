/** A suggestion's files with each hunk's status, and the list of suggestions. Makes only the rows in view. Pure. */

import { projectNames } from '../../lib/project-names.ts';
import { widthOf } from '../../lib/width.ts';
import type { Hunk, SuggestionSummary } from '../../protocol/review.ts';
import { listTop, wrapEntries } from '../kit/list.ts';
import { planMenu } from '../kit/menu.ts';
import { foreign, type Row, rowWidth, type Size, span, spread } from '../kit/row.ts';
import { type Tally, tallyRow } from '../kit/tally.ts';
import type { Role } from '../kit/theme/role.ts';
import type { Theme } from '../kit/theme/theme.ts';
import { count, formatMoment } from '../kit/time.ts';
import type { ReviewFile } from './files.ts';
import { type LineCounts, sizeRow } from './sizes.ts';

export interface FilesFacts {
  readonly files: readonly ReviewFile[];
  readonly selected: number;
  readonly isFocused: boolean;
  readonly tallyOf: (hunks: readonly Hunk[]) => Tally;
  readonly isSeen: (hunk: Hunk) => boolean;
  readonly sizeOf: (hunks: readonly Hunk[]) => LineCounts;
}

/** The first file in view. */
export function filesTop(selected: number, total: number, rows: number): number {
  return listTop(selected - Math.floor(rows / 2), selected, total, rows);
}

/** The visible files. */
export function planReviewFiles(facts: FilesFacts, size: Size, theme: Theme): readonly Row[] {
  const { files, selected } = facts;
  const top = filesTop(selected, files.length, size.rows);
  const visible = files.slice(top, top + size.rows);
  if (theme.options.plain) {
    const rows = visible.map((file, index): Row => {
      const fate = fateOf(file, facts, Number.POSITIVE_INFINITY, theme);
      return [span(top + index === selected ? '> ' : '  '), foreign(file.name), span(', '), ...fate];
    });
    return wrapEntries(rows, selected - top, size);
  }
  return visible.map((file, index) => {
    const isMarked = top + index === selected;
    const fate: Row = [...fateOf(file, facts, size.columns, theme), span(' ')];
    const room = size.columns - rowWidth(fate) - POINTER_CELLS - 1;
    const left: Row = [
      span(`${isMarked ? theme.glyphs.pointer : ' '} `, isMarked && facts.isFocused ? 'rule-active' : 'text'),
      ...fileName(file.name, room, isMarked ? 'selected' : nameRole(file, facts), theme),
    ];
    return spread(left, fate, size.columns, theme);
  });
}

const POINTER_CELLS = 2;
/** Least cells of a name; line counts are shown only if they leave that much. */
const NAME_MIN_CELLS = 14;

/** Completely seen files are dim. */
function nameRole({ hunks }: ReviewFile, { isSeen }: FilesFacts): Role {
  return hunks.every(isSeen) ? 'dim' : 'text';
}

/** The end of a path says more than its beginning. */
function fileName(name: string, room: number, role: Role, theme: Theme): Row {
  const shown = foreign(name, role);
  if (widthOf(shown.text) <= Math.max(NAME_MIN_CELLS, room)) return [shown];
  const parts = shown.text.split('/');
  while (parts.length > 1 && widthOf(parts.join('/')) > room - 2) parts.shift();
  const isCut = parts.length < shown.text.split('/').length;
  return isCut ? [span(`${theme.glyphs.ellipsis}/${parts.join('/')}`, role)] : [shown];
}

const KINDS = {
  create: ['A', 'new', 'added'],
  delete: ['D', 'deleted', 'removed'],
  rename: ['R', 'renamed', 'changed'],
} as const satisfies Partial<Record<Hunk['kind'], readonly [string, string, Role]>>;

/** `A`, `D` or `R`, as in git, for a file that is new, deleted or renamed. */
function kindSpans({ hunks }: ReviewFile, theme: Theme): Row {
  for (const [kind, [sign, word, role]] of Object.entries(KINDS))
    if (hunks.some((hunk) => hunk.kind === kind))
      return theme.options.plain ? [span(`${word}, `)] : [span(`${sign} `, role)];
  return [];
}

/** `+12 -3 A ◌11`: the lines that it changes, its kind, and the number of its hunks by status. */
function fateOf(file: ReviewFile, facts: FilesFacts, columns: number, theme: Theme): Row {
  const fate = [...kindSpans(file, theme), ...tallyRow(facts.tallyOf(file.hunks), theme, 'nonzero')];
  const lines = sizeRow(facts.sizeOf(file.hunks));
  const needed = rowWidth(lines) + rowWidth(fate) + POINTER_CELLS + 3;
  if (lines.length === 0 || columns - needed < NAME_MIN_CELLS) return fate;
  return [...lines, span(theme.options.plain ? ', ' : ' '), ...fate];
}

/** The waiting suggestions, newest first. */
export function planSuggestions(
  suggestions: readonly SuggestionSummary[],
  marked: number,
  now: number,
  size: Size,
  theme: Theme,
): readonly Row[] {
  const projectOf = projectNames(suggestions.map(({ target }) => target));
  const entries = suggestions.map((suggestion) => ({
    left: [
      span(`${formatMoment(suggestion.createdAt, now)}  `, 'dim'),
      suggestion.description === '' ? span('(no description)', 'dim') : foreign(firstLine(suggestion)),
      ...(suggestion.author === null ? [] : [span(' '), foreign(suggestion.author, 'dim')]),
    ],
    right: [
      foreign(projectOf(suggestion.target), 'dim'),
      span(`  ${count(suggestion.files.length, 'file')}  `, 'dim'),
      span(`${suggestion.decidedCount}/${suggestion.hunkCount}`, 'key'),
    ],
  }));
  return planMenu(entries, marked, size, theme);
}

/** A suggestion's name: the first line of its description. */
export const firstLine = ({ description }: SuggestionSummary): string => description.split('\n')[0] ?? '';
