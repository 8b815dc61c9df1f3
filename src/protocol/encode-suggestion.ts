/** Encodes the review's records as objects of the suggestion protocol for all transports. Pure. */
import type { Comment, Hunk, Suggestion, SuggestionSummary } from './review.ts';
import type { BareHunk, WireBrief, WireHunk, WireSuggestion } from './suggestion-wire.ts';

/** A suggestion without its hunks. */
export function encodeBrief(summary: SuggestionSummary): WireBrief {
  const change = /^jj ([k-z]+) in /.exec(summary.source)?.[1];
  return {
    id: summary.id,
    description: summary.description,
    status: summary.status,
    working_directory: summary.target,
    source: summary.source,
    ...(change === undefined ? {} : { jj_change_id: change }),
    author: summary.author,
    created_at: summary.createdAt,
    files: summary.files,
    hunk_count: summary.hunkCount,
    reviewed_count: summary.decidedCount,
    remaining_count: summary.hunkCount - summary.decidedCount,
    revision: summary.revision,
    ...(summary.version === undefined ? {} : { version: summary.version }),
    in_place: summary.inPlace,
    ...(summary.write === 'on-save' ? { written_on_save: true } : {}),
  };
}

/** A suggestion with its hunks. `stack`: the suggestions about the same files that the reader may see. */
export function encodeSuggestion(
  suggestion: Suggestion,
  stack: NonNullable<Suggestion['stack']> = [],
): WireSuggestion {
  const { hunks, notes } = suggestion;
  return {
    ...encodeBrief(suggestion),
    hunks: hunks.map(encodeHunk),
    ...(notes.length === 0 ? {} : { notes }),
    ...(stack.length < 2 ? {} : { stack }),
  };
}

/** A hunk in its current state. */
export function encodeHunk(hunk: Hunk): WireHunk {
  return { ...encodeHunkState(hunk), diff: hunk.diff, diff_complete: hunk.diffComplete };
}

/** The same without its diff. Empty fields are omitted. */
export function encodeHunkState({
  reason,
  needs,
  parent,
  version,
  note,
  comments,
  warnings,
  ...hunk
}: Hunk): BareHunk {
  return {
    id: hunk.id,
    file: hunk.file,
    kind: hunk.kind,
    status: hunk.status,
    diff_complete: false,
    ...(reason === null ? {} : { reason }),
    ...(needs.length === 0 ? {} : { needs }),
    ...(parent === null ? {} : { parent }),
    ...(version === undefined ? {} : { version }),
    ...(note === null ? {} : { note }),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(comments.length === 0 ? {} : { comments: comments.map(encodeComment) }),
    ...(hunk.isNew === true ? { is_new: true } : {}),
  };
}

function encodeComment({
  text,
  by,
  lines,
  place,
  quote,
}: Comment): NonNullable<WireHunk['comments']>[number] {
  return {
    text,
    ...(by === undefined ? {} : { by }),
    ...(lines === null ? {} : { lines }),
    ...(place === null ? {} : { file_lines: place }),
    ...(place === null && quote === '' ? {} : { quote }),
  };
}
