/** Why a hunk does no longer fit, when another suggestion is why: which of them has hunks in the same file. */
import { Slices } from '../../platform/slices.ts';
import type { Suggestion } from '../../protocol/review.ts';
import type { ReviewRecords, StoredSuggestion } from '../records/records.ts';

/** Words of a description that name a suggestion. */
const NAME_MAX_LENGTH = 60;

/** The suggestion, where the reasons of its conflicts name the others that were accepted there. */
export async function withRivals(records: ReviewRecords, suggestion: Suggestion): Promise<Suggestion> {
  const files = suggestion.hunks.flatMap(({ status, file }) => (status === 'conflict' ? [file] : []));
  const rivals = await rivalsOf(records, suggestion, new Set(files));
  if (rivals.size === 0) return suggestion;
  const hunks = suggestion.hunks.map((hunk) => {
    const rival = hunk.status === 'conflict' ? rivals.get(hunk.file) : undefined;
    if (rival === undefined) return hunk;
    return { ...hunk, reason: `${hunk.reason ?? ''} Hunks of ${rival} were accepted in this file.`.trim() };
  });
  return { ...suggestion, hunks };
}

/** By file: the newest of the other suggestions that has something accepted in it. */
async function rivalsOf(
  records: ReviewRecords,
  { id, target }: Suggestion,
  files: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  const rivals = new Map<string, string>();
  const others = files.size === 0 ? [] : records.suggestions();
  const slices = new Slices();
  for (const other of others) {
    await slices.pause();
    if (other.id === id || other.target !== target) continue;
    const isWanted = (file: string | undefined) => file !== undefined && files.has(file) && !rivals.has(file);
    if (!other.files.some(isWanted)) continue;
    for (const position of records.acceptedFiles(other.id)) {
      const file = other.files[position];
      if (file !== undefined && isWanted(file)) rivals.set(file, nameOf(other));
    }
  }
  return rivals;
}

function nameOf({ id, description }: StoredSuggestion): string {
  const [line = ''] = description.split('\n');
  if (line.trim() === '') return `suggestion ${id}`;
  return `"${line.length > NAME_MAX_LENGTH ? `${line.slice(0, NAME_MAX_LENGTH - 1)}…` : line}"`;
}
