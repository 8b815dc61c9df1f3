/** Keys of the draft: normal and visual mode as vi has them, insert mode as readline has it. */
import type { Binding } from '../kit/keys/binding.ts';

/** While text is typed. */
export const INSERT_KEYS = [
  {
    action: 'insert/leave',
    contexts: ['insert'],
    keys: ['Esc', 'Ctrl+C'],
    footer: 'keep and leave',
    help: 'Leave insert mode and keep the text',
  },
  {
    action: 'insert/newline',
    contexts: ['insert'],
    keys: ['Enter', 'Ctrl+J', 'Alt+Enter'],
    footer: 'new line',
    help: 'Begin a new line',
  },
  {
    action: 'insert/left',
    contexts: ['insert', 'comment', 'agent-write'],
    keys: ['Left', 'Ctrl+B'],
    help: 'Left',
  },
  {
    action: 'insert/right',
    contexts: ['insert', 'comment', 'agent-write'],
    keys: ['Right', 'Ctrl+F'],
    help: 'Right',
  },
  { action: 'insert/up', contexts: ['insert', 'comment', 'agent-write'], keys: ['Up', 'Ctrl+P'], help: 'Up' },
  {
    action: 'insert/down',
    contexts: ['insert', 'comment', 'agent-write'],
    keys: ['Down', 'Ctrl+N'],
    help: 'Down',
  },
  {
    action: 'insert/line-start',
    contexts: ['insert', 'comment', 'agent-write'],
    keys: ['Home', 'Ctrl+A'],
    help: 'To the start of the line',
  },
  {
    action: 'insert/line-end',
    contexts: ['insert', 'comment', 'agent-write'],
    keys: ['End', 'Ctrl+E'],
    help: 'To the end of the line',
  },
  {
    action: 'insert/word',
    contexts: ['insert', 'comment', 'agent-write'],
    keys: ['Alt+f', 'Ctrl+Right', 'Alt+Right'],
    help: 'To the next word',
  },
  {
    action: 'insert/word-back',
    contexts: ['insert', 'comment', 'agent-write'],
    keys: ['Alt+b', 'Ctrl+Left', 'Alt+Left'],
    help: 'To the word before',
  },
  {
    action: 'insert/delete-back',
    contexts: ['insert', 'comment', 'agent-write'],
    keys: ['Backspace'],
    help: 'Delete the character before the cursor',
  },
  {
    action: 'insert/delete',
    contexts: ['insert', 'comment', 'agent-write'],
    keys: ['Delete', 'Ctrl+D'],
    help: 'Delete the character under the cursor',
  },
  {
    action: 'insert/delete-word',
    contexts: ['insert', 'comment', 'agent-write'],
    keys: ['Ctrl+W', 'Alt+Backspace'],
    help: 'Delete the word before the cursor',
  },
  {
    action: 'insert/delete-to-end',
    contexts: ['insert', 'comment', 'agent-write'],
    keys: ['Ctrl+K'],
    help: 'Delete to the end of the line',
  },
  {
    action: 'insert/delete-to-start',
    contexts: ['insert', 'comment', 'agent-write'],
    keys: ['Ctrl+U'],
    help: 'Delete to the start of the line',
  },
  {
    action: 'insert/yank',
    contexts: ['insert', 'comment', 'agent-write'],
    keys: ['Ctrl+Y'],
    help: 'Put back what was deleted last',
  },
  { action: 'insert/tab', contexts: ['insert', 'comment'], keys: ['Tab'], help: 'A tab' },
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
    help: 'Write a note in place of the line',
  },
  {
    action: 'draft/put-below',
    contexts: ['draft'],
    keys: ['P'],
    help: 'Put the deleted or copied lines below',
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
    contexts: ['draft', 'review-files', 'review-diff'],
    keys: ['u'],
    footer: 'undo',
    help: 'Undo the last change of the draft, or a decision on a hunk',
  },
  {
    action: 'edit/redo',
    contexts: ['draft', 'review-files', 'review-diff'],
    keys: ['Ctrl+R'],
    help: 'Redo what was undone',
  },
] as const satisfies readonly Binding[];
