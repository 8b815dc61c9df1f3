/** Which panes of the Responses screen are visible at a size, and where. Pure. */
import type { Region } from '../kit/layout.ts';
import type { Size } from '../kit/row.ts';

export type Focus = 'list' | 'reading' | 'draft';

/** From this width on, response and draft are side by side. */
const SIDE_BY_SIDE_MIN_COLUMNS = 110;
/** A screen reader reads line by line, so in plain mode nothing may be side by side. */
export const PLAIN_MAX_COLUMNS = SIDE_BY_SIDE_MIN_COLUMNS - 1;
/** From this many rows on, the response is above the draft. */
const STACKED_MIN_ROWS = 24;
/** The list stays visible above the focused pane if that keeps this many rows, including its title. */
const LOWER_MIN_ROWS = 7;
/** The list's height follows its turns within these bounds; a short one leaves room to the response. */
const LIST_MIN_ROWS = 1;
const LIST_MAX_ROWS = 9;

/** The regions by pane; null for one without room now. */
export type ResponsesLayout = Readonly<Record<Focus, Region | null>>;

export interface PaneNeeds {
  readonly focus: Focus;
  /** Which one to show if only response or draft fits. */
  readonly lower: 'reading' | 'draft';
  readonly turns: number;
  /** A closed draft is only its titled rule. */
  readonly isDraftOpen: boolean;
}

/** Lays the panes out in the screen area. */
export function layoutResponses(area: Size, needs: PaneNeeds): ResponsesLayout {
  const { focus, lower, turns } = needs;
  const isDraftOpen = needs.isDraftOpen || focus === 'draft';
  const { columns, rows } = area;
  const region = (y: number, height: number, x = 0, width = columns): Region => ({
    x,
    y: y + 1,
    columns: width,
    rows: Math.max(0, height - 1),
  });
  const most = Math.min(LIST_MAX_ROWS, Math.max(4, Math.floor(rows / 4)));
  const listHeight = Math.min(most, Math.max(LIST_MIN_ROWS, turns)) + 1;
  if (rows - listHeight < LOWER_MIN_ROWS) {
    const only = region(0, rows);
    return { list: null, reading: null, draft: null, [focus]: only };
  }
  const list = region(0, listHeight);
  const rest = rows - listHeight;
  if (columns >= SIDE_BY_SIDE_MIN_COLUMNS && isDraftOpen) {
    const left = Math.floor((columns - 1) / 2);
    return {
      list,
      reading: region(listHeight, rest, 0, left),
      draft: region(listHeight, rest, left + 1, columns - left - 1),
    };
  }
  if (rows >= STACKED_MIN_ROWS) {
    const upper = isDraftOpen ? Math.ceil(rest / 2) : rest - 1;
    return { list, reading: region(listHeight, upper), draft: region(listHeight + upper, rest - upper) };
  }
  const shown = isDraftOpen ? lower : 'reading';
  return { list, reading: null, draft: null, [shown]: region(listHeight, rest) };
}
