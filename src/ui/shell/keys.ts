/** Keys of the Shell screen. */
import type { Binding } from '../kit/keys/binding.ts';

/** In the order of the footer. */
export const SHELL_KEYS = [
  {
    action: 'shell/explain',
    contexts: ['shell'],
    keys: ['x', 'Enter'],
    footer: 'why',
    help: 'Why the candidates of the marked request stood in that order',
  },
  {
    action: 'shell/private',
    contexts: ['shell'],
    keys: ['P'],
    footer: 'private',
    help: 'Private mode for all shells: nothing is answered or learned until it is left',
  },
  {
    action: 'shell/forget',
    contexts: ['shell'],
    keys: ['d'],
    footer: 'forget',
    help: 'Never suggest the line on top again; asks',
  },
] as const satisfies readonly Binding[];
