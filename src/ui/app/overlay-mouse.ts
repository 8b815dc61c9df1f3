/**
 * The mouse in what lies over the screen: it marks entries of menus, chooses a marked one, and scrolls. It answers
 * no question and sends nothing: that is for a key. Pure.
 */

import { areaOf } from '../kit/layout.ts';
import { menuTop } from '../kit/menu.ts';
import type { Cell, Spot } from '../kit/mouse/spot.ts';
import { contextsOf } from './contexts.ts';
import { done, type Facts, type Outcome } from './handler.ts';
import type { Action } from './key-table.ts';
import { overlayExtent } from './overlay-commands.ts';
import { overlayTop } from './overlay-view.ts';
import type { AppState, Overlay } from './state.ts';

type Menu = Extract<
  Overlay,
  { kind: 'palette' | 'panes' | 'checkpoints' | 'rollback-scope' | 'add-context' }
>;

/** What stands in a cell of the screen area below `overlay`. */
export function overlaySpot(state: AppState, facts: Facts, overlay: Overlay, cell: Cell): Spot {
  const scrolls = overlay.kind === 'help' || overlay.kind === 'diff' || overlay.kind === 'preview';
  const [down, up]: readonly Action[] =
    overlay.kind === 'palette' ? ['filter/down', 'filter/up'] : ['move/down', 'move/up'];
  const wheel = (rows: number): Outcome => {
    const action = rows > 0 ? down : up;
    const steps = scrolls ? Math.abs(rows) : 1;
    let next = state;
    for (let step = 0; step < steps && action !== undefined; step += 1)
      next = facts.run(next, action, contextsOf(next, facts.view)).state;
    return done(next);
  };
  return isMenu(overlay) ? { wheel, ...menuSpot(state, facts, overlay, cell) } : { wheel };
}

function isMenu(overlay: Overlay): overlay is Menu {
  switch (overlay.kind) {
    case 'palette':
    case 'panes':
    case 'checkpoints':
    case 'rollback-scope':
    case 'add-context':
      return true;
    default:
      return false;
  }
}

function menuSpot(state: AppState, facts: Facts, overlay: Menu, { y }: Cell): Spot {
  const { total } = overlayExtent(state, overlay, facts);
  const area = areaOf(state.size).rows;
  const top = overlayTop(overlay.kind, Math.min(total, area - 1), area);
  const row = y - top - 1;
  const index = menuTop(overlay.cursor, total, area - 1) + row;
  const choose: Action = overlay.kind === 'palette' ? 'filter/choose' : 'menu/choose';
  return {
    press: () => {
      // Beside a menu that leaves the screen in view: as Esc.
      if (row < -1) return done({ ...state, overlay: null });
      if (row < 0 || index >= total) return done(state);
      return index === overlay.cursor
        ? facts.run(state, choose, contextsOf(state, facts.view))
        : done({ ...state, overlay: { ...overlay, cursor: index } });
    },
  };
}
