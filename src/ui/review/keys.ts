/** Keys of the Review screen: decide, move between hunks, undo, end. */
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
    help: 'Open the selected suggestion or file',
  },
  {
    action: 'review/accept',
    contexts: [...OPEN, 'review-lines'],
    keys: ['a'],
    footer: 'accept',
    help: 'Accept the hunk (or its selected lines): written to disk at once',
  },
  {
    action: 'review/reject',
    contexts: [...OPEN, 'review-lines'],
    keys: ['r'],
    footer: 'reject',
    help: 'Reject the hunk (or its selected lines)',
  },
  {
    action: 'review/modify',
    contexts: [...OPEN],
    keys: ['m'],
    footer: 'modify',
    help: 'Edit the resulting text in $EDITOR and accept it instead of the hunk',
  },
  {
    action: 'review/modify-diff',
    contexts: [...OPEN],
    keys: ['M'],
    help: 'Edit the diff itself in $EDITOR and accept it instead of the hunk',
  },
  {
    action: 'review/comment',
    contexts: [...OPEN, 'review-lines'],
    keys: ['c'],
    footer: 'comment',
    help: 'Comment on the hunk, the line under the cursor or the selected lines; the author sees it',
  },
  {
    action: 'review/split',
    contexts: ['review-diff', 'review-lines'],
    keys: ['s'],
    footer: 'split',
    help: 'Split the change under the cursor (or the selected lines) off into a hunk of its own',
  },
  {
    action: 'review/next-hunk',
    contexts: [...OPEN],
    keys: ['n'],
    footer: 'next',
    help: 'Next hunk, across files',
  },
  { action: 'review/previous-hunk', contexts: [...OPEN], keys: ['p'], help: 'Previous hunk, across files' },
  {
    action: 'review/accept-all',
    contexts: [...OPEN],
    keys: ['A'],
    footer: 'accept all',
    help: 'Accept every open hunk that fits; asks first, and is refused if someone else has decided meanwhile',
  },
  {
    action: 'review/reject-all',
    contexts: [...OPEN],
    keys: ['X'],
    help: 'Reject every open hunk; asks first',
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
    help: 'Undo every decision on this suggestion; asks first',
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
    help: 'Finish the review: open hunks stay undecided; asks first',
  },
  {
    action: 'review/commit',
    contexts: ['review-diff'],
    keys: ['C'],
    help: 'Commit what was accepted, with a message and your hooks, and finish the review; asks first',
  },
  {
    action: 'review/discard',
    contexts: ['review-list', ...OPEN],
    keys: ['d'],
    footer: 'discard',
    help: 'Discard the suggestion: accepted hunks stay; asks first',
  },
  {
    action: 'review/everywhere',
    contexts: ['review-list'],
    keys: ['o'],
    footer: 'other projects',
    help: 'Show the suggestions of other projects as well, below those of this one, or hide them again',
  },
  {
    action: 'review/start',
    contexts: ['review'],
    keys: ['b'],
    help: 'Begin a review of your own changes: the working tree, what is staged, a branch',
  },
  {
    action: 'review/seen',
    contexts: [...OPEN],
    keys: ['Space'],
    footer: 'seen',
    help: 'Mark the hunk as seen and go to the next unseen one, or mark it unseen; decides nothing',
  },
  {
    action: 'review/filter',
    contexts: [...OPEN],
    keys: ['o'],
    help: 'Cycle the filter: open hunks, each other state, unseen ones, new ones, all',
  },
  {
    action: 'review/new',
    contexts: [...OPEN],
    keys: ['L'],
    help: 'Show only what is new since you last decided or commented, or all again',
  },
  { action: 'review/filter-back', contexts: [...OPEN], keys: ['O'], help: 'Cycle the filter backwards' },
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
    help: 'Show more lines of the file around the hunk; does not affect decisions',
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
    help: 'Switch between side by side and unified',
  },
  {
    action: 'review/blanks',
    contexts: ['review-diff'],
    keys: ['W'],
    help: 'Dim lines that change in whitespace alone and fold hunks of such lines; decisions still include them',
  },
  {
    action: 'review/fold',
    contexts: [...OPEN],
    keys: ['z'],
    help: 'Fold the hunk to its header, or unfold it; a lockfile or generated file folds as a whole',
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
  { action: 'review/next-open', contexts: [...OPEN], keys: [']'], help: 'Next undecided hunk' },
  {
    action: 'review/previous-open',
    contexts: [...OPEN],
    keys: ['['],
    help: 'Previous undecided hunk',
  },
  {
    action: 'review/next-match',
    contexts: [...OPEN],
    keys: ['N'],
    help: 'Next search match, across files',
  },
  { action: 'review/previous-match', contexts: [...OPEN], keys: ['P'], help: 'Previous match of the search' },
  {
    action: 'review/to-draft',
    contexts: [...OPEN],
    keys: ['D'],
    footer: 'reasons to draft',
    help: 'What was taken back and every comment as notes of the draft, to be sent to the AI',
  },
  {
    action: 'review/scope',
    contexts: [...OPEN],
    keys: ['T'],
    footer: 'scope',
    help: 'Of what an answer changed: this answer, from it on, the whole session, since the last commit',
  },
  {
    action: 'review/follow',
    contexts: [...OPEN],
    keys: ['g f'],
    help: 'Go to the newest change of the AI whenever one comes, or stay where you are',
  },
  {
    action: 'review/reopen',
    contexts: ['review'],
    keys: ['R'],
    help: 'Reopen the review that ended last',
  },
  { action: 'review/refresh', contexts: ['review'], keys: ['g r'], help: 'Reload the suggestions' },
] as const satisfies readonly Binding[];

/** What other screens have as well. */
const COMMON_KEYS = [
  {
    action: 'agent/save',
    contexts: [...OPEN],
    keys: ['Ctrl+S'],
    footer: 'save',
    help: 'Write the decided changes to disk',
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
  {
    action: 'search/open',
    contexts: ['review-list', ...OPEN],
    keys: ['/'],
    footer: 'search',
    help: 'Search',
  },
] as const satisfies readonly Binding[];

/** While a comment is written. */
const COMMENT_KEYS = [
  {
    action: 'comment/make',
    contexts: ['comment'],
    keys: ['Enter', 'Ctrl+S'],
    footer: 'comment',
    help: 'Send the comment to the author',
  },
  {
    action: 'comment/newline',
    contexts: ['comment'],
    keys: ['Alt+Enter', 'Ctrl+J', 'Shift+Enter'],
    footer: 'new line',
    help: 'Start a new line',
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
    help: 'Close; the text is kept for next time',
  },
  ...editorKeys(['comment']),
  { action: 'insert/tab', contexts: ['comment'], keys: ['Tab'], help: 'A tab' },
] as const satisfies readonly Binding[];

const FOCUS_KEYS = [
  { action: 'focus/next', contexts: [...OPEN], keys: ['Tab'], help: 'Next pane: files, diff' },
  { action: 'focus/previous', contexts: [...OPEN], keys: ['Shift+Tab'], help: 'Previous pane' },
  {
    action: 'focus/back',
    contexts: ['review-list', ...OPEN],
    keys: ['Esc'],
    help: 'Back to the files, to the list, to all of it after a search',
  },
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
