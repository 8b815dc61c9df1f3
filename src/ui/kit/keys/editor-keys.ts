/** Keys of every text that is written: those of readline. */
import type { Binding } from './binding.ts';

/** Moving in the text, and deleting in it. */
export const editorKeys = (contexts: readonly string[]) =>
  [
    { action: 'insert/left', contexts, keys: ['Left', 'Ctrl+B'], help: 'Left' },
    { action: 'insert/right', contexts, keys: ['Right', 'Ctrl+F'], help: 'Right' },
    { action: 'insert/up', contexts, keys: ['Up', 'Ctrl+P'], help: 'Up' },
    { action: 'insert/down', contexts, keys: ['Down', 'Ctrl+N'], help: 'Down' },
    { action: 'insert/line-start', contexts, keys: ['Home', 'Ctrl+A'], help: 'To the start of the line' },
    { action: 'insert/line-end', contexts, keys: ['End', 'Ctrl+E'], help: 'To the end of the line' },
    { action: 'insert/word', contexts, keys: ['Alt+f', 'Ctrl+Right', 'Alt+Right'], help: 'To the next word' },
    {
      action: 'insert/word-back',
      contexts,
      keys: ['Alt+b', 'Ctrl+Left', 'Alt+Left'],
      help: 'To the word before',
    },
    {
      action: 'insert/delete-back',
      contexts,
      keys: ['Backspace'],
      help: 'Delete the character before the cursor',
    },
    {
      action: 'insert/delete',
      contexts,
      keys: ['Delete', 'Ctrl+D'],
      help: 'Delete the character under the cursor',
    },
    {
      action: 'insert/delete-word',
      contexts,
      keys: ['Ctrl+W', 'Alt+Backspace'],
      help: 'Delete the word before the cursor',
    },
    { action: 'insert/delete-to-end', contexts, keys: ['Ctrl+K'], help: 'Delete to the end of the line' },
    { action: 'insert/delete-to-start', contexts, keys: ['Ctrl+U'], help: 'Delete to the start of the line' },
    { action: 'insert/yank', contexts, keys: ['Ctrl+Y'], help: 'Paste what was deleted last' },
  ] as const satisfies readonly Binding[];

export type EditorAction = ReturnType<typeof editorKeys>[number]['action'] | 'insert/tab';
