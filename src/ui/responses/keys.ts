/** The Responses screen's keys for a response, in any focus. */
import { type Binding, type ContextTitles, keysIn } from '../kit/keys/binding.ts';
import { edgeKeys, moveKeys } from '../kit/keys/move-keys.ts';
import { DRAFT_KEYS, DRAFT_MOVE_KEYS, INSERT_KEYS } from './draft-keys.ts';

const ANYWHERE = ['list', 'reading', 'draft'] as const;

/** The most useful ones: pull, note, send. */
const RESPONSE_KEYS = [
  ...keysIn(['reading-visual', 'draft-visual'], {
    'visual/leave': [['Esc', 'v'], 'Drop the selection', 'cancel selection'],
  }),
  ...keysIn(['list', 'reading', 'reading-visual', 'draft'], {
    'response/pull': [
      'p',
      'Pull the response (or the selected lines) into the draft, replacing older ones',
      'pull',
    ],
  }),
  ...keysIn(['reading'], {
    'response/pull-part': ['P', 'Pull only the part of the response under the cursor'],
  }),
  ...keysIn(['list', 'reading', 'reading-visual', 'draft'], {
    'response/pull-plain': ['g p', 'Pull as plain text: the lines become your notes'],
  }),
  ...keysIn(ANYWHERE, {
    'draft/note-below': ['o', 'Write a note below the line', 'note'],
    'draft/note-above': ['O', 'Write a note above the line'],
  }),
  ...keysIn(['reading'], {
    'note/edit': [['Enter', 'i'], 'Edit the note under the cursor'],
    'note/delete': [['x', 'Delete'], 'Delete the note under the cursor'],
  }),
  ...keysIn([...ANYWHERE, 'draft-visual'], {
    'draft/send': ['s', 'Preview exactly what will be sent; Enter there sends it', 'send'],
  }),
  ...keysIn(['list', 'reading'], {
    'response/changes': [
      'd',
      'Review what the answer changed in files: keep or take back each change',
      'changes',
    ],
    'response/go-back': [
      'g b',
      'Go back to before the answer: review what it and all later ones changed, to take it back',
    ],
  }),
  ...keysIn(['list'], {
    'list/open': [['Enter', 'l', 'Right'], 'Read the selected response', 'read'],
  }),
] as const;

/** Select, compare, search, copy. */
const MORE_RESPONSE_KEYS = [
  ...keysIn(['draft'], {
    'copy/line': ['Y', 'Copy the line'],
  }),
  ...keysIn(['reading', 'draft'], {
    'visual/start': [['v', 'V'], 'Select lines', 'select'],
  }),
  ...keysIn([...ANYWHERE, 'preview'], {
    'note/context': [
      'c',
      'Switch what goes out with a note: nothing, a short quote, or the full line it answers',
      'context',
    ],
  }),
  ...keysIn(['list', 'reading'], {
    'response/diff': ['D', 'Compare the response with the one before it', 'diff with previous'],
    'response/code': ['b', 'Pick a code block of the response to copy', 'code blocks'],
  }),
  ...keysIn([...ANYWHERE, 'reading-visual', 'draft-visual', 'panel'], {
    copy: ['y', 'Copy the response, the selection, the draft or the diff', 'copy'],
  }),
  ...keysIn(ANYWHERE, {
    'edit/external': ['E', 'Open the response or the draft in $EDITOR'],
  }),
  ...keysIn(['reading'], {
    'reading/form': ['M', 'Show the response as it is written, or as Markdown is read'],
  }),
  ...keysIn(['reading', 'reading-visual'], {
    'reading/scroll-down': ['Ctrl+E', 'Scroll down by a row'],
    'reading/scroll-up': ['Ctrl+Y', 'Scroll up by a row'],
  }),
  ...keysIn(['reading'], {
    'turn/next': ['J', 'Read the next older response'],
    'turn/previous': ['K', 'Read the next newer response'],
    'part/next': [']', 'Go to the next part of the response'],
    'part/previous': ['[', 'Go to the previous part of the response'],
  }),
  ...keysIn(ANYWHERE, {
    'search/open': ['/', 'Search', 'search'],
    'search/next': ['n', 'Next match'],
    'search/previous': ['N', 'Previous match'],
  }),
  ...keysIn(['responses'], {
    'pane/answer': ['g a', 'Answer the question that the AI asks', 'answer'],
    'delivery/press-enter': ['g Enter', 'Press Enter for a prompt left in the composer'],
    'sessions/open': [
      'H',
      'Earlier sessions of this project, of every AI CLI: read, search, pull from them',
      'earlier sessions',
    ],
    'responses/refresh': ['r', 'Refresh from the AI pane'],
  }),
] as const;

/** This screen's menus, questions and preview. */
const DIALOG_KEYS = [
  ...keysIn(['menu'], {
    'sessions/search': ['/', 'Search all sessions of this project', 'search all'],
    'code/save': ['w', 'Save the code block as a new file of the project', 'save'],
    'code/review': ['a', 'Offer the diff for review: it is applied hunk by hunk on screen 2', 'review'],
  }),
  ...keysIn(['preview'], {
    'preview/send': ['Enter', 'Send the text shown', 'send'],
    'preview/close': [['Esc', 'q', 'Ctrl+C'], 'Close; nothing is sent', 'close'],
    'preview/toggle': [['Space', 'x'], 'Send the selected changed line, or hold it back', 'send or keep'],
    'preview/steer': [
      'Tab',
      'Wait, or break in on the AI (where its program can do both)',
      'wait or break in',
    ],
  }),
  ...keysIn(['answer'], {
    'answer/choose': ['Enter', 'Give the AI the selected answer', 'answer'],
    'answer/cancel': [['Esc', 'q', 'Ctrl+C'], 'Leave the question open', 'cancel'],
  }),
] as const;

const PANES = ['responses', 'list', 'reading', 'draft'] as const;

const FOCUS_KEYS = [
  ...keysIn(PANES, {
    'focus/next': ['Tab', 'Next pane: list, response, draft'],
    'focus/previous': ['Shift+Tab', 'Previous pane'],
  }),
  ...keysIn(['reading', 'draft'], {
    'focus/back': ['Esc', 'Back to the list', 'list'],
  }),
  ...keysIn(['reading'], {
    'reading/back': [['h', 'Left'], 'Back to the list'],
  }),
] as const;

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
