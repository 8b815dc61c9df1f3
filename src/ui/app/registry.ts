/** The commands that belong to no screen, by context; and how a command is found. */
import { runIn } from '../kit/model.ts';
import { appCommands } from './commands.ts';
import type { Action } from './key-table.ts';
import type { AppHandler, AppHandlers } from './model.ts';
import {
  confirmCommands,
  filterCommands,
  menuCommands,
  panelCommands,
  promptCommands,
} from './overlay-commands.ts';
import { screenOf } from './screens.ts';
import type { AppState } from './state.ts';

/** While text is typed, only these are commands of the application. */
const WHILE_TYPING: AppHandlers = {
  'app/redraw': appCommands['app/redraw'],
  'app/suspend': appCommands['app/suspend'],
};

/** Where the key table names a context of the application, or an action of it in a screen's context. */
export const APP_TABLES: Readonly<Record<string, AppHandlers>> = {
  app: appCommands,
  insert: WHILE_TYPING,
  panel: panelCommands,
  menu: menuCommands,
  filter: filterCommands,
  confirm: confirmCommands,
  prompt: promptCommands,
};

/** The command of an action where `contexts` are active; null when there is none. */
export function commandOf(state: AppState, action: Action, contexts: readonly string[]): AppHandler | null {
  const tables = screenOf(state)?.tables ?? {};
  return runIn(tables, contexts, action) ?? runIn(APP_TABLES, contexts, action);
}
