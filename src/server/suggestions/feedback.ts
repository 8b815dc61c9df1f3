/** The sentence that tells the author of a change about a decision, the same on every wire. Pure. */
import type { DecisionEntry } from '../../protocol/review.ts';

export interface Feedback {
  readonly action: DecisionEntry['action'];
  readonly file: string;
  readonly comment: string | null;
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

/** `[Suggestion Feedback] User accepted hunk in FILE. N hunks remaining. Comment: "…"` */
export function feedbackSentence({ action, file, comment, remaining }: Feedback): string {
  const left = `${remaining} ${remaining === 1 ? 'hunk' : 'hunks'} remaining.`;
  const words = comment === null || comment.trim() === '' ? '' : ` Comment: "${oneLine(comment)}"`;
  return `[Suggestion Feedback] User ${VERBS[action]} ${file}. ${left}${words}`;
}

/** A comment of several lines stays one sentence. */
function oneLine(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, ' ');
}
