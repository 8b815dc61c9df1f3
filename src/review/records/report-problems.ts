/** Tells every client what failed beside a decision: the decision holds, but someone must know. */
import { ok } from '../../lib/result.ts';
import type { ReviewRecords } from './records.ts';

/** Most characters in a report. */
const MESSAGE_MAX_LENGTH = 2_000;

/** Sends one report for all of `problems`; none if there are none. */
export function tellProblems(records: ReviewRecords, suggestion: string, problems: readonly string[]): void {
  if (problems.length === 0) return;
  records.write((writer) => {
    writer.reported({
      message: problems.join(' ').slice(0, MESSAGE_MAX_LENGTH),
      status: 'applied',
      error: 'sync_failed',
      suggestion,
      hunk: null,
      author: null,
    });
    return ok(undefined);
  });
}
