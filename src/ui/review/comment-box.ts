/** The comment box: below the diff, as high as its text, at most half of the screen. Pure. */

import { editorRowCount, editorSpans, planEditor } from '../kit/editor.ts';
import { areaOf } from '../kit/layout.ts';
import { type Pane, widePane } from '../kit/pane.ts';
import { foreign, span } from '../kit/row.ts';
import { planRule } from '../kit/rule.ts';
import type { Theme } from '../kit/theme/theme.ts';
import type { ReviewFacts, ReviewModel } from './model.ts';

/** Text rows available at first. */
const TEXT_MIN_ROWS = 3;

/** Rows of the box with its titled rule; 0 if no comment is being written. */
export function commentRowsOf({ overlay, size }: ReviewModel, facts: Pick<ReviewFacts, 'spansAt'>): number {
  if (overlay?.kind !== 'comment') return 0;
  const most = Math.max(TEXT_MIN_ROWS, Math.floor(areaOf(size).rows / 2) - 1);
  const spansOf = editorSpans(size.columns, facts);
  return 1 + editorRowCount(overlay.editor, spansOf, { least: TEXT_MIN_ROWS, most });
}

/** The box to draw, with its rule in row `y` of the area. */
export function planCommentBox(state: ReviewModel, facts: ReviewFacts, y: number, theme: Theme): Pane | null {
  const { overlay, size } = state;
  if (overlay?.kind !== 'comment') return null;
  const { columns } = size;
  const height = commentRowsOf(state, facts) - 1;
  const { rows, cursor } = planEditor(overlay.editor, editorSpans(columns, facts), { columns, height });
  const title = [span('Comment on '), foreign(overlay.where, 'title')];
  const head = planRule(title, [], columns, theme, true);
  return { ...widePane(y, { columns, rows: height }, { head, rows }), cursor };
}
