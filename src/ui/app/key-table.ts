/**
 * The one table of keys: every action, where it is valid, its default keys, its word in the footer and its
 * help. Matching, footer, help overlay, command palette, docs/keys.md and remapping are read from here. Its
 * order is the order of the footer.
 */

import { AGENT_KEYS } from '../agent/keys.ts';
import type { Binding } from '../kit/keys/binding.ts';
import { DRAFT_KEYS, INSERT_KEYS } from '../responses/draft-keys.ts';
import { MORE_RESPONSE_KEYS, RESPONSE_KEYS } from '../responses/keys.ts';
import { REVIEW_KEYS } from '../review/keys.ts';
import { SHELL_KEYS } from '../shell/keys.ts';
import { APP_KEYS } from './keys.ts';
import { MOVE_KEYS } from './move-keys.ts';
import { OVERLAY_KEYS } from './overlay-keys.ts';

const TABLE = [
  ...OVERLAY_KEYS,
  ...INSERT_KEYS,
  ...REVIEW_KEYS,
  ...AGENT_KEYS,
  ...SHELL_KEYS,
  ...RESPONSE_KEYS,
  ...DRAFT_KEYS,
  ...MORE_RESPONSE_KEYS,
  ...MOVE_KEYS,
  ...APP_KEYS,
] as const satisfies readonly Binding[];

/** The name of an action. */
export type Action = (typeof TABLE)[number]['action'];

/** The table, in footer order. */
export const BINDINGS: readonly (Binding & { readonly action: Action })[] = TABLE;
