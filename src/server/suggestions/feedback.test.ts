import { expect, it } from 'vitest';
import { type Feedback, feedbackSentence } from './feedback.ts';

const sentence = (change: Partial<Feedback>) =>
  feedbackSentence({ action: 'accept', file: 'src/a.ts', comment: null, remaining: 2, ...change });

it.each<[Partial<Feedback>, string]>([
  [{}, '[Suggestion Feedback] User accepted hunk in src/a.ts. 2 hunks remaining.'],
  [
    { action: 'reject', remaining: 1 },
    '[Suggestion Feedback] User rejected hunk in src/a.ts. 1 hunk remaining.',
  ],
  [
    { action: 'modify', remaining: 0 },
    '[Suggestion Feedback] User modified hunk in src/a.ts. 0 hunks remaining.',
  ],
  [
    { comment: ' Why\n\n  not? ' },
    '[Suggestion Feedback] User accepted hunk in src/a.ts. 2 hunks remaining. Comment: "Why not?"',
  ],
  [{ comment: '  ' }, '[Suggestion Feedback] User accepted hunk in src/a.ts. 2 hunks remaining.'],
  [
    { action: 'undo' },
    '[Suggestion Feedback] User took back the decision on hunk in src/a.ts. 2 hunks remaining.',
  ],
  [
    { action: 'comment', comment: 'x' },
    '[Suggestion Feedback] User commented on hunk in src/a.ts. 2 hunks remaining. Comment: "x"',
  ],
])('%j', (change, words) => {
  expect(sentence(change)).toBe(words);
});
