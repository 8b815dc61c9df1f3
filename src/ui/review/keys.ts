/** The Review screen's keys: decide, move between hunks, undo, finish. */
import { type Binding, type ContextTitles, keysIn } from '../kit/keys/binding.ts';
import { editorKeys } from '../kit/keys/editor-keys.ts';
import { moveKeys } from '../kit/keys/move-keys.ts';

const OPEN = ['review-files', 'review-diff'] as const;

/** In the order of the footer. */
const SUGGESTION_KEYS = [
  ...keysIn(['review-list', 'review-files'], {
    'review/open': [['Enter', 'l', 'Right'], 'Open the selected suggestion or file', 'open'],
  }),
  ...keysIn(['review'], {
    'review/start': ['b', 'Begin a review of your own changes: the working tree, what is staged, a branch'],
    'review/reopen': ['R', 'Reopen the review that ended last'],
    'review/refresh': ['g r', 'Reload the suggestions'],
  }),
  ...keysIn([...OPEN, 'review-lines'], {
    'review/accept': ['a', 'Accept the hunk (or its selected lines): written to disk at once', 'accept'],
    'review/reject': ['r', 'Reject the hunk (or its selected lines)', 'reject'],
  }),
  ...keysIn(OPEN, {
    'review/modify': ['m', 'Edit the resulting text in $EDITOR and accept it instead of the hunk', 'modify'],
    'review/modify-diff': ['M', 'Edit the diff itself in $EDITOR and accept it instead of the hunk'],
  }),
  ...keysIn([...OPEN, 'review-lines'], {
    'review/comment': [
      'c',
      'Comment on the hunk, the line under the cursor or the selected lines; the author sees it',
      'comment',
    ],
  }),
  ...keysIn(OPEN, {
    'review/say-why': [
      'i',
      'Say why the hunk that was rejected last was rejected; the author sees it',
      'say why',
    ],
  }),
  ...keysIn(['review-diff', 'review-lines'], {
    'review/split': [
      's',
      'Split the change under the cursor (or the selected lines) off into a hunk of its own',
      'split',
    ],
  }),
  ...keysIn(OPEN, {
    'review/next-hunk': ['n', 'Next hunk, across files', 'next'],
    'review/previous-hunk': ['p', 'Previous hunk, across files'],
    'review/accept-all': [
      'A',
      'Accept every open hunk that fits; asks first, and is refused if someone else has decided meanwhile',
      'accept all',
    ],
    'review/reject-all': ['X', 'Reject every open hunk; asks first'],
    'review/accept-file': ['f', 'Accept every open hunk of the file', 'accept file'],
    'review/reject-file': ['F', 'Reject every open hunk of the file'],
    'review/undo-all': ['U', 'Undo every decision on this suggestion; asks first'],
  }),
  ...keysIn(['review-diff'], {
    'review/join': ['S', 'Join the parts of a hunk again'],
    'review/finish': ['Enter', 'Finish the review: open hunks stay undecided; asks first', 'finish'],
  }),
  ...keysIn(OPEN, {
    'review/commit': [
      'C',
      'Commit what was accepted, with a message and your hooks, and finish the review; asks first',
    ],
  }),
  ...keysIn(['review-list', ...OPEN], {
    'review/discard': ['d', 'Discard the suggestion: accepted hunks stay; asks first', 'discard'],
  }),
  ...keysIn(['review-list'], {
    'review/everywhere': [
      'o',
      'Show the suggestions of other projects as well, below those of this one, or hide them again',
      'other projects',
    ],
  }),
  ...keysIn(OPEN, {
    'review/seen': [
      'Space',
      'Mark the hunk as seen and go to the next unseen one, or mark it unseen; decides nothing',
      'seen',
    ],
    'review/filter': ['o', 'Cycle the filter: open hunks, each other state, unseen ones, new ones, all'],
    'review/new': ['L', 'Show only what is new since you last decided or commented, or all again'],
    'review/filter-back': ['O', 'Cycle the filter backwards'],
    'review/edit-file': ['E', 'Open the file itself in $EDITOR, at the line of the hunk'],
  }),
  ...keysIn(OPEN, {
    'review/more-context': [
      ['+', '='],
      'Show more lines of the file around the hunk; does not affect decisions',
    ],
    'review/less-context': ['-', 'Show fewer lines of the file around the hunk'],
    'review/wrap': ['w', 'Wrap long lines, or cut them'],
    'review/sides': ['|', 'Switch between side by side and unified'],
    'review/blanks': [
      'W',
      'Dim lines that change in whitespace alone and fold hunks of such lines; decisions still include them',
    ],
    'review/fold': [
      'z',
      'Fold the hunk to its header, or unfold it; a lockfile or generated file folds as a whole',
    ],
  }),
  ...keysIn(['review-diff', 'review-lines'], {
    'review/shift-right': [['>', 'l', 'Right'], 'Scroll long lines to the right'],
    'review/shift-left': [['<', 'h', 'Left'], 'Scroll long lines to the left'],
  }),
  ...keysIn(OPEN, {
    'review/next-open': [']', 'Next undecided hunk'],
    'review/previous-open': ['[', 'Previous undecided hunk'],
    'review/next-open-file': ['}', 'Next file with an undecided hunk'],
    'review/previous-open-file': ['{', 'Previous file with an undecided hunk'],
    'review/next-match': ['N', 'Next search match, across files'],
    'review/previous-match': ['P', 'Previous match of the search'],
    'review/to-draft': [
      'D',
      'What was taken back and every comment as notes of the draft, to be sent to the AI',
      'reasons to draft',
    ],
    'review/scope': [
      'T',
      'Next scope: this answer, from it on, the whole session, all since the last commit, this answer again',
      'scope',
    ],
    'review/follow': ['g f', 'Go to the newest change of the AI whenever one comes, or stay where you are'],
  }),
] as const;

