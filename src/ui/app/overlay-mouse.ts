/**
 * The mouse in what lies over the screen: it marks entries of menus, chooses a marked one, and scrolls. It answers
 * no question and sends nothing: that is for a key. Pure.
 */
import { areaOf } from '../kit/layout.ts';
import { menuTop } from '../kit/menu.ts';
import type { Cell, Spot } from '../kit/mouse/spot.ts';
import { createTheme } from '../kit/theme/theme.ts';
import { contextsOf } from './contexts.ts';
import type { Action } from './key-table.ts';
import { type AppFacts, type AppOutcome, done } from './model.ts';
import { overlayView } from './overlay-content.ts';
import { overlayTop } from './overlay-view.ts';
import type { AppState } from './state.ts';

/** Rows do not depend on colours; a screen reader's mode has no mouse. */
const ROWS = createTheme({ depth: 'none', background: 'dark', ascii: false, plain: false });

/** What stands in a cell of the screen area below what is open. */
export function overlaySpot(state: AppState, facts: AppFacts, cell: Cell): Spot<AppOutcome> {
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
  const view = overlayView(state, facts, { columns: area.columns, rows: area.rows - 1 }, ROWS);
  if (overlay === null || view === null || view.menu === null || !('cursor' in overlay)) return {};
  const { total, cursor } = view.menu;
  const row = y - overlayTop(view, area.rows) - 1;
  const index = menuTop(cursor, total, area.rows - 1) + row;
  const choose: Action = overlay.kind === 'palette' ? 'filter/choose' : 'menu/choose';
  return {
    press: () => {
      // Beside a menu that leaves the screen in view: as Esc.
      if (row < -1) return done({ ...state, overlay: null });
      if (row < 0 || index >= total) return done(state);
      return index === cursor
        ? facts.run(state, choose, contextsOf(state, facts))
        : done({ ...state, overlay: { ...overlay, cursor: index } });
    },
  };
}
