/** Keys that move, the same in every pane. */
import type { Binding } from './binding.ts';

/** Up, down, pages, ends. */
export const moveKeys = (contexts: readonly string[]) =>
  [
    { action: 'move/down', contexts, keys: ['j', 'Down'], help: 'Down' },
    { action: 'move/up', contexts, keys: ['k', 'Up'], help: 'Up' },
    { action: 'move/page-down', contexts, keys: ['PageDown', 'Ctrl+F'], help: 'A page down' },
    { action: 'move/page-up', contexts, keys: ['PageUp', 'Ctrl+B'], help: 'A page up' },
    { action: 'move/half-down', contexts, keys: ['Ctrl+D'], help: 'Half a page down' },
    { action: 'move/half-up', contexts, keys: ['Ctrl+U'], help: 'Half a page up' },
    { action: 'move/first', contexts, keys: ['g g', 'Ctrl+Home'], help: 'To the first line' },
    { action: 'move/last', contexts, keys: ['G', 'Ctrl+End'], help: 'To the last line' },
  ] as const satisfies readonly Binding[];

/** Both ends by the keys that are the line's own in a text, and by those of lazygit. */
export const edgeKeys = (contexts: readonly string[]) =>
  [
    { action: 'edge/first', contexts, keys: ['Home', '<'], help: 'To the first line' },
    { action: 'edge/last', contexts, keys: ['End', '>'], help: 'To the last line' },
  ] as const satisfies readonly Binding[];
