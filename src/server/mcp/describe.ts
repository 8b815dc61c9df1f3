/** Describes a review to an AI: the objects of the suggestion protocol, limited in size, since tokens cost. */
import * as z from 'zod';
import { encodeBrief, encodeHunk, encodeHunkState } from '../../protocol/encode-suggestion.ts';
import type { Hunk, Suggestion, SuggestionSummary } from '../../protocol/review.ts';
import {
  type BareHunk,
  bareHunkSchema,
  briefSchema,
  fullSchema,
  type WireBrief,
} from '../../protocol/suggestion-wire.ts';
import { feedbackSentence } from '../suggestions/feedback.ts';

/** Characters of diffs in one answer; further hunks come without a diff. */
const DIFFS_MAX_CHARACTERS = 60_000;

/** A suggestion in the tools' answers, with the field names of their parameters. */
export const describedSchema = z.object({ suggestion_id: z.string(), ...briefSchema.shape });

/** A suggestion with its hunks. */
export const describedFullSchema = describedSchema.extend({
  hunks: z.array(bareHunkSchema),
  notes: fullSchema.shape.notes,
  stack: fullSchema.shape.stack,
});

export function describeBrief(summary: SuggestionSummary): WireBrief & { readonly suggestion_id: string } {
  return { suggestion_id: summary.id, ...encodeBrief(summary) };
}

/** Hunks, with their diffs while there is room. */
export function describeHunks(hunks: readonly Hunk[], withDiff: (hunk: Hunk) => boolean): BareHunk[] {
  let room = DIFFS_MAX_CHARACTERS;
  return hunks.map((hunk) => {
    if (!withDiff(hunk)) return encodeHunkState(hunk);
    room -= hunk.diff.length;
    return room < 0 ? encodeHunkState(hunk) : encodeHunk(hunk);
  });
}

const DECIDED = { accepted: 'accept', rejected: 'reject', modified: 'modify' } as const;

/** The reviewer's decisions so far, a sentence per hunk. */
export function decisionSentences({ hunks, hunkCount, decidedCount }: Suggestion): string[] {
  return hunks.flatMap(({ status, file, comments }) => {
    if (status !== 'accepted' && status !== 'rejected' && status !== 'modified') return [];
    const comment = comments.findLast(({ by }) => by === undefined)?.text ?? null;
    return [
      feedbackSentence({ action: DECIDED[status], file, comment, remaining: hunkCount - decidedCount }),
    ];
  });
}
