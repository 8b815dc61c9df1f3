/** Keys of the Shell screen. */
import { type ContextTitles, keysIn } from '../kit/keys/binding.ts';
import { moveKeys } from '../kit/keys/move-keys.ts';

/** In the order of the footer. */
export const SHELL_KEYS = [
  ...keysIn(['shell'], {
    'shell/explain': [
      ['x', 'Enter'],
      'Explain the order of the candidates of the selected request',
      'explain',
    ],
    'shell/private': [
      'P',
      'Private mode for all shells: nothing is answered or learned until you leave it',
      'private',
    ],
    'shell/forget': ['d', 'Never suggest the top line again; asks first', 'forget'],
    copy: ['y', 'Copy the command line', 'copy'],
  }),
  ...moveKeys(['shell']),
] as const;

export type ShellAction = (typeof SHELL_KEYS)[number]['action'];

export const SHELL_CONTEXTS = { shell: 'Shell' } as const satisfies ContextTitles;
