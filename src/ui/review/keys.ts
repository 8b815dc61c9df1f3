/** Keys of the Review screen: decide, move between hunks, take back, end. */
import type { Binding, ContextTitles } from '../kit/keys/binding.ts';
import { editorKeys } from '../kit/keys/editor-keys.ts';
import { moveKeys } from '../kit/keys/move-keys.ts';

const OPEN = ['review-files', 'review-diff'] as const;

/** In the order of the footer. */
const SUGGESTION_KEYS = [
  {
    action: 'review/open',
    contexts: ['review-list', 'review-files'],
    keys: ['Enter', 'l', 'Right'],
    footer: 'open',
    help: 'Open the marked suggestion or file',
  },
  {
    action: 'review/accept',
    contexts: [...OPEN, 'review-lines'],
    keys: ['a'],
    footer: 'accept',
    help: 'Accept the hunk (or the selected lines of it): it is written at once',
  },
  {
    action: 'review/reject',
    contexts: [...OPEN, 'review-lines'],
    keys: ['r'],
    footer: 'reject',
    help: 'Reject the hunk (or the selected lines of it)',
  },
  {
    action: 'review/modify',
    contexts: [...OPEN],
    keys: ['m'],
    footer: 'modify',
    help: 'Edit the resulting text in $EDITOR and accept that in place of the hunk',
  },
  {
    action: 'review/modify-diff',
    contexts: [...OPEN],
    keys: ['M'],
    help: 'Edit the diff itself in $EDITOR and accept that in place of the hunk',
  },
  {
    action: 'review/comment',
    contexts: [...OPEN, 'review-lines'],
    keys: ['c'],
    footer: 'comment',
    help: 'Say something about the hunk, the line under the cursor or the selected lines; it goes to the author',
  },
  {
    action: 'review/split',
    contexts: ['review-diff', 'review-lines'],
    keys: ['s'],
    footer: 'split',
    help: 'Split the hunk so that the change under the cursor (or the selected lines) stands apart',
  },
  {
    action: 'review/next-hunk',
    contexts: [...OPEN],
    keys: ['n'],
    footer: 'next',
    help: 'Next hunk, over files',
  },
  { action: 'review/previous-hunk', contexts: [...OPEN], keys: ['p'], help: 'Previous hunk, over files' },
  {
    action: 'review/accept-all',
    contexts: [...OPEN],
    keys: ['A'],
    footer: 'accept all',
    help: 'Accept every open hunk that fits, after a question; refused when somebody else has decided meanwhile',
  },
  {
    action: 'review/reject-all',
    contexts: [...OPEN],
    keys: ['X'],
    help: 'Reject every open hunk, after a question',
  },
  {
    action: 'review/accept-file',
    contexts: [...OPEN],
    keys: ['f'],
    footer: 'accept file',
    help: 'Accept every open hunk of the file',
  },
  {
    action: 'review/reject-file',
    contexts: [...OPEN],
    keys: ['F'],
    help: 'Reject every open hunk of the file',
  },
  {
    action: 'review/undo-all',
    contexts: [...OPEN],
    keys: ['U'],
    help: 'Undo every decision on this suggestion, after a question',
  },
  {
    action: 'review/join',
    contexts: ['review-diff'],
    keys: ['S'],
    help: 'Join the parts of a hunk again',
  },
  {
    action: 'review/finish',
    contexts: ['review-diff'],
    keys: ['Enter'],
    footer: 'finish',
    help: 'Finish the review: what is open stays undecided; asks',
  },
  {
    action: 'review/discard',
    contexts: ['review-list', ...OPEN],
    keys: ['d'],
    footer: 'discard',
    help: 'Discard the suggestion; what was accepted stays; asks',
  },
  {
    action: 'review/seen',
    contexts: [...OPEN],
    keys: ['Space'],
    footer: 'seen',
    help: 'Mark the hunk as seen and go on to the next unseen one, or as unseen again; decides nothing',
  },
  {
    action: 'review/filter',
    contexts: [...OPEN],
    keys: ['o'],
    help: 'Show only open hunks, then only those of each other fate, only unseen ones, and all again',
  },
  { action: 'review/filter-back', contexts: [...OPEN], keys: ['O'], help: 'The same the other way round' },
  {
    action: 'review/edit-file',
    contexts: [...OPEN],
    keys: ['E'],
    help: 'Open the file itself in $EDITOR, at the line of the hunk',
  },
  {
    action: 'review/more-context',
    contexts: ['review-diff'],
    keys: ['+', '='],
    help: 'Show more lines of the file around the hunk; decisions do not know of them',
  },
  {
    action: 'review/less-context',
    contexts: ['review-diff'],
    keys: ['-'],
    help: 'Show fewer lines of the file around the hunk',
  },
  {
    action: 'review/wrap',
    contexts: ['review-diff'],
    keys: ['w'],
    help: 'Wrap long lines, or cut them',
  },
  {
    action: 'review/sides',
    contexts: ['review-diff'],
    keys: ['|'],
    help: 'Show both sides side by side, or one below the other',
  },
  {
    action: 'review/blanks',
    contexts: ['review-diff'],
    keys: ['W'],
    help: 'Dim changes of whitespace alone; decisions still include them',
  },
  {
    action: 'review/shift-right',
    contexts: ['review-diff', 'review-lines'],
    keys: ['>', 'l', 'Right'],
    help: 'Scroll long lines to the right',
  },
  {
    action: 'review/shift-left',
    contexts: ['review-diff', 'review-lines'],
    keys: ['<', 'h', 'Left'],
    help: 'Scroll long lines to the left',
  },
  { action: 'review/next-open', contexts: [...OPEN], keys: [']'], help: 'Next hunk that is not decided' },
  {
    action: 'review/previous-open',
    contexts: [...OPEN],
    keys: ['['],
    help: 'Previous hunk that is not decided',
  },
  {
    action: 'review/next-match',
    contexts: [...OPEN],
    keys: ['N'],
    help: 'Next match of the search, over files',
  },
  { action: 'review/previous-match', contexts: [...OPEN], keys: ['P'], help: 'Previous match of the search' },
  { action: 'review/refresh', contexts: ['review'], keys: ['g r'], help: 'Read the suggestions again' },
] as const satisfies readonly Binding[];

