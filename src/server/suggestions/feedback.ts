/** The sentence that tells the author of a change about a decision, the same on every wire. Pure. */
import { rangeWords } from '../../lib/count.ts';
import type { DecisionEntry } from '../../protocol/review.ts';

export interface Feedback {
  readonly action: DecisionEntry['action'];
  readonly file: string;
  readonly comment: string | null;
  /** The lines that a comment is about. */
  readonly place?: DecisionEntry['place'];
  /** Hunks of the suggestion that are undecided. */
  readonly remaining: number;
}

const VERBS: Readonly<Record<DecisionEntry['action'], string>> = {
  accept: 'accepted hunk in',
  reject: 'rejected hunk in',
  modify: 'modified hunk in',
  undo: 'took back the decision on hunk in',
  redo: 'put back the decision on hunk in',
  comment: 'commented on hunk in',
};

/** `[Suggestion Feedback] User accepted hunk in FILE. N hunks remaining. Comment: "…"`, or `commented on FILE:3-4`. */
export function feedbackSentence({ action, file, comment, place, remaining }: Feedback): string {
  const left = `${remaining} ${remaining === 1 ? 'hunk' : 'hunks'} remaining.`;
  const words = comment === null || comment.trim() === '' ? '' : ` Comment: "${oneLine(comment)}"`;
  const isOnLines = action === 'comment' && place != null;
  const what = isOnLines ? `commented on ${file}:${rangeWords(place)}` : `${VERBS[action]} ${file}`;
  return `[Suggestion Feedback] User ${what}. ${left}${words}`;
}

/** A comment of several lines stays one sentence. */
const oneLine = (text: string): string => text.trim().replace(/\s*\n\s*/g, ' ');
