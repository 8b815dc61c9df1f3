/** Movement keys, the same in every pane. */
import { keysIn } from './binding.ts';

/** Up, down, pages, ends. */
export const moveKeys = (contexts: readonly string[]) =>
  keysIn(contexts, {
    'move/down': [['j', 'Down'], 'Down'],
    'move/up': [['k', 'Up'], 'Up'],
    'move/page-down': [['PageDown', 'Ctrl+F'], 'A page down'],
    'move/page-up': [['PageUp', 'Ctrl+B'], 'A page up'],
    'move/half-down': ['Ctrl+D', 'Half a page down'],
    'move/half-up': ['Ctrl+U', 'Half a page up'],
    'move/first': [['g g', 'Ctrl+Home'], 'To the first line'],
    'move/last': [['G', 'Ctrl+End'], 'To the last line'],
  });

/** Keys for both ends: those for line ends in a text, and lazygit's. */
export const edgeKeys = (contexts: readonly string[]) =>
  keysIn(contexts, {
    'edge/first': [['Home', '<'], 'To the first line'],
    'edge/last': [['End', '>'], 'To the last line'],
  });
