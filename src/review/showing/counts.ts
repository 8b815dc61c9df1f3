/** The number of hunks and of decided ones in the current target, for lists, headers and events. */
import type { Hunk } from '../../protocol/review.ts';
import { isOpen } from '../desk/desk.ts';
import type { Loaded } from '../records/load-suggestion.ts';
import type { StoredFile } from '../records/records.ts';
import { changesOf } from '../records/stored-file.ts';

type Seen = NonNullable<StoredFile['seen']>[string];

/** A suggestion's counts as of the last look at its target. */
export function countHunks(loaded: Loaded): { hunkCount: number; decidedCount: number } {
  let hunkCount = 0;
  let decidedCount = 0;
  loaded.subjects.forEach((subject, position) => {
    const file = loaded.files[position];
    if (file === undefined) return;
    for (const { id } of changesOf(subject, file)) {
      hunkCount += 1;
      if ((file.seen?.[id] ?? asDecided(loaded, id)) === 'done') decidedCount += 1;
    }
  });
  return { hunkCount, decidedCount };
}

/** Files whose hunks differ from the records, with their current state. */
export function filesAsSeen(
  loaded: Loaded,
  hunks: readonly Pick<Hunk, 'id' | 'status'>[],
): ReadonlyMap<number, StoredFile> {
  const now = new Map(hunks.map(({ id, status }) => [id, isOpen(status) ? 'open' : 'done'] as const));
  // Usually everything matches the decisions, and thousands of hunks need no list.
  const isAsDecided = [...now].every(([id, one]) => one === asDecided(loaded, id));
  if (isAsDecided && loaded.files.every(({ seen = {} }) => Object.keys(seen).length === 0)) return new Map();
  const files = new Map<number, StoredFile>();
  loaded.subjects.forEach((subject, position) => {
    const file = loaded.files[position];
    if (file === undefined) return;
    const before = file.seen ?? {};
    const seen: Record<string, Seen> = {};
    for (const { id } of changesOf(subject, file)) {
      const one = now.get(id) ?? before[id];
      if (one !== undefined && one !== asDecided(loaded, id)) seen[id] = one;
    }
    const ids = Object.keys(seen);
    const isSame = ids.length === Object.keys(before).length && ids.every((id) => seen[id] === before[id]);
    if (!isSame) files.set(position, { ...file, seen });
  });
  return files;
}

function asDecided({ changes }: Loaded, id: string): Seen {
  return (changes.get(id)?.decision ?? 'pending') === 'pending' ? 'open' : 'done';
}
