/** Performs a client's request on any transport: checks role and fields by the command table, asks the host. */
import { fail } from '../../lib/result.ts';
import { isSuggestionOperation, type Operation } from '../../protocol/operations.ts';
import type { SuggestionOperation } from '../../protocol/suggestion-messages.ts';
import { performAgent } from '../agent/perform.ts';
import { type Answer, describeProblem, failed, forbidden, type Outcome } from './answer.ts';
import { type OperationContext, suggestionOperations } from './operations.ts';
import { readEitherSpelling } from './original.ts';

/** Reads the fields of `message`, in either spelling, and performs the operation. */
export async function perform(
  operation: Operation,
  message: Readonly<Record<string, unknown>>,
  context: OperationContext,
): Promise<Answer> {
  const isSuggestion = isSuggestionOperation(operation.name);
  if (operation.role === 'reviewer' && context.caller.who.role === 'author') {
    return failed(
      forbidden(isSuggestion ? 'Only the reviewer decides.' : 'Only the reviewer works with the agent.'),
    );
  }
  const fields = operation.fields.safeParse({ ...readEitherSpelling(message) }, { reportInput: true });
  if (!fields.success) return failed(fail('invalid', describeProblem(fields.error)));
  if (!isSuggestion) return performAgent(operation, fields.data, context);
  // The table pairs each operation with its own schema; the compiler cannot follow the pair through a union.
  const work = suggestionOperations[operation.name as SuggestionOperation] as (
    fields: unknown,
    context: OperationContext,
  ) => Promise<Outcome<object>>;
  const done = await work(fields.data, context);
  if (!done.ok) return failed(done);
  return { ok: true, status: operation.status, body: { success: true, ...done.value } };
}
