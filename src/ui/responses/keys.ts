/** Keys of the Responses screen: what is done with a response, wherever the focus is. */
import type { Binding, ContextTitles } from '../kit/keys/binding.ts';
import { edgeKeys, moveKeys } from '../kit/keys/move-keys.ts';
import { DRAFT_KEYS, DRAFT_MOVE_KEYS, INSERT_KEYS } from './draft-keys.ts';

const ANYWHERE = ['list', 'reading', 'draft'] as const;

/** The ones that are wanted most: pull, note, send. */
const RESPONSE_KEYS = [
  {
    action: 'visual/leave',
    contexts: ['reading-visual', 'draft-visual'],
    keys: ['Esc', 'v'],
    footer: 'cancel selection',
    help: 'Drop the selection',
  },
  {
    action: 'response/pull',
    contexts: ['list', 'reading', 'reading-visual', 'draft'],
    keys: ['p'],
    footer: 'pull',
    help: 'Pull the response (or the selected lines) into the draft, replacing older ones',
  },
  {
    action: 'response/pull-part',
    contexts: ['reading'],
    keys: ['P'],
    help: 'Pull only the part of the response under the cursor',
  },
  {
    action: 'response/pull-plain',
    contexts: ['list', 'reading', 'reading-visual', 'draft'],
    keys: ['g p'],
    help: 'Pull as plain text: the lines become your notes',
  },
  {
    action: 'draft/note-below',
    contexts: [...ANYWHERE],
    keys: ['o'],
    footer: 'note',
    help: 'Write a note below the line',
  },
  { action: 'draft/note-above', contexts: [...ANYWHERE], keys: ['O'], help: 'Write a note above the line' },
  {
    action: 'note/edit',
    contexts: ['reading'],
    keys: ['Enter', 'i'],
    help: 'Edit the note under the cursor',
  },
  {
    action: 'note/delete',
    contexts: ['reading'],
    keys: ['x', 'Delete'],
    help: 'Delete the note under the cursor',
  },
  {
    action: 'draft/send',
    contexts: [...ANYWHERE, 'draft-visual'],
    keys: ['s'],
    footer: 'send',
    help: 'Preview exactly what will be sent; Enter there sends it',
  },
  {
    action: 'response/changes',
    contexts: ['list', 'reading'],
    keys: ['d'],
    footer: 'changes',
    help: 'Review what the answer changed in files: keep or take back each change',
  },
  {
    action: 'response/go-back',
    contexts: ['list', 'reading'],
    keys: ['g b'],
    help: 'Go back to before the answer: review what it and all later ones changed, to take it back',
  },
  {
    action: 'list/open',
    contexts: ['list'],
    keys: ['Enter', 'l', 'Right'],
    footer: 'read',
    help: 'Read the selected response',
  },
] as const satisfies readonly Binding[];

/** Select, compare, search, copy. */
const MORE_RESPONSE_KEYS = [
  { action: 'copy/line', contexts: ['draft'], keys: ['Y'], help: 'Copy the line' },
  {
    action: 'visual/start',
    contexts: ['reading', 'draft'],
    keys: ['v', 'V'],
    footer: 'select',
    help: 'Select lines',
  },
  {
    action: 'note/context',
    contexts: [...ANYWHERE, 'preview'],
    keys: ['c'],
    footer: 'context',
    help: 'Switch what goes out with a note: nothing, a short quote, or the full line it answers',
  },
  {
    action: 'response/diff',
    contexts: ['list', 'reading'],
    keys: ['D'],
    footer: 'diff with previous',
    help: 'Compare the response with the one before it',
  },
  {
    action: 'response/code',
    contexts: ['list', 'reading'],
    keys: ['b'],
    footer: 'code blocks',
    help: 'Pick a code block of the response to copy',
  },
  {
    action: 'copy',
    contexts: [...ANYWHERE, 'reading-visual', 'draft-visual', 'panel'],
    keys: ['y'],
    footer: 'copy',
    help: 'Copy the response, the selection, the draft or the diff',
  },
  {
    action: 'edit/external',
    contexts: [...ANYWHERE],
    keys: ['E'],
    help: 'Open the response or the draft in $EDITOR',
  },
  {
    action: 'reading/form',
    contexts: ['reading'],
    keys: ['M'],
    help: 'Show the response as it is written, or as Markdown is read',
  },
  {
    action: 'reading/scroll-down',
    contexts: ['reading', 'reading-visual'],
    keys: ['Ctrl+E'],
    help: 'Scroll down by a row',
  },
  {
    action: 'reading/scroll-up',
    contexts: ['reading', 'reading-visual'],
    keys: ['Ctrl+Y'],
    help: 'Scroll up by a row',
  },
  { action: 'turn/next', contexts: ['reading'], keys: ['J'], help: 'Read the next older response' },
  { action: 'turn/previous', contexts: ['reading'], keys: ['K'], help: 'Read the next newer response' },
  { action: 'part/next', contexts: ['reading'], keys: [']'], help: 'Go to the next part of the response' },
  {
    action: 'part/previous',
    contexts: ['reading'],
    keys: ['['],
    help: 'Go to the previous part of the response',
  },
  {
    action: 'search/open',
    contexts: [...ANYWHERE],
    keys: ['/'],
    footer: 'search',
    help: 'Search',
  },
  { action: 'search/next', contexts: [...ANYWHERE], keys: ['n'], help: 'Next match' },
  { action: 'search/previous', contexts: [...ANYWHERE], keys: ['N'], help: 'Previous match' },
  {
    action: 'pane/answer',
    contexts: ['responses'],
    keys: ['g a'],
    footer: 'answer',
    help: 'Answer the question that the AI asks',
  },
  {
    action: 'delivery/press-enter',
    contexts: ['responses'],
    keys: ['g Enter'],
    help: 'Press Enter for a prompt left in the composer',
  },
  {
    action: 'sessions/open',
    contexts: ['responses'],
    keys: ['H'],
    footer: 'earlier sessions',
    help: 'Earlier sessions of this project, of every AI CLI: read, search, pull from them',
  },
  { action: 'responses/refresh', contexts: ['responses'], keys: ['r'], help: 'Refresh from the AI pane' },
] as const satisfies readonly Binding[];

