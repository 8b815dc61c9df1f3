/** What a review had when its reviewer last did something: all that came later is new to them. */
import { ok, type Result } from '../../lib/result.ts';
import { load } from '../records/load-suggestion.ts';
import type { Blobs, ReviewRecords, StoredSuggestion } from '../records/records.ts';

/** What the review that follows `earlier` keeps of it: the hunks that its reviewer has had before their eyes. */
export async function roundAfter(
  earlier: StoredSuggestion | undefined,
  records: ReviewRecords,
  blobs: Blobs,
): Promise<Result<Pick<StoredSuggestion, 'round'>>> {
  if (earlier === undefined) return ok({});
  const { round } = earlier;
  if (earlier.acted !== true && earlier.end === null) return ok(round === undefined ? {} : { round });
  const loaded = await load(records, blobs, earlier.id, null);
  if (!loaded.ok) return ok({});
  const ids = loaded.value.subjects.flatMap((subject) => subject.changes.map((change) => change.id));
  const kept = await blobs.put(Buffer.from(ids.join('\n')));
  return kept.ok ? ok({ round: kept.value }) : kept;
}
