/** The files of a suggestion with the fate of each hunk, and the list of suggestions: only the rows in view. Pure. */
import type { Hunk, SuggestionSummary } from '../../protocol/review.ts';
import { listTop } from '../kit/list.ts';
import { planMenu } from '../kit/menu.ts';
import { foreign, type Row, type Size, span, spread } from '../kit/row.ts';
import { type HunkStatus, statusSpan, type Tally, tallyRow } from '../kit/tally.ts';
import type { Role } from '../kit/theme/role.ts';
import type { Theme } from '../kit/theme/theme.ts';
import { count, formatMoment } from '../kit/time.ts';
import type { ReviewFile } from './files.ts';

/** More hunks than this are counted, not shown one by one. */
const SIGNS_MAX = 12;

export interface FilesFacts {
  readonly files: readonly ReviewFile[];
  readonly selected: number;
  readonly isFocused: boolean;
  readonly statusOf: (hunk: Hunk) => HunkStatus;
  readonly tallyOf: (hunks: readonly Hunk[]) => Tally;
  readonly isSeen: (hunk: Hunk) => boolean;
}

/** The first file in view. */
export function filesTop(selected: number, total: number, rows: number): number {
  return listTop(selected - Math.floor(rows / 2), selected, total, rows);
}

/** The visible files. */
export function planReviewFiles(facts: FilesFacts, size: Size, theme: Theme): readonly Row[] {
  const { files, selected } = facts;
  const top = filesTop(selected, files.length, size.rows);
  return files.slice(top, top + size.rows).map((file, index) => {
    const isMarked = top + index === selected;
    const left: Row = [
      span(`${isMarked ? theme.glyphs.pointer : ' '} `, isMarked && facts.isFocused ? 'rule-active' : 'text'),
      ...fileName(file.name, size.columns, isMarked ? 'selected' : nameRole(file, facts), theme),
    ];
    return spread(left, [...fateOf(file, facts, theme), span(' ')], size.columns, theme.glyphs.ellipsis);
  });
}

/** What was seen to the end stands back. */
function nameRole({ hunks }: ReviewFile, { isSeen }: FilesFacts): Role {
  return hunks.every(isSeen) ? 'dim' : 'text';
}

/** The end of a path says more than its beginning. */
function fileName(name: string, columns: number, role: Role, theme: Theme): Row {
  const shown = foreign(name, role);
  const room = Math.max(12, columns - 12);
  if (shown.text.length <= room) return [shown];
  const parts = shown.text.split('/');
  while (parts.length > 1 && parts.join('/').length > room - 2) parts.shift();
  return [span(`${theme.glyphs.ellipsis}/${parts.join('/')}`, role)];
}

function fateOf(file: ReviewFile, facts: FilesFacts, theme: Theme): Row {
  if (file.hunks.length <= SIGNS_MAX && !theme.options.plain) {
    return file.hunks.flatMap((hunk) => [span(' '), statusSpan(facts.statusOf(hunk), theme)]);
  }
  return tallyRow(facts.tallyOf(file.hunks), theme, 'nonzero');
}

/** The suggestions that wait, newest first. */
export function planSuggestions(
  suggestions: readonly SuggestionSummary[],
  marked: number,
  now: number,
  size: Size,
  theme: Theme,
): readonly Row[] {
  const entries = suggestions.map((suggestion) => ({
    left: [
      span(`${formatMoment(suggestion.createdAt, now)}  `, 'dim'),
      suggestion.description === '' ? span('(no description)', 'dim') : foreign(firstLine(suggestion)),
      ...(suggestion.author === null ? [] : [span(' '), foreign(suggestion.author, 'dim')]),
    ],
    right: [
      foreign(folderName(suggestion.target), 'dim'),
      span(`  ${count(suggestion.files.length, 'file')}  `, 'dim'),
      span(`${suggestion.decidedCount}/${suggestion.hunkCount}`, 'key'),
    ],
  }));
  return planMenu(entries, marked, size, theme);
}

/** What a suggestion is called: the first line of its description. */
export function firstLine({ description }: SuggestionSummary): string {
  return description.split('\n')[0] ?? '';
}

/** The last part of a path. */
export function folderName(folder: string): string {
  return folder.slice(folder.lastIndexOf('/') + 1);
}
