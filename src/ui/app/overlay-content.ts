/** The content of overlays for moving and drawing: help, palette, AI panes, questions, and a screen's own. */

import { actionsIn, type BoundAction } from '../kit/keys/keymap.ts';
import { areaOf } from '../kit/layout.ts';
import { type MenuRow, planConfirm, planMenu } from '../kit/menu.ts';
import { type Extent, menuView, type OverlayView, panelView, scrolledPanel } from '../kit/overlay.ts';
import { type Row, type Size, span } from '../kit/row.ts';
import type { Theme } from '../kit/theme/theme.ts';
import { paneKey } from '../responses/port.ts';
import type { Action } from './key-table.ts';
import type { AppFacts } from './model.ts';
import { paletteEntries, paneEntries, planHelp, startEntries } from './overlay-view.ts';
import { screenOf } from './screens.ts';
import type { AppOverlay, AppState } from './state.ts';

/** All rows of the help. */
export function helpRowsOf(
  overlay: Extract<AppOverlay, { kind: 'help' }>,
  facts: Pick<AppFacts, 'keymap'>,
  columns: number,
): readonly Row[] {
  return planHelp(facts.keymap, overlay.contexts, columns);
}

/** The commands that match the typed text: every word must occur in the help or name. */
export function paletteActions(
  overlay: Extract<AppOverlay, { kind: 'palette' }>,
  facts: Pick<AppFacts, 'keymap'>,
): readonly BoundAction<Action>[] {
  const words = overlay.query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return actionsIn(facts.keymap, overlay.contexts).filter((action) => {
    const text = `${action.help} ${action.action}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** How many rows or entries the open overlay has, and how many fit; null if it moves by itself or not at all. */
export function overlayExtent(state: AppState, facts: AppFacts): Extent | null {
  const { overlay } = state;
  const page = Math.max(1, areaOf(state.size).rows - 1);
  switch (overlay?.kind) {
    case 'help':
      return { total: helpRowsOf(overlay, facts, state.size.columns).length, page };
    case 'palette':
      return { total: paletteActions(overlay, facts).length, page };
    case 'panes':
      return { total: facts.view.panes.length + overlay.startable.length, page };
    default:
      return screenOf(state)?.overlayExtent(state, facts) ?? null;
  }
}

/** The open overlay to draw; null if the screen draws it. */
export function overlayView(state: AppState, facts: AppFacts, size: Size, theme: Theme): OverlayView | null {
  const { overlay } = state;
  switch (overlay?.kind) {
    case 'help':
      return scrolledPanel(
        'Keys that work here',
        helpRowsOf(overlay, facts, size.columns),
        overlay.top,
        size.rows,
      );
    case 'palette': {
      const entries = paletteEntries(paletteActions(overlay, facts), facts.keymap, overlay.contexts);
      const title = `: ${overlay.query}`;
      const nothing = panelView(title, [[span('  No command here has these words', 'dim')]]);
      return {
        ...(entries.length === 0 ? nothing : menuOf(title, entries, overlay.cursor, size, theme)),
        remark: [span(`${entries.length}`, 'dim')],
        isSheet: false,
      };
    }
    case 'panes': {
      const { panes, selected } = facts.view;
      const followed = panes.findIndex((pane) => paneKey(pane.identity) === selected);
      const place = { selected: followed, columns: size.columns };
      const entries = [...paneEntries(panes, place, theme), ...startEntries(overlay.startable)];
      return menuOf('AI panes', entries, overlay.cursor, size, theme);
    }
    case 'confirm':
      return { ...panelView('Sure?', planConfirm(overlay.question, size.columns)), isSheet: true };
    default:
      return screenOf(state)?.overlayView(state, facts, size, theme) ?? null;
  }
}

function menuOf(
  title: string,
  entries: readonly MenuRow[],
  cursor: number,
  size: Size,
  theme: Theme,
): OverlayView {
  return menuView(title, planMenu(entries, cursor, size, theme), { total: entries.length, cursor });
}
