/** The commands that belong to no screen, by context; and how to find a command. */

import type { SuggestionSummary } from '../../protocol/review.ts';
import { runIn, type ScreenName } from '../kit/model.ts';
import { paneKey } from '../responses/port.ts';
import { contextsOf } from './contexts.ts';
import type { Action } from './key-table.ts';
import { type AppFacts, type AppHandler, type AppHandlers, type AppOutcome, done } from './model.ts';
import {
  confirmCommands,
  filterCommands,
  menuCommands,
  panelCommands,
  promptCommands,
} from './overlay-commands.ts';
import { SCREENS, screenOf } from './screens.ts';
import type { AppState } from './state.ts';

const show =
  (screen: ScreenName): AppHandler =>
  (state) =>
    done(state.screen === screen ? state : { ...state, screen });

const appCommands: AppHandlers = {
  'screen/responses': show('responses'),
  // Files may have changed since the suggestion was read, so entering reloads it.
  'screen/review': (state) =>
    done(state.screen === 'review' ? state : { ...state, screen: 'review' }, {
      kind: 'review-refresh',
      isQuiet: true,
    }),
  'screen/agent': show('agent'),
  'screen/shell': show('shell'),
  'app/help': (state, facts) =>
    done({ ...state, overlay: { kind: 'help', top: 0, contexts: contextsOf(state, facts) } }),
  'app/palette': (state, facts) =>
    done({
      ...state,
      overlay: { kind: 'palette', query: '', cursor: 0, contexts: contextsOf(state, facts) },
    }),
  'app/panes': (state, facts) => {
    const { panes, selected } = facts.view;
    const cursor = panes.findIndex((pane) => paneKey(pane.identity) === selected);
    return done({
      ...state,
      overlay: { kind: 'panes', cursor: Math.max(0, cursor), startable: facts.startable() },
    });
  },
  // The same list, with the first startable one marked.
  'app/start-ai': (state, facts) =>
    done({
      ...state,
      overlay: { kind: 'panes', cursor: facts.view.panes.length, startable: facts.startable() },
    }),
  'app/redraw': (state) => done(state, { kind: 'redraw' }),
  'app/suspend': (state) => done(state, { kind: 'suspend' }),
  'app/back': (state, facts) => {
    const before = SCREENS[state.screen].back(state, facts);
    return before === null ? quit(state, facts) : done(before);
  },
  'app/quit': quit,
};

function quit(state: AppState, facts: AppFacts): AppOutcome {
  const isTyping = facts.view.deliveries.some(
    (entry) => entry.state === 'recorded' || entry.state === 'pasted',
  );
  if (isTyping) return askToQuit(state, 'A prompt is being typed into the AI pane.');
  // Decisions are kept, but the user should know that they are not in the files yet.
  const unsaved = facts.review.suggestions.filter(isUnsaved).length;
  if (unsaved === 0) return done(state, { kind: 'quit' });
  const what = unsaved === 1 ? '1 proposal is' : `${unsaved} proposals are`;
  return askToQuit(state, `${what} not saved in full; Ctrl+S on screen 2 writes what is decided.`);
}

/** Whether a proposal is still open: it ends when everything is decided and saved. */
function isUnsaved({ write, decidedCount }: SuggestionSummary): boolean {
  return write === 'on-save' && decidedCount > 0;
}

function askToQuit(state: AppState, why: string): AppOutcome {
  const effects = [{ kind: 'quit' }] as const;
  return done({ ...state, overlay: { kind: 'confirm', question: `${why} Quit all the same?`, effects } });
}

/** The only application commands while the user types text. */
const WHILE_TYPING: AppHandlers = {
  'app/redraw': appCommands['app/redraw'],
  'app/suspend': appCommands['app/suspend'],
};

/** The application's command tables: its own contexts, and its actions in screens' contexts. */
export const APP_TABLES: Readonly<Record<string, AppHandlers>> = {
  app: appCommands,
  insert: WHILE_TYPING,
  panel: panelCommands,
  menu: menuCommands,
  filter: filterCommands,
  confirm: confirmCommands,
  prompt: promptCommands,
};

/** The command of an action in `contexts`; null if there is none. */
export function commandOf(state: AppState, action: Action, contexts: readonly string[]): AppHandler | null {
  const tables = screenOf(state)?.tables ?? {};
  return runIn(tables, contexts, action) ?? runIn(APP_TABLES, contexts, action);
}