/** Keys that other screens have as well. */
const COMMON_KEYS = [
  ...keysIn(OPEN, {
    'agent/save': ['Ctrl+S', 'Write the decided changes to disk', 'save'],
  }),
  ...keysIn(['review-lines'], {
    'visual/leave': [['Esc', 'v'], 'Drop the selection', 'cancel selection'],
  }),
  ...keysIn(OPEN, {
    'edit/undo': ['u', 'Undo the decision on the hunk, or the last one', 'undo'],
    'edit/redo': ['Ctrl+R', 'Redo what was undone'],
  }),
  ...keysIn(['review-diff'], {
    'visual/start': [['v', 'V'], 'Select lines', 'select'],
  }),
  ...keysIn(['review'], {
    copy: ['y', 'Copy the hunk', 'copy'],
  }),
  ...keysIn(['review-list', ...OPEN], {
    'search/open': ['/', 'Search', 'search'],
  }),
] as const;

/** While a comment is being written. */
const COMMENT_KEYS = [
  ...keysIn(['comment'], {
    'comment/make': [['Enter', 'Ctrl+S'], 'Send the comment to the author', 'comment'],
    'comment/newline': [['Alt+Enter', 'Ctrl+J', 'Shift+Enter'], 'Start a new line', 'new line'],
    'comment/edit': ['Ctrl+G', 'Write the comment in $EDITOR', 'editor'],
    'comment/leave': [['Esc', 'Ctrl+C'], 'Close; the text is kept for next time', 'leave'],
  }),
  ...editorKeys(['comment']),
  ...keysIn(['comment'], {
    'insert/tab': ['Tab', 'A tab'],
  }),
] as const;

const FOCUS_KEYS = [
  ...keysIn(OPEN, {
    'focus/next': ['Tab', 'Next pane: files, diff'],
    'focus/previous': ['Shift+Tab', 'Previous pane'],
  }),
  ...keysIn(['review-list', ...OPEN], {
    'focus/back': ['Esc', 'Back to the files, to the list, to all of it after a search'],
  }),
] as const;

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
