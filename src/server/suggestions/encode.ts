/** From the review's own records to the objects of the suggestion protocol, in both spellings. */
import type { EventBody } from '../../protocol/event.ts';
import type { Report } from '../../protocol/report.ts';
import type { Comment, Hunk, ReviewDecision, Suggestion, SuggestionSummary } from '../../protocol/review.ts';
import { bothSpellings } from '../../protocol/suggestion-spelling.ts';
import type { WireBrief } from '../../protocol/suggestion-wire.ts';
import { feedbackSentence } from './feedback.ts';

type Wire = Record<string, unknown>;

/** The fields of a summary in one spelling, to be made part of something. */
function briefFields(summary: SuggestionSummary): WireBrief {
  return {
    id: summary.id,
    jj_change_id: /^jj ([k-z]+) in /.exec(summary.source)?.[1] ?? '',
    description: summary.description,
    files: summary.files,
    hunk_count: summary.hunkCount,
    reviewed_count: summary.decidedCount,
    remaining_count: summary.hunkCount - summary.decidedCount,
    status: summary.status,
    working_directory: summary.target,
    source: summary.source,
    created_at: summary.createdAt,
    revision: summary.revision,
    in_place: summary.inPlace,
    author: summary.author,
  };
}

/** A suggestion without its hunks. */
export function encodeBrief(summary: SuggestionSummary): Wire {
  return bothSpellings(briefFields(summary));
}

/** A suggestion with its hunks and the state of each. */
export function encodeFull(suggestion: Suggestion): Wire {
  return bothSpellings({
    ...briefFields(suggestion),
    hunks: suggestion.hunks.map((hunk) => encodeHunk(suggestion.id, hunk)),
    hunk_states: Object.fromEntries(suggestion.hunks.map((hunk) => [hunk.id, stateOf(hunk)])),
    notes: suggestion.notes,
  });
}

/** A hunk as it now is. */
export function encodeHunk(suggestionId: string, hunk: Hunk): Wire {
  const start = /^@@ -(\d+)/.exec(hunk.diff)?.[1];
  const { diffComplete, comments, ...plain } = hunk;
  return bothSpellings({
    ...plain,
    diff_complete: diffComplete,
    comments: comments.map(({ text }) => text),
    line_comments: comments.filter(({ lines }) => lines !== null).map(encodeLineComment),
    suggestion_id: suggestionId,
    original_lines: start === undefined ? [] : originalLines(hunk.diff),
    original_start_line: start === undefined ? null : Number(start),
  });
}

function encodeLineComment({ text, lines, place, quote }: Comment): Wire {
  return { comment: text, lines, file_lines: place, quote };
}

function originalLines(diff: string): string[] {
  return diff
    .split('\n')
    .slice(1)
    .flatMap((line) => (line.startsWith(' ') || line.startsWith('-') ? [line.slice(1)] : []));
}

function stateOf(hunk: Hunk): Wire {
  const { status } = hunk;
  const reviewed = status === 'accepted' || status === 'rejected' || status === 'modified';
  return {
    reviewed,
    status,
    ...(reviewed ? { action: status } : {}),
    ...(hunk.comments.length === 0 ? {} : { comment: hunk.comments.at(-1)?.text }),
  };
}

/** `Suggestion ready: DESCRIPTION (5 hunks in 3 files)` */
function readyWords({ description, hunkCount, files }: SuggestionSummary): string {
  const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;
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
      comment: decision.comment,
      lines: decision.lines,
      remaining_hunks: remaining,
      feedback: feedbackSentence({ ...decision, remaining }),
    },
  ];
}

function encodeStatus(summary: SuggestionSummary): Wire {
  const { id, status, hunkCount, decidedCount } = summary;
  const ended = status === 'finalized' || status === 'discarded';
  return {
    type: 'suggestion.status',
    suggestion_id: id,
    status: ended || decidedCount === hunkCount ? 'applied' : 'partial',
    message: ended ? `Suggestion ${status}` : `${decidedCount}/${hunkCount} hunks reviewed`,
  };
}

function encodeReport({ message, status, error, suggestion, hunk }: Report): Wire {
  const about = { suggestion_id: suggestion ?? undefined, message };
  if (error === null) return { type: 'suggestion.status', ...about, status };
  return { type: 'suggestion.error', ...about, code: error, hunk_id: hunk ?? undefined };
}

/** A new suggestion, and the sentence that tells people of it. */
export function encodePublished(suggestion: Suggestion): Wire[] {
  const words = { suggestion_id: suggestion.id, status: 'ready', message: readyWords(suggestion) };
  return [
    { type: 'suggestion.ready', suggestion: encodeFull(suggestion) },
    { type: 'suggestion.status', ...words },
  ];
}

/** What a client is told about a change: each decision, how far the review is, and the suggestion as it now is. */
export function encodeChange(
  body: Extract<EventBody, { type: 'review/changed' | 'review/reported' }>,
): Wire[] {
  if (body.type === 'review/reported') return [encodeReport(body.report)];
  const { suggestion, decisions, moreDecisions } = body;
  const remaining = suggestion.hunkCount - suggestion.decidedCount;
  const changed = {
    type: 'suggestion.changed',
    suggestion_id: suggestion.id,
    more_decisions: moreDecisions ?? 0,
    feedback: decisions.map((decision) => feedbackSentence({ ...decision, remaining })),
    suggestion: encodeBrief(suggestion),
  };
  return [
    ...decisions.flatMap((decision) => encodeDecision(decision, remaining)),
    encodeStatus(suggestion),
    changed,
  ];
}
