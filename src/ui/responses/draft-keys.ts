/** The draft's keys: normal and visual mode as in vi, insert mode as in readline. */
import { keysIn } from '../kit/keys/binding.ts';
import { editorKeys } from '../kit/keys/editor-keys.ts';

/** In insert mode. */
export const INSERT_KEYS = [
  ...keysIn(['insert'], {
    'insert/leave': [['Esc', 'Ctrl+C'], 'Leave insert mode and keep the text', 'done'],
    'insert/newline': [['Enter', 'Ctrl+J', 'Alt+Enter'], 'Start a new line', 'new line'],
  }),
  ...editorKeys(['insert']),
  ...keysIn(['insert'], {
    'insert/tab': ['Tab', 'A tab'],
  }),
] as const;

/** Normal and visual mode. */
export const DRAFT_KEYS = [
  ...keysIn(['draft'], {
    'draft/insert': ['i', 'Insert text before the cursor', 'insert'],
    'draft/append': ['a', 'Insert text after the cursor'],
    'draft/insert-start': ['I', 'Insert text at the start of the line'],
    'draft/append-end': ['A', 'Insert text at the end of the line'],
    'draft/delete': [['x', 'Delete'], 'Delete the character under the cursor'],
    'draft/delete-line': ['d d', 'Delete the line'],
    'draft/change-line': ['S', 'Replace the line with a note'],
    'draft/put-below': ['P', 'Paste the deleted or copied lines below'],
    'draft/join': ['J', 'Join the line with the next one'],
    'draft/clear-pulled': ['X', 'Clear the pulled lines, keep the notes'],
  }),
  ...keysIn(['draft-visual'], {
    'draft/delete-selection': [['x', 'd', 'Delete'], 'Delete the selected lines', 'delete'],
  }),
  ...keysIn(['draft', 'reading'], {
    'edit/undo': ['u', 'Undo the last change of the draft', 'undo'],
    'edit/redo': ['Ctrl+R', 'Redo what was undone'],
  }),
] as const;

/** Movement keys that only the draft has. */
export const DRAFT_MOVE_KEYS = [
  ...keysIn(['draft'], {
    'move/left': [['h', 'Left'], 'Left'],
    'move/right': [['l', 'Right'], 'Right'],
    'move/word': ['w', 'To the next word'],
    'move/word-back': ['b', 'To the word before'],
    'move/word-end': ['e', 'To the end of the word'],
  }),
  ...keysIn(['draft', 'draft-visual'], {
    'move/paragraph': ['}', 'To the next paragraph'],
    'move/paragraph-back': ['{', 'To the paragraph before'],
  }),
  ...keysIn(['draft'], {
    'move/first-character': ['^', 'To the first character of the line'],
    'move/line-start': [['0', 'Home'], 'To the start of the line'],
    'move/line-end': [['$', 'End'], 'To the end of the line'],
  }),
] as const;
