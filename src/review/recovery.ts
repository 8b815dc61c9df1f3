/**
 * Ends what a crash cut short: what was written counts, what was not is forgotten. A folder that is gone since keeps
 * nobody from going on.
 */
import { ok, type Result } from '../lib/result.ts';
import { completeRewrite, inspectWrite } from './atomic-writer.ts';
import { summarize } from './describe.ts';
import type { Blobs, ReviewRecords, StoredIntent } from './records.ts';
import { realFolder } from './target-folder.ts';

/** What recovery needs. */
export interface RecoveryOptions {
  readonly records: ReviewRecords;
  readonly blobs: Blobs;
}

/** Brings disk and store together for every write that had begun. */
export async function recoverWrites({ records, blobs }: RecoveryOptions): Promise<Result<void>> {
  for (const intent of records.intents()) {
    const isThere = (await realFolder(intent.write.root)).ok;
    const written = isThere ? await finishWrite(intent, blobs) : ok(false);
    if (!written.ok) return written;
    const ended = endIntent(records, intent, written.value);
    if (!ended.ok) return ended;
  }
  return ok(undefined);
}

/** Whether the new file stands there; one that was torn is completed. */
async function finishWrite(intent: StoredIntent, blobs: Blobs): Promise<Result<boolean>> {
  const sides = intent.write.inPlace;
  const old = sides === null ? null : blobs.get(sides.oldBlob);
  const neu = sides === null ? null : blobs.get(sides.newBlob);
  const known = old?.ok && neu?.ok ? { old: old.value, new: neu.value } : null;
  const outcome = await inspectWrite(intent.write, known);
  if (!outcome.ok) return outcome;
  if (outcome.value !== 'torn' || known === null) return ok(outcome.value === 'new');
  const { root, newPath } = intent.write;
  const completed = await completeRewrite(root, newPath ?? '', known.new, intent.write.new);
  return completed.ok ? ok(true) : completed;
}

function endIntent(records: ReviewRecords, intent: StoredIntent, written: boolean): Result<void> {
  return records.write((writer) => {
    writer.dropIntent(intent.id);
    const stored = records.suggestion(intent.suggestion);
    if (!written || stored === null) return ok(undefined);
    writer.putFile(intent.suggestion, intent.file, intent.after.file);
    writer.putChanges(intent.suggestion, intent.after.changes);
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
