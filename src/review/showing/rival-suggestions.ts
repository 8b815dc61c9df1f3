/** Why a hunk does no longer fit, when another suggestion is why: which of them has hunks in the same file. */
import type { Suggestion } from '../../protocol/review.ts';
import type { ReviewRecords, StoredSuggestion } from '../records/records.ts';

/** Words of a description that name a suggestion. */
const NAME_MAX_LENGTH = 60;

/** The suggestion, where the reasons of its conflicts name the others that were accepted there. */
export function withRivals(records: ReviewRecords, suggestion: Suggestion): Suggestion {
  if (!suggestion.hunks.some(({ status }) => status === 'conflict')) return suggestion;
  const others = records
    .suggestions()
    .filter(({ id, target }) => id !== suggestion.id && target === suggestion.target);
  const rivals = new Map<string, string | null>();
  const rivalOf = (file: string): string | null => {
    const known = rivals.get(file);
    if (known !== undefined) return known;
    const rival = others.find((other) => hasAccepted(records, other, file));
    const name = rival === undefined ? null : nameOf(rival);
    rivals.set(file, name);
    return name;
  };
  const hunks = suggestion.hunks.map((hunk) => {
    const rival = hunk.status === 'conflict' ? rivalOf(hunk.file) : null;
    if (rival === null) return hunk;
    return { ...hunk, reason: `${hunk.reason ?? ''} Hunks of ${rival} were accepted in this file.`.trim() };
  });
  return { ...suggestion, hunks };
}

function hasAccepted(records: ReviewRecords, { id, files }: StoredSuggestion, file: string): boolean {
  const position = files.indexOf(file);
  if (position < 0) return false;
  return records
    .changes(id)
    .some(
      (change) =>
        change.file === position && (change.decision === 'accepted' || change.decision === 'modified'),
    );
}

function nameOf({ id, description }: StoredSuggestion): string {
  const [line = ''] = description.split('\n');
  if (line.trim() === '') return `suggestion ${id}`;
  return `"${line.length > NAME_MAX_LENGTH ? `${line.slice(0, NAME_MAX_LENGTH - 1)}…` : line}"`;
}