/** What other screens have as well. */
const COMMON_KEYS = [
  {
    action: 'agent/save',
    contexts: [...OPEN],
    keys: ['Ctrl+S'],
    footer: 'save',
    help: 'Write what is decided to the files of the project',
  },
  {
    action: 'visual/leave',
    contexts: ['review-lines'],
    keys: ['Esc', 'v'],
    footer: 'cancel selection',
    help: 'Drop the selection',
  },
  {
    action: 'edit/undo',
    contexts: [...OPEN],
    keys: ['u'],
    footer: 'undo',
    help: 'Undo the decision on the hunk, or the last one',
  },
  { action: 'edit/redo', contexts: [...OPEN], keys: ['Ctrl+R'], help: 'Redo what was undone' },
  {
    action: 'visual/start',
    contexts: ['review-diff'],
    keys: ['v', 'V'],
    footer: 'select',
    help: 'Select lines',
  },
  { action: 'copy', contexts: ['review'], keys: ['y'], footer: 'copy', help: 'Copy the hunk' },
  { action: 'search/open', contexts: [...OPEN], keys: ['/'], footer: 'search', help: 'Search' },
] as const satisfies readonly Binding[];

/** While a comment is written. */
const COMMENT_KEYS = [
  {
    action: 'comment/make',
    contexts: ['comment'],
    keys: ['Enter', 'Ctrl+S'],
    footer: 'comment',
    help: 'Make the comment; it goes to the author',
  },
  {
    action: 'comment/newline',
    contexts: ['comment'],
    keys: ['Alt+Enter', 'Ctrl+J', 'Shift+Enter'],
    footer: 'new line',
    help: 'Begin a new line',
  },
  {
    action: 'comment/edit',
    contexts: ['comment'],
    keys: ['Ctrl+G'],
    footer: 'editor',
    help: 'Write the comment in $EDITOR',
  },
  {
    action: 'comment/leave',
    contexts: ['comment'],
    keys: ['Esc', 'Ctrl+C'],
    footer: 'leave',
    help: 'Leave it; the text is kept for the next time',
  },
  ...editorKeys(['comment']),
  { action: 'insert/tab', contexts: ['comment'], keys: ['Tab'], help: 'A tab' },
] as const satisfies readonly Binding[];

const FOCUS_KEYS = [
  { action: 'focus/next', contexts: [...OPEN], keys: ['Tab'], help: 'Next pane: files, diff' },
  { action: 'focus/previous', contexts: [...OPEN], keys: ['Shift+Tab'], help: 'Previous pane' },
  { action: 'focus/back', contexts: [...OPEN], keys: ['Esc'], help: 'Back to the files, to the list' },
] as const satisfies readonly Binding[];

/** In the order of the footer. */
export const REVIEW_KEYS = [
  ...COMMENT_KEYS,
  ...SUGGESTION_KEYS,
  ...COMMON_KEYS,
  ...moveKeys(['review-list', ...OPEN, 'review-lines']),
  ...FOCUS_KEYS,
] as const satisfies readonly Binding[];

export type ReviewAction = (typeof REVIEW_KEYS)[number]['action'];

export const REVIEW_CONTEXTS = {
  review: 'Review',
  'review-list': 'List of suggestions',
  'review-files': 'Files of a suggestion',
  'review-diff': 'Diff',
  'review-lines': 'Diff, lines selected',
  comment: 'Writing a comment',
} as const satisfies ContextTitles;
