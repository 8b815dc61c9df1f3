/**
 * The only table of keys, for matching, footer, help, command palette, docs/keys.md and remapping: each action with its
 * contexts, default keys, footer word and help, in footer order. An action of several screens has a row in each.
 */
import { AGENT_CONTEXTS, AGENT_KEYS } from '../agent/keys.ts';
import { type Binding, type ContextTitles, keysIn } from '../kit/keys/binding.ts';
import { createKeymap, type Keymap, type KeyOverrides } from '../kit/keys/keymap.ts';
import { edgeKeys, moveKeys } from '../kit/keys/move-keys.ts';
import { RESPONSES_CONTEXTS, RESPONSES_KEYS } from '../responses/keys.ts';
import { REVIEW_CONTEXTS, REVIEW_KEYS } from '../review/keys.ts';
import { SHELL_CONTEXTS, SHELL_KEYS } from '../shell/keys.ts';

/** Before the screens' keys. */
const OVERLAY_KEYS = [
  ...keysIn(['filter'], {
    'filter/choose': ['Enter', 'Run the marked command', 'run'],
    'filter/close': [['Esc', 'Ctrl+C'], 'Close', 'close'],
    'filter/down': [['Down', 'Ctrl+N'], 'Down'],
    'filter/up': [['Up', 'Ctrl+P'], 'Up'],
  }),
  ...keysIn(['filter', 'prompt'], {
    'query/delete-back': ['Backspace', 'Delete the last character'],
    'query/clear': [['Ctrl+U', 'Ctrl+W'], 'Delete the text'],
  }),
  ...keysIn(['menu'], {
    'menu/choose': ['Enter', 'Choose the selected row', 'choose'],
  }),
  ...keysIn(['confirm'], {
    'confirm/yes': ['y', 'Do it', 'yes'],
    'confirm/enter': ['Enter', 'Do it; never ends a review'],
    'confirm/other': ['Tab', 'Another way, where there is one'],
    'confirm/no': [['Esc', 'n', 'q'], 'Leave it', 'no'],
  }),
  ...keysIn(['prompt'], {
    'prompt/accept': ['Enter', 'Search for the text', 'ok'],
    'prompt/cancel': [['Esc', 'Ctrl+C'], 'Leave it', 'cancel'],
  }),
  ...keysIn(['panel'], {
    'help/filter': ['/', 'Find a key by the words of its help', 'filter'],
    'panel/close': [['Esc', 'q', 'Ctrl+C'], 'Close', 'close'],
  }),
] as const;

/** After the screens' keys. */
const LATER_OVERLAY_KEYS = keysIn(['menu'], {
  'menu/close': [['Esc', 'q', 'Ctrl+C'], 'Close', 'close'],
});

/** Screens, help, palette, quit. */
const APP_KEYS = [
  ...keysIn(['app'], {
    'screen/responses': ['1', 'Screen 1: Responses'],
    'screen/review': ['2', 'Screen 2: Review'],
    'screen/agent': ['3', 'Screen 3: Agent'],
    'screen/shell': ['4', 'Screen 4: Shell'],
    'app/panes': [
      't',
      'The AI panes and their states; choose the one to follow, or start an AI CLI',
      'AI panes',
    ],
    'app/start-ai': ['T', 'Start an AI CLI in a new pane'],
    'app/palette': [['Ctrl+P', ':'], 'Every command, by name'],
    'app/help': ['?', 'The keys that are valid here', 'help'],
  }),
  ...keysIn(['app', 'insert'], {
    'app/redraw': ['Ctrl+L', 'Draw the screen again'],
    'app/suspend': ['Ctrl+Z', 'Suspend copane'],
  }),
  ...keysIn(['app'], {
    'app/back': ['q', 'Back: to the list, to screen 1, out of copane'],
    'app/quit': ['Ctrl+C', 'Quit; the draft is kept'],
  }),
] as const;

const APP_ROWS = [
  ...LATER_OVERLAY_KEYS,
  ...moveKeys(['panel', 'menu', 'answer']),
  ...edgeKeys(['panel', 'menu']),
  ...APP_KEYS,
] as const;

const TABLE = [
  ...OVERLAY_KEYS,
  ...RESPONSES_KEYS,
  ...REVIEW_KEYS,
  ...AGENT_KEYS,
  ...SHELL_KEYS,
  ...APP_ROWS,
] as const satisfies readonly Binding[];

export type Action = (typeof TABLE)[number]['action'];

/** The table, in footer order. */
export const BINDINGS: readonly (Binding & { readonly action: Action })[] = TABLE;

/** Context titles for help and documentation, in the documentation's order. */
export const CONTEXT_TITLES = {
  app: 'Everywhere',
  ...RESPONSES_CONTEXTS,
  ...REVIEW_CONTEXTS,
  ...AGENT_CONTEXTS,
  ...SHELL_CONTEXTS,
  panel: 'Help and diff',
  menu: 'Menus',
  filter: 'Command palette',
  confirm: 'A question',
  prompt: 'Search line',
} as const satisfies ContextTitles;

/** The keys in force: the table with the user's changes. */
export const appKeymap = (overrides: KeyOverrides = {}): Keymap<Action> => createKeymap(BINDINGS, overrides);
