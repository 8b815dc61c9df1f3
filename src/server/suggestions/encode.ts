/** Makes the suggestion protocol's review events from those of the host. Pure. */
import { count } from '../../lib/count.ts';
import { encodeBrief, encodeSuggestion } from '../../protocol/encode-suggestion.ts';
import type { EventBody } from '../../protocol/event.ts';
import type { Report } from '../../protocol/report.ts';
import type { ReviewDecision, Suggestion, SuggestionSummary } from '../../protocol/review.ts';
import { feedbackSentence } from './feedback.ts';

type Wire = Record<string, unknown>;

/** `Suggestion ready: DESCRIPTION (5 hunks in 3 files)` */
function readyWords({ description, hunkCount, files }: SuggestionSummary): string {
  return `Suggestion ready: ${description} (${count(hunkCount, 'hunk')} in ${count(files.length, 'file')})`;
}

const ACTIONS = { accept: 'accepted', reject: 'rejected', modify: 'modified' } as const;

function encodeDecision(decision: ReviewDecision, remaining: number): Wire[] {
  const { action } = decision;
  if (action !== 'accept' && action !== 'reject' && action !== 'modify') return [];
  return [
    {
      type: 'suggestion.hunk_applied',
      suggestion_id: decision.suggestion,
      hunk_id: decision.hunk,
      file: decision.file,
      action: ACTIONS[action],
      applied: decision.applied,
      ...(decision.comment === null ? {} : { comment: decision.comment }),
      ...(decision.lines === null ? {} : { lines: decision.lines }),
      remaining_hunks: remaining,
      feedback: feedbackSentence({ ...decision, remaining }),
    },
  ];
}

/** The progress of the review; null if nothing was decided or ended. */
function encodeStatus(summary: SuggestionSummary, isDecided: boolean): Wire | null {
  const { id, status, hunkCount, decidedCount } = summary;
  const ended = status === 'finalized' || status === 'discarded';
  if (!ended && !isDecided) return null;
  const about = { type: 'suggestion.status', suggestion_id: id };
  if (ended) return { ...about, status: 'applied', message: `Suggestion ${status}` };
  if (decidedCount === 0)
    return { ...about, status: 'ready', message: `No hunk is decided (${count(hunkCount, 'hunk')})` };
  return {
    ...about,
    status: decidedCount === hunkCount ? 'applied' : 'partial',
    message: `${decidedCount}/${hunkCount} hunks reviewed`,
  };
}

function encodeReport({ message, status, error, suggestion, hunk }: Report): Wire {
  const about = { message, ...(suggestion === null ? {} : { suggestion_id: suggestion }) };
  if (error === null) return { type: 'suggestion.status', ...about, status };
  return { type: 'suggestion.error', ...about, code: error, ...(hunk === null ? {} : { hunk_id: hunk }) };
}

/** A new suggestion, and the sentence that announces it. */
export function encodePublished(suggestion: Suggestion): Wire[] {
  const words = { suggestion_id: suggestion.id, status: 'ready', message: readyWords(suggestion) };
  return [
    { type: 'suggestion.ready', suggestion: encodeSuggestion(suggestion) },
    { type: 'suggestion.status', ...words },
  ];
}

/** The event for each author of other suggestions about the same files; null: the user's programs. */
export function encodeTouched(
  body: Extract<EventBody, { type: 'review/touched' }>,
): { readonly author: string | null; readonly message: Wire }[] {
  const byAuthor = Map.groupBy(body.suggestions, ({ author }) => author);
  return [...byAuthor].map(([author, own]) => {
    const suggestions = own.map(({ id, revision }) => ({ id, revision }));
    const about = { working_directory: body.target, files: body.files };
    return { author, message: { type: 'suggestion.touched', ...about, suggestions } };
  });
}

/** The events about a change: each decision, the progress of the review, and the current suggestion. */
export function encodeChange(
  body: Extract<EventBody, { type: 'review/changed' | 'review/reported' }>,
): Wire[] {
  if (body.type === 'review/reported') return [encodeReport(body.report)];
  const { suggestion, decisions, moreDecisions } = body;
  const remaining = suggestion.hunkCount - suggestion.decidedCount;
  const feedback = decisions.map((decision) => feedbackSentence({ ...decision, remaining }));
  const status = encodeStatus(
    suggestion,
    decisions.some(({ action }) => action !== 'comment'),
  );
  return [
    ...decisions.flatMap((decision) => encodeDecision(decision, remaining)),
    ...(status === null ? [] : [status]),
    {
      type: 'suggestion.changed',
      suggestion_id: suggestion.id,
      ...(moreDecisions > 0 ? { more_decisions: moreDecisions } : {}),
      ...(feedback.length > 0 ? { feedback } : {}),
      suggestion: encodeBrief(suggestion),
    },
  ];
}
