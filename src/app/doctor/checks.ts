/** All checks, in display order. */
import { aiCliCheck, sessionFileCheck, setUpCheck } from './ai-checks.ts';
import type { Check } from './check.ts';
import { localeCheck, nodeCheck, terminalCheck, tmuxCheck, tmuxOptionsCheck } from './environment-checks.ts';
import { configCheck, databaseCheck, hostCheck, stateFolderCheck } from './state-checks.ts';

/** Checks of the environment and of the state folder. */
export const HOST_CHECKS: readonly Check[] = [
  nodeCheck,
  tmuxCheck,
  tmuxOptionsCheck,
  terminalCheck,
  localeCheck,
  stateFolderCheck,
  databaseCheck,
  configCheck,
  hostCheck,
];

export const ALL_CHECKS: readonly Check[] = [...HOST_CHECKS, aiCliCheck, setUpCheck, sessionFileCheck];
