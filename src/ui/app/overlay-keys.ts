/** Keys of what lies over any screen: menus, questions, the palette, the search line. */
import type { Binding } from '../kit/keys/binding.ts';

/** Before the keys of the screens. */
export const OVERLAY_KEYS = [
  {
    action: 'filter/choose',
    contexts: ['filter'],
    keys: ['Enter'],
    footer: 'run',
    help: 'Run the marked command',
  },
  { action: 'filter/close', contexts: ['filter'], keys: ['Esc', 'Ctrl+C'], footer: 'close', help: 'Close' },
  { action: 'filter/down', contexts: ['filter'], keys: ['Down', 'Ctrl+N'], help: 'Down' },
  { action: 'filter/up', contexts: ['filter'], keys: ['Up', 'Ctrl+P'], help: 'Up' },
  {
    action: 'query/delete-back',
    contexts: ['filter', 'prompt'],
    keys: ['Backspace'],
    help: 'Delete the last character',
  },
  {
    action: 'query/clear',
    contexts: ['filter', 'prompt'],
    keys: ['Ctrl+U', 'Ctrl+W'],
    help: 'Delete the text',
  },
  {
    action: 'menu/choose',
    contexts: ['menu'],
    keys: ['Enter'],
    footer: 'choose',
    help: 'Choose the selected row',
  },
  { action: 'confirm/yes', contexts: ['confirm'], keys: ['y'], footer: 'yes', help: 'Do it' },
  { action: 'confirm/enter', contexts: ['confirm'], keys: ['Enter'], help: 'Do it; never ends a review' },
  { action: 'confirm/other', contexts: ['confirm'], keys: ['Tab'], help: 'Another way, where there is one' },
  { action: 'confirm/no', contexts: ['confirm'], keys: ['Esc', 'n', 'q'], footer: 'no', help: 'Leave it' },
  {
    action: 'prompt/accept',
    contexts: ['prompt'],
    keys: ['Enter'],
    footer: 'ok',
    help: 'Search for the text',
  },
  {
    action: 'prompt/cancel',
    contexts: ['prompt'],
    keys: ['Esc', 'Ctrl+C'],
    footer: 'cancel',
    help: 'Leave it',
  },
  {
    action: 'help/filter',
    contexts: ['panel'],
    keys: ['/'],
    footer: 'filter',
    help: 'Find a key by the words of its help',
  },
  {
    action: 'panel/close',
    contexts: ['panel'],
    keys: ['Esc', 'q', 'Ctrl+C'],
    footer: 'close',
    help: 'Close',
  },
] as const satisfies readonly Binding[];

/** Behind them. */
export const LATER_OVERLAY_KEYS = [
  { action: 'menu/close', contexts: ['menu'], keys: ['Esc', 'q', 'Ctrl+C'], footer: 'close', help: 'Close' },
] as const satisfies readonly Binding[];