/** Menus, questions and the preview of this screen. */
const DIALOG_KEYS = [
  {
    action: 'sessions/search',
    contexts: ['menu'],
    keys: ['/'],
    footer: 'search all',
    help: 'Search all sessions of this project',
  },
  {
    action: 'code/save',
    contexts: ['menu'],
    keys: ['w'],
    footer: 'save',
    help: 'Save the code block as a new file of the project',
  },
  {
    action: 'code/review',
    contexts: ['menu'],
    keys: ['a'],
    footer: 'review',
    help: 'Offer the diff for review: it is applied hunk by hunk on screen 2',
  },
  {
    action: 'preview/send',
    contexts: ['preview'],
    keys: ['Enter'],
    footer: 'send',
    help: 'Send the text shown',
  },
  {
    action: 'preview/close',
    contexts: ['preview'],
    keys: ['Esc', 'q', 'Ctrl+C'],
    footer: 'close',
    help: 'Close; nothing is sent',
  },
  {
    action: 'preview/toggle',
    contexts: ['preview'],
    keys: ['Space', 'x'],
    footer: 'send or keep',
    help: 'Send the selected changed line, or hold it back',
  },
  {
    action: 'preview/steer',
    contexts: ['preview'],
    keys: ['Tab'],
    footer: 'wait or break in',
    help: 'Wait until the AI is done, or break in on what it does (where its program can do both)',
  },
  {
    action: 'answer/choose',
    contexts: ['answer'],
    keys: ['Enter'],
    footer: 'answer',
    help: 'Give the AI the selected answer',
  },
  {
    action: 'answer/cancel',
    contexts: ['answer'],
    keys: ['Esc', 'q', 'Ctrl+C'],
    footer: 'cancel',
    help: 'Leave the question open',
  },
] as const satisfies readonly Binding[];

const PANES = ['responses', 'list', 'reading', 'draft'] as const;

const FOCUS_KEYS = [
  { action: 'focus/next', contexts: PANES, keys: ['Tab'], help: 'Next pane: list, response, draft' },
  { action: 'focus/previous', contexts: PANES, keys: ['Shift+Tab'], help: 'Previous pane' },
  { action: 'focus/back', contexts: ['reading', 'draft'], keys: ['Esc'], help: 'Back to the list' },
  { action: 'reading/back', contexts: ['reading'], keys: ['h', 'Left'], help: 'Back to the list' },
] as const satisfies readonly Binding[];

/** In the order of the footer. */
export const RESPONSES_KEYS = [
  ...DIALOG_KEYS,
  ...INSERT_KEYS,
  ...RESPONSE_KEYS,
  ...DRAFT_KEYS,
  ...MORE_RESPONSE_KEYS,
  ...moveKeys(['list', 'reading', 'reading-visual', 'draft', 'draft-visual', 'preview']),
  ...edgeKeys(['list', 'reading', 'reading-visual']),
  ...DRAFT_MOVE_KEYS,
  ...FOCUS_KEYS,
] as const satisfies readonly Binding[];

export type ResponsesAction = (typeof RESPONSES_KEYS)[number]['action'];

export const RESPONSES_CONTEXTS = {
  responses: 'Responses',
  list: 'List of responses',
  reading: 'Reading a response',
  'reading-visual': 'Reading, lines selected',
  draft: 'Draft, normal mode',
  'draft-visual': 'Draft, lines selected',
  insert: 'Draft, insert mode',
  preview: 'Preview before sending',
  answer: 'Answering the AI',
} as const satisfies ContextTitles;
