/** A review as an AI reads it: short, one spelling, and bounded, since every character is paid for. */
import type { Hunk, Suggestion, SuggestionSummary } from '../../protocol/review.ts';
import { feedbackSentence } from '../suggestions/feedback.ts';

/** Diffs of one answer, in characters; what is beyond is named, not shown. */
const DIFFS_MAX_CHARACTERS = 60_000;

export function describeBrief(summary: SuggestionSummary) {
  return {
    suggestion_id: summary.id,
    description: summary.description,
    status: summary.status,
    working_directory: summary.target,
    files: summary.files,
    hunk_count: summary.hunkCount,
    remaining_hunks: summary.hunkCount - summary.decidedCount,
    revision: summary.revision,
  };
}

/** A hunk without its diff. */
export function describeHunk(hunk: Hunk) {
  return {
    id: hunk.id,
    file: hunk.file,
    kind: hunk.kind,
    status: hunk.status,
    ...(hunk.reason === null ? {} : { reason: hunk.reason }),
    ...(hunk.note === null ? {} : { note: hunk.note }),
    ...(hunk.comments.length === 0
      ? {}
      : {
          comments: hunk.comments.map(({ text, lines, place, quote }) =>
            lines === null ? { comment: text } : { comment: text, lines: place, quote },
          ),
        }),
  };
}

/** Hunks with their diffs, as long as there is room. */
export function describeHunks(hunks: readonly Hunk[], withDiff: (hunk: Hunk) => boolean) {
  let room = DIFFS_MAX_CHARACTERS;
  return hunks.map((hunk) => {
    const described = describeHunk(hunk);
    if (!withDiff(hunk)) return described;
    room -= hunk.diff.length;
    if (room < 0) return { ...described, diff_left_out: `${hunk.diff.length} characters` };
    return { ...described, diff: hunk.diff };
  });
}

const DECIDED = { accepted: 'accept', rejected: 'reject', modified: 'modify' } as const;

/** What the reviewer has decided so far, a sentence a hunk. */
export function decisionSentences({ hunks, hunkCount, decidedCount }: Suggestion): string[] {
  return hunks.flatMap(({ status, file, comments }) => {
    if (status !== 'accepted' && status !== 'rejected' && status !== 'modified') return [];
    const comment = comments.at(-1)?.text ?? null;
    return [
      feedbackSentence({ action: DECIDED[status], file, comment, remaining: hunkCount - decidedCount }),
    ];
  });
}
