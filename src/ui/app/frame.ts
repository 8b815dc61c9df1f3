/**
 * State and data → exactly the rows of the terminal. Composes header, screen area, toast and footer; every
 * size works, and below the smallest there is one line that says so.
 */
import { widthOf } from '../../lib/width.ts';
import { areaOf, isTooSmall } from '../kit/layout.ts';
import type { Picture, Toast } from '../kit/model.ts';
import {
  type CursorCell,
  fillRows,
  fitRow,
  foreign,
  type Row,
  type Size,
  span,
  wrapWords,
} from '../kit/row.ts';
import { planRule } from '../kit/rule.ts';
import type { Role } from '../kit/theme/role.ts';
import type { Theme } from '../kit/theme/theme.ts';
import { formatAge } from '../kit/time.ts';
import { paneKey } from '../responses/port.ts';
import { type HeaderFacts, paneName, planFooter, planHeader } from './chrome.ts';
import { footerHints, footerMode } from './hints.ts';
import type { AppFacts } from './model.ts';
import { overlayView } from './overlay-content.ts';
import { overlayTop } from './overlay-view.ts';
import { SCREENS } from './screens.ts';
import type { AnyPrompt, AppState } from './state.ts';

/** The whole screen: exactly the rows of the terminal. `[from, to)` of them are the screen area. */
export interface Frame extends Picture {
  readonly area: { readonly from: number; readonly to: number };
}

/** The frame for a state. */
export function planFrame(state: AppState, facts: AppFacts, theme: Theme): Frame {
  const { size } = state;
  if (isTooSmall(size)) return { rows: tooSmall(size, theme), cursor: null, area: { from: 0, to: 0 } };
  const area = areaOf(size);
  const body = planArea(state, facts, area, theme);
  const header = planHeader(headerFacts(state, facts), size.columns, theme);
  const { hints, pinned } = footerHints(state, facts);
  const footer = planFooter(footerMode(state), hints, pinned, size.columns, theme);
  const search = state.overlay?.kind === 'prompt' ? promptLine(state.overlay, size, theme) : null;
  const status = search === null ? planStatus(state, facts, size.columns, theme) : [search.row];
  const rows = [header, ...fillRows(body.rows, area.rows + 1 - status.length), ...status, footer];
  const cursor = search?.cursor ?? (body.cursor === null ? null : { x: body.cursor.x, y: body.cursor.y + 1 });
  return {
    rows: rows.map((row) => fitRow(row, size.columns, theme.glyphs.ellipsis)),
    cursor,
    area: { from: 1, to: 1 + area.rows },
  };
}

function tooSmall(size: Size, theme: Theme): readonly Row[] {
  const words = `copane needs 30x8, this is ${size.columns}x${size.rows}`;
  return fillRows(
    [fitRow([span(words, 'warn')], size.columns, theme.glyphs.ellipsis)],
    Math.max(1, size.rows),
  );
}

function outOfFocus(rows: readonly Row[]): readonly Row[] {
  return rows.map((row) => row.map(({ text }) => span(text, 'dim')));
}

/** The screen area: the screen, and what lies over it. */
function planArea(state: AppState, facts: AppFacts, area: Size, theme: Theme): Picture {
  const screen = SCREENS[state.screen];
  const inner = { columns: area.columns, rows: area.rows - 1 };
  const view = overlayView(state, facts, inner, theme);
  if (view === null) return screen.plan(state, facts, area, theme);
  const rule = planRule([foreign(view.title, 'title')], view.remark, area.columns, theme, true);
  const cursor: CursorCell | null =
    state.overlay?.kind === 'palette' && !theme.options.plain
      ? { x: Math.min(area.columns - 1, widthOf(`${theme.glyphs.horizontal} ${view.title}`)), y: 0 }
      : null;
  const top = theme.options.plain ? 0 : overlayTop(view, area.rows);
  const above = top === 0 ? [] : fillRows(screen.plan(state, facts, area, theme).rows, top);
  return { rows: [...outOfFocus(above), rule, ...fillRows(view.rows, inner.rows - top)], cursor };
}

/** What the first row tells. */
export function headerFacts(state: AppState, facts: AppFacts): HeaderFacts {
  const { panes, selected, status } = facts.view;
  const pane = panes.find((candidate) => paneKey(candidate.identity) === selected);
  return {
    active: state.screen,
    suggestions: facts.review.suggestions.filter(({ status: how }) => how !== 'complete').length,
    openToAll: facts.notices.openToAll,
    progress: facts.notices.progress?.message ?? null,
    pane:
      pane === undefined
        ? null
        : {
            name: paneName(pane.cli),
            state: status.state,
            ageMs: status.since === null ? null : facts.now - status.since,
            othersWaiting: panes.some((other) => other !== pane && other.state === 'waiting'),
          },
  };
}

const TONE_ROLES: Readonly<Record<Toast['tone'], Role>> = {
  info: 'text',
  ok: 'ok',
  warn: 'warn',
  error: 'error',
};

/** What takes longer than this shows that it is under way. */
const BUSY_AFTER_MS = 200;

/** A toast that nobody has seen yet may cover so many rows of the area. */
const TOAST_MAX_ROWS = 4;

/** The row above the footer: what is under way, what was said, or a rule. */
function planStatus(state: AppState, facts: AppFacts, columns: number, theme: Theme): readonly Row[] {
  const { toast, busy } = state;
  if (busy !== null && facts.now - busy.since >= BUSY_AFTER_MS) {
    return [[span(' '), foreign(busy.what, 'working'), span(` ${formatAge(facts.now - busy.since)}`, 'dim')]];
  }
  if (toast === null) return [theme.options.plain ? [] : planRule([], [], columns, theme, false)];
  const words = foreign(toast.text).text;
  const rows = wrapWords(words, Math.max(10, columns - 2), TONE_ROLES[toast.tone]);
  // What does not fit is said by an ellipsis, never left out in silence: the last row is longer than the terminal.
  const kept = rows.slice(0, TOAST_MAX_ROWS);
  const rest = rows
    .slice(TOAST_MAX_ROWS - 1)
    .flatMap((row, index) => (index === 0 ? row : [span(' '), ...row]));
  const whole = rows.length > TOAST_MAX_ROWS ? kept.with(-1, rest) : kept;
  const shown = toast.isFolded ? [[span(words, TONE_ROLES[toast.tone])]] : whole;
  return shown.map((row) => [span(' '), ...row]);
}

function promptLine(
  { query, sign }: AnyPrompt,
  size: Size,
  theme: Theme,
): { readonly row: Row; readonly cursor: CursorCell } {
  const row: Row = [span(sign ?? (theme.options.plain ? 'Search: ' : '/'), 'key'), foreign(query)];
  const x = Math.min(
    size.columns - 1,
    row.reduce((sum, part) => sum + widthOf(part.text), 0),
  );
  return { row, cursor: { x, y: size.rows - 2 } };
}
