/** Keys of the draft: normal and visual mode as vi has them, insert mode as readline has it. */
import type { Binding } from '../kit/keys/binding.ts';
import { editorKeys } from '../kit/keys/editor-keys.ts';

/** While text is typed. */
export const INSERT_KEYS = [
  {
    action: 'insert/leave',
    contexts: ['insert'],
    keys: ['Esc', 'Ctrl+C'],
    footer: 'done',
    help: 'Leave insert mode and keep the text',
  },
  {
    action: 'insert/newline',
    contexts: ['insert'],
    keys: ['Enter', 'Ctrl+J', 'Alt+Enter'],
    footer: 'new line',
    help: 'Start a new line',
  },
  ...editorKeys(['insert']),
  { action: 'insert/tab', contexts: ['insert'], keys: ['Tab'], help: 'A tab' },
] as const satisfies readonly Binding[];

/** Normal and visual mode. */
export const DRAFT_KEYS = [
  {
    action: 'draft/insert',
    contexts: ['draft'],
    keys: ['i'],
    footer: 'insert',
    help: 'Insert text before the cursor',
  },
  { action: 'draft/append', contexts: ['draft'], keys: ['a'], help: 'Insert text after the cursor' },
  {
    action: 'draft/insert-start',
    contexts: ['draft'],
    keys: ['I'],
    help: 'Insert text at the start of the line',
  },
  {
    action: 'draft/append-end',
    contexts: ['draft'],
    keys: ['A'],
    help: 'Insert text at the end of the line',
  },
  {
    action: 'draft/delete',
    contexts: ['draft'],
    keys: ['x', 'Delete'],
    help: 'Delete the character under the cursor',
  },
  { action: 'draft/delete-line', contexts: ['draft'], keys: ['d d'], help: 'Delete the line' },
  {
    action: 'draft/change-line',
    contexts: ['draft'],
    keys: ['S'],
    help: 'Replace the line with a note',
  },
  {
    action: 'draft/put-below',
    contexts: ['draft'],
    keys: ['P'],
    help: 'Paste the deleted or copied lines below',
  },
  {
    action: 'draft/delete-selection',
    contexts: ['draft-visual'],
    keys: ['x', 'd', 'Delete'],
    footer: 'delete',
    help: 'Delete the selected lines',
  },
  { action: 'draft/join', contexts: ['draft'], keys: ['J'], help: 'Join the line with the next one' },
  {
    action: 'draft/clear-pulled',
    contexts: ['draft'],
    keys: ['X'],
    help: 'Clear the pulled lines, keep the notes',
  },
  {
    action: 'edit/undo',
    contexts: ['draft', 'reading'],
    keys: ['u'],
    footer: 'undo',
    help: 'Undo the last change of the draft',
  },
  {
    action: 'edit/redo',
    contexts: ['draft', 'reading'],
    keys: ['Ctrl+R'],
    help: 'Redo what was undone',
  },
] as const satisfies readonly Binding[];

/** Movement that only the draft has. */
export const DRAFT_MOVE_KEYS = [
  { action: 'move/left', contexts: ['draft'], keys: ['h', 'Left'], help: 'Left' },
  { action: 'move/right', contexts: ['draft'], keys: ['l', 'Right'], help: 'Right' },
  { action: 'move/word', contexts: ['draft'], keys: ['w'], help: 'To the next word' },
  { action: 'move/word-back', contexts: ['draft'], keys: ['b'], help: 'To the word before' },
  { action: 'move/word-end', contexts: ['draft'], keys: ['e'], help: 'To the end of the word' },
  {
    action: 'move/paragraph',
    contexts: ['draft', 'draft-visual'],
    keys: ['}'],
    help: 'To the next paragraph',
  },
  {
    action: 'move/paragraph-back',
    contexts: ['draft', 'draft-visual'],
    keys: ['{'],
    help: 'To the paragraph before',
  },
  {
    action: 'move/first-character',
    contexts: ['draft'],
    keys: ['^'],
    help: 'To the first character of the line',
  },
  { action: 'move/line-start', contexts: ['draft'], keys: ['0', 'Home'], help: 'To the start of the line' },
  { action: 'move/line-end', contexts: ['draft'], keys: ['$', 'End'], help: 'To the end of the line' },
] as const satisfies readonly Binding[];
