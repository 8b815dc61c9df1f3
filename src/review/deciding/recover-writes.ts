/** Completes what a crash interrupted: written files count, others are deleted. A missing folder stops nothing. */
import { ok, type Result } from '../../lib/result.ts';
import { realFolder } from '../files/target-folder.ts';
import type { Blobs, ReviewRecords, StoredIntent } from '../records/records.ts';
import { rowOf } from '../records/stored-file.ts';
import { summarize } from '../showing/describe-suggestion.ts';
import { leftOf } from './write-journal.ts';

export interface RecoveryOptions {
  readonly records: ReviewRecords;
  readonly blobs: Blobs;
}

/** Reconciles disk and store for every write that had begun. */
export async function recoverWrites({ records, blobs }: RecoveryOptions): Promise<Result<void>> {
  for (const intent of records.intents()) {
    const isThere = (await realFolder(intent.write.root)).ok;
    const left = isThere ? await leftOf(intent.write, blobs) : ok('old');
    if (!left.ok) return left;
    const ended = endIntent(records, intent, left.value === 'new');
    if (!ended.ok) return ended;
  }
  return ok(undefined);
}

function endIntent(records: ReviewRecords, intent: StoredIntent, written: boolean): Result<void> {
  return records.write((writer) => {
    writer.dropIntent(intent.id);
    const stored = records.suggestion(intent.suggestion);
    if (!written || stored === null) return ok(undefined);
    writer.putFile(intent.suggestion, intent.file, intent.after.file);
    writer.putChanges(intent.suggestion, intent.after.changes.map(rowOf));
    const decidedCount = records
      .changes(intent.suggestion)
      .filter((change) => change.decision !== 'pending').length;
    const next = {
      ...stored,
      decidedCount: Math.min(decidedCount, stored.hunkCount),
      revision: stored.revision + 1,
    };
    writer.putSuggestion(next);
    writer.changed(summarize(next), []);
    return ok(undefined);
  });
}
