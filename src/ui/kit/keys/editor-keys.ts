/** The keys of every text editor: those of readline. */
import { keysIn } from './binding.ts';

/** Movement and deletion in a text. */
export const editorKeys = (contexts: readonly string[]) =>
  keysIn(contexts, {
    'insert/left': [['Left', 'Ctrl+B'], 'Left'],
    'insert/right': [['Right', 'Ctrl+F'], 'Right'],
    'insert/up': [['Up', 'Ctrl+P'], 'Up'],
    'insert/down': [['Down', 'Ctrl+N'], 'Down'],
    'insert/line-start': [['Home', 'Ctrl+A'], 'To the start of the line'],
    'insert/line-end': [['End', 'Ctrl+E'], 'To the end of the line'],
    'insert/word': [['Alt+f', 'Ctrl+Right', 'Alt+Right'], 'To the next word'],
    'insert/word-back': [['Alt+b', 'Ctrl+Left', 'Alt+Left'], 'To the word before'],
    'insert/delete-back': ['Backspace', 'Delete the character before the cursor'],
    'insert/delete': [['Delete', 'Ctrl+D'], 'Delete the character under the cursor'],
    'insert/delete-word': [['Ctrl+W', 'Alt+Backspace'], 'Delete the word before the cursor'],
    'insert/delete-to-end': ['Ctrl+K', 'Delete to the end of the line'],
    'insert/delete-to-start': ['Ctrl+U', 'Delete to the start of the line'],
    'insert/yank': ['Ctrl+Y', 'Paste what was deleted last'],
  });

export type EditorAction = ReturnType<typeof editorKeys>[number]['action'] | 'insert/tab';
