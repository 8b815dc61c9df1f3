/**
 * The one table of keys: every action, where it is valid, its default keys, its word in the footer and its
 * help. Matching, footer, help overlay, command palette, docs/keys.md and remapping are read from here. Its
 * order is the order of the footer.
 */
import type { Binding } from './binding.ts';
import { AGENT_KEYS } from './table-agent.ts';
import { APP_KEYS } from './table-app.ts';
import { DRAFT_KEYS, INSERT_KEYS } from './table-draft.ts';
import { MOVE_KEYS } from './table-moves.ts';
import { OVERLAY_KEYS } from './table-overlays.ts';
import { MORE_RESPONSE_KEYS, RESPONSE_KEYS } from './table-responses.ts';
import { REVIEW_KEYS } from './table-review.ts';
import { SHELL_KEYS } from './table-shell.ts';

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
