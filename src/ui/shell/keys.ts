/** Keys of the Shell screen. */
import type { Binding, ContextTitles } from '../kit/keys/binding.ts';
import { moveKeys } from '../kit/keys/move-keys.ts';

/** In the order of the footer. */
export const SHELL_KEYS = [
  {
    action: 'shell/explain',
    contexts: ['shell'],
    keys: ['x', 'Enter'],
    footer: 'explain',
    help: 'Explain the order of the candidates of the selected request',
  },
  {
    action: 'shell/private',
    contexts: ['shell'],
    keys: ['P'],
    footer: 'private',
    help: 'Private mode for all shells: nothing is answered or learned until you leave it',
  },
  {
    action: 'shell/forget',
    contexts: ['shell'],
    keys: ['d'],
    footer: 'forget',
    help: 'Never suggest the top line again; asks first',
  },
  { action: 'copy', contexts: ['shell'], keys: ['y'], footer: 'copy', help: 'Copy the command line' },
  ...moveKeys(['shell']),
] as const satisfies readonly Binding[];

export type ShellAction = (typeof SHELL_KEYS)[number]['action'];

export const SHELL_CONTEXTS = { shell: 'Shell' } as const satisfies ContextTitles;
