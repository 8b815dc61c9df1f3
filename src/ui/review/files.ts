/** A suggestion's hunks grouped by file, once per suggestion object. Pure. */

import type { Hunk, Suggestion } from '../../protocol/review.ts';
import { keepEach, keepLast } from '../kit/memo.ts';
import type { ReviewFilter, ReviewState } from './state.ts';

export interface ReviewFile {
  readonly name: string;
  readonly hunks: readonly Hunk[];
  readonly first: number;
}

interface Grouped {
  readonly files: readonly ReviewFile[];
  readonly fileOf: ReadonlyMap<string, number>;
}

export type GroupFiles = (suggestion: Suggestion) => Grouped;

/** Makes the grouping, which is done once per suggestion object. */
export function createGroupFiles(): GroupFiles {
  const keep = keepEach<Suggestion, Grouped>();
  return (suggestion) => keep(suggestion, [], () => group(suggestion));
}

function group({ hunks }: Suggestion): Grouped {
  const files: { name: string; hunks: Hunk[]; first: number }[] = [];
  const fileOf = new Map<string, number>();
  hunks.forEach((hunk, index) => {
    let file = files.at(-1);
    if (file?.name !== hunk.file) {
      file = { name: hunk.file, hunks: [], first: index };
      files.push(file);
    }
    file.hunks.push(hunk);
    fileOf.set(hunk.id, files.length - 1);
  });
  return { files, fileOf };
}

/** The suggestion with only the hunks that pass a filter, or the whole one if none does. */
export type FilterHunks = (
  suggestion: Suggestion,
  filter: ReviewFilter | null,
  facts: FilterFacts,
) => Suggestion;

export interface FilterFacts {
  readonly expected: ReviewState['expected'];
  readonly viewed: ReadonlySet<string>;
}

/** Makes the filter, which caches its last result until something it depends on changes. */
export function createFilterHunks(): FilterHunks {
  const keep = keepLast<Suggestion>();
  return (suggestion, filter, facts) => {
    if (filter === null) return suggestion;
    return keep([suggestion, filter, facts.expected, facts.viewed], () => {
      const hunks = suggestion.hunks.filter((hunk) => passes(hunk, filter, facts));
      return hunks.length === 0 ? suggestion : { ...suggestion, hunks };
    });
  };
}

/** Whether a hunk passes a filter. */
export function passes(hunk: Hunk, filter: ReviewFilter, { expected, viewed }: FilterFacts): boolean {
  if (filter === 'unseen') return !viewed.has(hunk.id);
  if (filter === 'new') return hunk.isNew === true;
  return (expected[hunk.id] ?? hunk.status) === filter;
}
