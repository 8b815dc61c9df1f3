/** One mouse event → the next state, by what is in its cell. Pure. */

import { widthOf } from '../../lib/width.ts';
import { areaOf, isTooSmall } from '../kit/layout.ts';
import { menuTop } from '../kit/menu.ts';
import type { MouseEvent } from '../kit/mouse/mouse-event.ts';
import type { Cell, Spot } from '../kit/mouse/spot.ts';
import type { Row, Span } from '../kit/row.ts';
import { createTheme } from '../kit/theme/theme.ts';
import { planFooter, planHeader } from './chrome.ts';
import { contextsOf } from './contexts.ts';
import { headerFacts } from './frame.ts';
import { footerHints, footerMode } from './hints.ts';
import type { Action } from './key-table.ts';
import { type AppFacts, type AppOutcome, done } from './model.ts';
import { overlayView } from './overlay-content.ts';
import { overlayTop } from './overlay-view.ts';
import { SCREENS } from './screens.ts';
import type { AppState } from './state.ts';

/** Rows per notch of the wheel. */
const WHEEL_ROWS = 3;

/** Handles one event. */
export function handleMouse(state: AppState, event: MouseEvent, facts: AppFacts): AppOutcome {
  const spot = isTooSmall(state.size) ? null : spotAt(state, facts, event.cell);
  switch (event.kind) {
    case 'press':
      return spot?.press?.() ?? done(state);
    case 'drag':
      return spot?.drag?.() ?? done(state);
    case 'wheel':
      return spot?.wheel?.(event.direction * WHEEL_ROWS) ?? done(state);
  }
}

function spotAt(state: AppState, facts: AppFacts, { x, y }: Cell): Spot<AppOutcome> | null {
  const area = areaOf(state.size);
  if (y === 0) return headerSpot(state, facts, x);
  if (y === state.size.rows - 1) return footerSpot(state, facts, x);
  // The row above the footer shows a message and does nothing.
  if (y > area.rows) return null;
  const cell = { x, y: y - 1 };
  const { overlay } = state;
  // A line or box with the cursor keeps the keys; the screen above it is only for viewing.
  if (overlay?.kind === 'prompt' || overlay?.kind === 'comment') return null;
  if (overlay !== null) return overlaySpot(state, facts, cell);
  return SCREENS[state.screen].spotAt(state, facts, cell);
}

/** Cells do not depend on colours; the screen reader mode has no mouse. */
const CELLS = createTheme({ depth: 'none', background: 'dark', ascii: false, plain: false });

/** What is in a cell of an overlay. The mouse marks, chooses and scrolls; it answers no question and sends nothing. */
function overlaySpot(state: AppState, facts: AppFacts, cell: Cell): Spot<AppOutcome> {
  const { overlay } = state;
  const scrolls = overlay !== null && 'top' in overlay;
  const [down, up]: readonly Action[] =
    overlay?.kind === 'palette' ? ['filter/down', 'filter/up'] : ['move/down', 'move/up'];
  const wheel = (rows: number): AppOutcome => {
    const action = rows > 0 ? down : up;
    const steps = scrolls ? Math.abs(rows) : 1;
    let next = state;
    for (let step = 0; step < steps && action !== undefined; step += 1)
      next = facts.run(next, action, contextsOf(next, facts)).state;
    return done(next);
  };
  return { wheel, ...menuSpot(state, facts, cell) };
}

function menuSpot(state: AppState, facts: AppFacts, { y }: Cell): Spot<AppOutcome> {
  const { overlay } = state;
  const area = areaOf(state.size);
  const view = overlayView(state, facts, { columns: area.columns, rows: area.rows - 1 }, CELLS);
  if (overlay === null || view === null || view.menu === null || !('cursor' in overlay)) return {};
  const { total, cursor } = view.menu;
  const row = y - overlayTop(view, area.rows) - 1;
  const index = menuTop(cursor, total, area.rows - 1) + row;
  const choose: Action = overlay.kind === 'palette' ? 'filter/choose' : 'menu/choose';
  return {
    press: () => {
      // Outside a menu that leaves the screen visible: like Esc.
      if (row < -1) return done({ ...state, overlay: null });
      if (row < 0 || index >= total) return done(state);
      return index === cursor
        ? facts.run(state, choose, contextsOf(state, facts))
        : done({ ...state, overlay: { ...overlay, cursor: index } });
    },
  };
}

const TAB_ACTIONS: readonly Action[] = ['screen/responses', 'screen/review', 'screen/agent', 'screen/shell'];

/** A tab, according to the planned row. */
function headerSpot(state: AppState, facts: AppFacts, x: number): Spot<AppOutcome> | null {
  const part = partAt(planHeader(headerFacts(state, facts), state.size.columns, CELLS), x);
  if (part === null || (part.span.role !== 'tab' && part.span.role !== 'tab-active')) return null;
  const action = TAB_ACTIONS[Number(part.span.text[0]) - 1];
  // Under an overlay or during typing, a click on a tab does nothing.
  if (action === undefined || state.overlay !== null) return null;
  return { press: () => facts.run(SCREENS[state.screen].leave(state), action, ['app']) };
}

/** A key in the footer, according to the planned row. */
function footerSpot(state: AppState, facts: AppFacts, x: number): Spot<AppOutcome> | null {
  const { hints, pinned } = footerHints(state, facts);
  const row = planFooter(footerMode(state), hints, pinned, state.size.columns, CELLS);
  const part = partAt(row, x);
  if (part === null) return null;
  // A hint: a key, then its word.
  const isOf = (index: number) => row.slice(0, index + 1).filter(({ role }) => role === 'key').length - 1;
  const shown = row.filter(({ role }) => role === 'key').length;
  const at = isOf(part.index);
  const hint = pinned !== null && at === shown - 1 ? pinned : hints[at];
  if (hint === undefined || SENDING.has(hint.action)) return null;
  return { press: () => facts.run({ ...state, chord: [] }, hint.action, contextsOf(state, facts)) };
}

/** Actions that send something out of copane, which need a key, not a click. */
const SENDING: ReadonlySet<Action> = new Set<Action>([
  'preview/send',
  'answer/choose',
  'confirm/yes',
  'confirm/enter',
]);

function partAt(row: Row, x: number): { readonly span: Span; readonly index: number } | null {
  let from = 0;
  for (const [index, part] of row.entries()) {
    const to = from + widthOf(part.text);
    if (x >= from && x < to) return part.text.trim() === '' ? null : { span: part, index };
    from = to;
  }
  return null;
}
