/** Two responses compared, as rows: changed lines with their changed words, and a little context. */

import { append } from '../../lib/append.ts';
import { rowText, wrapLine } from '../../lib/text-layout.ts';
import { widthOf } from '../../lib/width.ts';
import type { ResponseDiff } from '../../responses/core/response-diff.ts';
import { keepEach } from '../kit/memo.ts';
import { markCells, type Row, span } from '../kit/row.ts';
import type { Role } from '../kit/theme/role.ts';
import { count } from '../kit/time.ts';

type DiffLine = ResponseDiff['rows'][number];

/** Unchanged lines shown around a change. */
const CONTEXT_LINES = 3;
/** Sign and blank before each line. */
const SIGN_CELLS = 2;

export type DiffRows = (diff: ResponseDiff, columns: number) => readonly Row[];

/** Makes the planner, which lays out a diff once per width. */
export function createDiffRows(): DiffRows {
  const keep = keepEach<ResponseDiff, readonly Row[]>();
  return (diff, columns) => keep(diff, [columns], () => planDiff(diff, columns));
}

function planDiff(diff: ResponseDiff, columns: number): readonly Row[] {
  const near = nearChanges(diff.rows);
  const rows: Row[] = diff.marked
    ? []
    : [[span('  Too much changed: the words inside lines are not compared.', 'dim')]];
  let skipped = 0;
  const closeGap = (): void => {
    if (skipped > 0) rows.push([span(`  ${count(skipped, 'line')} the same`, 'dim')]);
    skipped = 0;
  };
  diff.rows.forEach((line, index) => {
    if (!near[index]) {
      skipped += 1;
      return;
    }
    closeGap();
    append(rows, lineRows(line, columns));
  });
  closeGap();
  return rows;
}

function nearChanges(rows: readonly DiffLine[]): readonly boolean[] {
  const near = new Array<boolean>(rows.length).fill(false);
  rows.forEach((row, index) => {
    if (row.kind !== 'same') near.fill(true, Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1);
  });
  return near;
}

const SIGNS = { same: ' ', added: '+', removed: '-' } as const;
const LINE_ROLES: Readonly<Record<DiffLine['kind'], Role>> = {
  same: 'dim',
  added: 'added',
  removed: 'removed',
};
const MARK_ROLES: Readonly<Record<DiffLine['kind'], Role>> = {
  same: 'dim',
  added: 'added-word',
  removed: 'removed-word',
};

function lineRows(line: DiffLine, columns: number): readonly Row[] {
  const width = Math.max(1, columns - SIGN_CELLS);
  return wrapLine(line.text, width).map((part, index): Row => {
    let row: Row = [span(rowText(line.text, part, width), LINE_ROLES[line.kind])];
    for (const [start, end] of line.marks) {
      const from = Math.max(start, part.start);
      const to = Math.min(end, part.end);
      if (from >= to) continue;
      const column = (offset: number) => widthOf(rowText(line.text, { ...part, end: offset }));
      row = markCells(row, column(from), column(to), MARK_ROLES[line.kind]);
    }
    return [span(`${index === 0 ? SIGNS[line.kind] : ' '} `, LINE_ROLES[line.kind]), ...row];
  });
}

/** The diff as text, for the clipboard. */
export function diffText(diff: ResponseDiff): string {
  return diff.rows.map((row) => `${SIGNS[row.kind]}${row.text}`).join('\n');
}
