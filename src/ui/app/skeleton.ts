/** The first thing on the screen: an empty Responses screen as one string, written before the surface loads. */

import { areaOf, isTooSmall } from '../kit/layout.ts';
import { paintRow, type Row, span } from '../kit/row.ts';
import { planRule } from '../kit/rule.ts';
import { createTheme, type ThemeOptions } from '../kit/theme/theme.ts';
import { layoutResponses } from '../responses/layout.ts';
import { planFooter, planHeader } from './chrome.ts';

const ENTER = '\u001b[?1049h\u001b[?25l\u001b[H\u001b[2J';

/** Alternate screen, hidden cursor, and the chrome; the surface draws over it from the top left corner. */
export function skeletonFrame(columns: number, rows: number, options: ThemeOptions): string {
  if (options.plain || isTooSmall({ columns, rows })) return '';
  const theme = createTheme(options);
  const frame: Row[] = Array.from({ length: rows }, (): Row => []);
  frame[0] = planHeader(
    { active: 'responses', suggestions: 0, changedFiles: 0, openToAll: false, progress: null, pane: null },
    columns,
    theme,
  );
  const area = areaOf({ columns, rows });
  const layout = layoutResponses(area, { focus: 'list', lower: 'reading', turns: 0, isDraftOpen: false });
  if (layout.list !== null)
    frame[layout.list.y] = planRule([span('Responses', 'title')], [], columns, theme, true);
  frame[rows - 2] = planRule([], [], columns, theme, false);
  frame[rows - 1] = planFooter(null, [], null, columns, theme);
  return `${ENTER}${frame.map((row) => paintRow(row, theme)).join('\r\n')}\u001b[H`;
}
