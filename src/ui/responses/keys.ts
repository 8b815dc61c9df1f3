/** Keys of the Responses screen: what is done with a response, wherever the focus is. */
import type { Binding } from '../kit/keys/binding.ts';

const ANYWHERE = ['list', 'reading', 'draft'] as const;

/** The ones that are wanted most: pull, note, send. */
export const RESPONSE_KEYS = [
  {
    action: 'visual/leave',
    contexts: ['reading-visual', 'draft-visual', 'review-lines'],
    keys: ['Esc', 'v'],
    footer: 'leave selection',
    help: 'Drop the selection',
  },
  {
    action: 'response/pull',
    contexts: ['list', 'reading', 'reading-visual', 'draft'],
    keys: ['p'],
    footer: 'pull',
    help: 'Pull the response (or the selected lines) into the draft below the cursor',
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
    help: 'Pull as plain text: the lines become notes of yours',
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
    action: 'draft/send',
    contexts: [...ANYWHERE, 'draft-visual'],
    keys: ['s'],
    footer: 'send',
    help: 'Preview exactly what will be sent; Enter there sends it',
  },
  {
    action: 'list/open',
    contexts: ['list'],
    keys: ['Enter', 'l', 'Right'],
    footer: 'read',
    help: 'Read the marked response',
  },
] as const satisfies readonly Binding[];

/** Select, compare, search, copy. */
export const MORE_RESPONSE_KEYS = [
  { action: 'copy/line', contexts: ['draft'], keys: ['Y'], help: 'Copy the line' },
  {
    action: 'visual/start',
    contexts: ['reading', 'draft', 'review-diff'],
    keys: ['v', 'V'],
    footer: 'select',
    help: 'Select lines',
  },
  {
    action: 'note/context',
    contexts: [...ANYWHERE, 'preview'],
    keys: ['c'],
    footer: 'context',
    help: 'How much of the answered line goes out with a note: nothing, a short quote, the full line',
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
    contexts: [...ANYWHERE, 'reading-visual', 'draft-visual', 'panel', 'review', 'shell'],
    keys: ['y'],
    footer: 'copy',
    help: 'Copy the response, the selection, the draft, the hunk or the command line',
  },
  {
    action: 'edit/external',
    contexts: [...ANYWHERE],
    keys: ['E'],
    help: 'Open the response or the draft in $EDITOR',
  },
  { action: 'part/next', contexts: ['reading'], keys: [']'], help: 'Go to the next part of the response' },
  {
    action: 'part/previous',
    contexts: ['reading'],
    keys: ['['],
    help: 'Go to the previous part of the response',
  },
  {
    action: 'search/open',
    contexts: [...ANYWHERE, 'review-files', 'review-diff'],
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
    help: 'Answer the question that the AI asks',
  },
  {
    action: 'delivery/press-enter',
    contexts: ['responses'],
    keys: ['g Enter'],
    help: 'Press Enter for a prompt that stands in the composer of the AI',
  },
  { action: 'responses/refresh', contexts: ['responses'], keys: ['r'], help: 'Look at the AI pane again' },
] as const satisfies readonly Binding[];
