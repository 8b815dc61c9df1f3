/** The checks of the host's part, in the order in which they are shown. Other parts add theirs to this list. */
import type { Check } from './check.ts';
import { localeCheck, nodeCheck, terminalCheck, tmuxCheck } from './environment-checks.ts';
import { configCheck, databaseCheck, hostCheck, stateFolderCheck } from './state-checks.ts';

export const HOST_CHECKS: readonly Check[] = [
  nodeCheck,
  tmuxCheck,
  terminalCheck,
  localeCheck,
  stateFolderCheck,
  databaseCheck,
  configCheck,
  hostCheck,
];
