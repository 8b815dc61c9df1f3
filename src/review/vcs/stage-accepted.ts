/**
 * `git add` of accepted hunks, and of nothing else: what is staged of the same file otherwise stays as it is. A
 * decision that is taken back takes its hunk out of the index again.
 */
import { ok, type Result } from '../../lib/result.ts';
import { type ByteString, displayBytes } from '../core/bytes.ts';
import type { FileReview } from '../core/file-review.ts';
import { sameImage } from '../core/file-state.ts';
import { withAccepted } from './commit-accepted.ts';
import { type Entry, entryAt, openWhere, updateIndex, withOurs } from './index-entries.ts';

/** A file before and after a command. */
export interface Decided {
  readonly before: FileReview;
  readonly after: FileReview;
}

/** Stages what these decisions have accepted; gives what could not be, in words. */
export async function stageAccepted(root: string, files: readonly Decided[]): Promise<Result<string[]>> {
  const where = await openWhere(root);
  if (!where.ok) return ok([where.error.message]);
  const problems: string[] = [];
  const entries: (readonly [ByteString, Entry])[] = [];
  for (const file of files) {
    const [from, to] = [withAccepted(file.before).image(), withAccepted(file.after).image()];
    if (sameImage(from, to)) continue;
    const moves = from !== null && to !== null && from.path !== to.path;
    if (moves) {
      problems.push(`${displayBytes(to.path)}: a new name is not staged from here`);
      continue;
    }
    const name = `${where.value.prefix}${(to ?? from)?.path ?? ''}`;
    const staged = await entryAt('', name, where.value.options);
    if (!staged.ok) return staged;
    const next = await withOurs(staged.value, from, to, where.value);
    if (next.ok) entries.push([name, next.value]);
    else problems.push(`${displayBytes(name)}: what is staged differs where the hunk is`);
  }
  const updated = entries.length === 0 ? ok(null) : await updateIndex(where.value.options, entries);
  if (!updated.ok) return updated;
  return ok(problems.map((problem) => `Not staged: ${problem}.`));
}
