/** The limit of context for one request. */
import { fail, ok, type Result } from '../lib/result.ts';
import type { ContextRow } from '../protocol/agent.ts';

/** Context rows of one request, in characters: more than any model accepts, less than one message. */
const CONTEXT_MAX_CHARACTERS = 2_000_000;

/** Refuses rows that are too long in total. */
export function checkContext(rows: readonly ContextRow[]): Result<void> {
  const size = rows.reduce((sum, row) => sum + row.content.length, 0);
  if (size <= CONTEXT_MAX_CHARACTERS) return ok(undefined);
  const message = `The context rows have ${size} characters; the limit is ${CONTEXT_MAX_CHARACTERS}.`;
  return fail('invalid', message, 'Remove some of them: the model can read files itself.');
}
