/** Commands of overlays: menus, help, questions, the search line. */

import { folderName } from '../../lib/pane-names.ts';
import { graphemesOf } from '../../lib/width.ts';
import { type MoveRows, moveCommands } from '../kit/moves.ts';
import { paneKey } from '../responses/port.ts';
import { paneName } from './chrome.ts';
import { type AppFacts, type AppHandler, type AppHandlers, type AppOutcome, done, say } from './model.ts';
import { overlayExtent, paletteActions } from './overlay-content.ts';
import type { AppOverlay, AppState } from './state.ts';

const close: AppHandler = (state) => done({ ...state, overlay: null });

/** Moves a menu's mark or a panel's top. */
function move(delta: MoveRows): AppHandler {
  return (state, facts) => {
    const { overlay } = state;
    const extent = overlayExtent(state, facts);
    if (overlay === null || extent === null) return done(state);
    const { total, page } = extent;
    if ('cursor' in overlay) {
      const cursor = Math.max(0, Math.min(overlay.cursor + delta(page, total), total - 1));
      return done(cursor === overlay.cursor ? state : { ...state, overlay: { ...overlay, cursor } });
    }
    if (!('top' in overlay)) return done(state);
    const top = Math.max(0, Math.min(overlay.top + delta(page, total), total - page));
    return done(top === overlay.top ? state : { ...state, overlay: { ...overlay, top } });
  };
}

/** Movement shared by menus and panels. */
const movementCommands: AppHandlers = {
  ...moveCommands(move),
  'edge/first': move((_, total) => -total),
  'edge/last': move((_, total) => total),
};

export const panelCommands: AppHandlers = {
  ...movementCommands,
  'panel/close': close,
  // The palette has the same list and filters it as the user types.
  'help/filter': (state) => {
    const { overlay } = state;
    if (overlay?.kind !== 'help') return done(state);
    const { contexts } = overlay;
    return done({ ...state, overlay: { kind: 'palette', query: '', cursor: 0, contexts } });
  },
};

/** The screen handles the entries of its own menu. */
export const menuCommands: AppHandlers = {
  ...movementCommands,
  'menu/close': close,
  'menu/choose': (state, facts) =>
    state.overlay?.kind === 'panes' ? choosePane(state, state.overlay, facts) : done(state),
};

function choosePane(
  state: AppState,
  { cursor, startable }: Extract<AppOverlay, { kind: 'panes' }>,
  facts: AppFacts,
): AppOutcome {
  const { panes } = facts.view;
  const pane = panes[cursor];
  const closed: AppState = { ...state, overlay: null };
  if (pane === undefined) {
    const name = startable[cursor - panes.length];
    return name === undefined ? done(closed) : done(closed, { kind: 'start-ai', name });
  }
  return say(
    closed,
    facts,
    'info',
    `Following ${paneName(pane.cli)} in ${folderName(pane.cwd)}, pane ${pane.label}`,
    { kind: 'select-pane', key: paneKey(pane.identity) },
  );
}

const editQuery =
  (edit: (query: string) => string): AppHandler =>
  (state) => {
    const { overlay } = state;
    if (overlay?.kind === 'prompt')
      return done({ ...state, overlay: { ...overlay, query: edit(overlay.query) } });
    if (overlay?.kind !== 'palette') return done(state);
    return done({ ...state, overlay: { ...overlay, query: edit(overlay.query), cursor: 0 } });
  };

const queryCommands: AppHandlers = {
  'query/delete-back': editQuery((query) => graphemesOf(query).slice(0, -1).join('')),
  'query/clear': editQuery(() => ''),
};

export const filterCommands: AppHandlers = {
  ...queryCommands,
  'filter/down': move(() => 1),
  'filter/up': move(() => -1),
  'filter/close': close,
  'filter/choose': (state, facts) => {
    const { overlay } = state;
    if (overlay?.kind !== 'palette') return done(state);
    const chosen = paletteActions(overlay, facts)[overlay.cursor];
    const closed: AppState = { ...state, overlay: null };
    return chosen === undefined ? done(closed) : facts.run(closed, chosen.action, overlay.contexts);
  },
};

/** The screen knows the line's purpose. */
export const promptCommands: AppHandlers = { ...queryCommands, 'prompt/cancel': close };

const confirmed = (state: AppState) => {
  const { overlay } = state;
  return overlay?.kind === 'confirm' ? done({ ...state, overlay: null }, ...overlay.effects) : done(state);
};

export const confirmCommands: AppHandlers = {
  'confirm/no': close,
  'confirm/other': (state) => {
    const { overlay } = state;
    if (overlay?.kind !== 'confirm') return done(state);
    const { question, effects, others = [] } = overlay;
    const [next, ...rest] = others;
    if (next === undefined) return done(state);
    return done({ ...state, overlay: { ...overlay, ...next, others: [...rest, { question, effects }] } });
  },
  'confirm/yes': confirmed,
  'confirm/enter': (state, facts) =>
    state.overlay?.kind === 'confirm' && state.overlay.enter === 'no'
      ? close(state, facts)
      : confirmed(state),
};
