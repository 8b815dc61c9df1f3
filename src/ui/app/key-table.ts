/**
 * The one table of keys: every action, where it is valid, its default keys, its word in the footer and its help.
 * Matching, footer, help overlay, command palette, docs/keys.md and remapping are read from here. Its order is the
 * order of the footer. Each screen brings its own rows; an action that several screens have has a row in each.
 */
import { AGENT_CONTEXTS, AGENT_KEYS } from '../agent/keys.ts';
import type { Binding, ContextTitles } from '../kit/keys/binding.ts';
import { createKeymap, type Keymap, type KeyOverrides } from '../kit/keys/keymap.ts';
import { edgeKeys, moveKeys } from '../kit/keys/move-keys.ts';
import { RESPONSES_CONTEXTS, RESPONSES_KEYS } from '../responses/keys.ts';
import { REVIEW_CONTEXTS, REVIEW_KEYS } from '../review/keys.ts';
import { SHELL_CONTEXTS, SHELL_KEYS } from '../shell/keys.ts';
import { APP_KEYS } from './keys.ts';
import { LATER_OVERLAY_KEYS, OVERLAY_KEYS } from './overlay-keys.ts';

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

/** The name of an action. */
export type Action = (typeof TABLE)[number]['action'];

/** The table, in footer order. */
export const BINDINGS: readonly (Binding & { readonly action: Action })[] = TABLE;

/** How the help and the documentation name contexts, in the order of the documentation. */
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
export function appKeymap(overrides: KeyOverrides = {}): Keymap<Action> {
  return createKeymap(BINDINGS, overrides);
}
