/** Keys of the Review screen: decide, move between hunks, take back, end. */
import type { Binding } from './binding.ts';

const OPEN = ['review-files', 'review-diff'] as const;

/** In the order of the footer. */
export const REVIEW_KEYS = [
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
    contexts: [...OPEN],
    keys: ['c'],
    footer: 'comment',
    help: 'Say something about the hunk; it goes to its author',
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
    footer: 'hunk',
    help: 'Next hunk, over files',
  },
  { action: 'review/previous-hunk', contexts: [...OPEN], keys: ['p'], help: 'Previous hunk, over files' },
  {
    action: 'review/accept-all',
    contexts: [...OPEN],
    keys: ['A'],
    footer: 'rest',
    help: 'Accept every open hunk that fits; asks, and is refused when somebody decided meanwhile',
  },
  {
    action: 'review/reject-all',
    contexts: [...OPEN],
    keys: ['X'],
    help: 'Reject every open hunk; asks',
  },
  {
    action: 'review/accept-file',
    contexts: [...OPEN],
    keys: ['f'],
    footer: 'file',
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
    help: 'Take back every decision on this suggestion; asks',
  },
  {
    action: 'review/join',
    contexts: ['review-diff'],
    keys: ['S'],
    help: 'Make one hunk of its parts again',
  },
  {
    action: 'review/finish',
    contexts: ['review-diff'],
    keys: ['Enter'],
    footer: 'complete',
    help: 'Complete the review: what is open stays undecided; asks',
  },
  {
    action: 'review/discard',
    contexts: ['review-list', ...OPEN],
    keys: ['d'],
    footer: 'discard',
    help: 'Discard the suggestion; what was accepted stays; asks',
  },
  {
    action: 'review/sides',
    contexts: ['review-diff'],
    keys: ['|'],
    help: 'One side below the other, or both beside each other',
  },
  {
    action: 'review/shift-right',
    contexts: ['review-diff', 'review-lines'],
    keys: ['>', 'l', 'Right'],
    help: 'Show what stands to the right in long lines',
  },
  {
    action: 'review/shift-left',
    contexts: ['review-diff', 'review-lines'],
    keys: ['<', 'h', 'Left'],
    help: 'Back to the left in long lines',
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
