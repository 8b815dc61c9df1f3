/** The agent over HTTP and WebSocket: its commands unchanged, answers as one object, times as ISO 8601. */
import * as z from 'zod';
import { fail, ok, type Result } from '../../lib/result.ts';
import type { CommandParams } from '../../protocol/command.ts';
import type { Operation } from '../../protocol/operations.ts';
import { type Answer, failed } from '../suggestions/answer.ts';
import { type OperationContext, resolveFolder } from '../suggestions/operations.ts';
import { ask } from '../suggestions/port.ts';
import { withIsoTimes } from './encode.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The status of a save that was refused because of conflicts; nothing was written. */
const conflictSchema = z.looseObject({
  status: z.literal('conflict'),
  conflicts: z.array(z.looseObject({ file_path: z.string(), reason: z.string() })),
});

/** Runs the command of `operation` with checked fields. */
export async function performAgent(
  operation: Operation,
  fields: Fields,
  context: OperationContext,
): Promise<Answer> {
  const { command, status, list } = operation;
  const params = command === 'agent/create' ? await paramsOfCreate(fields, context) : ok(fields);
  if (!params.ok) return failed(params);
  const result: Result<unknown> = await ask(context.host, command, params.value as never);
  if (!result.ok) return failed(result);
  const conflict = conflictSchema.safeParse(result.value);
  const body = withIsoTimes(list === null ? result.value : { [list]: result.value }) as Fields;
  if (conflict.success) {
    const [first] = conflict.data.conflicts;
    const error = `Conflict: ${first?.file_path ?? ''}: ${first?.reason ?? ''}`;
    return { ok: false, status: 409, body: { success: false, error, code: 'conflict', ...body } };
  }
  return { ok: true, status, body: command === 'agent/create' ? { session_id: body.id, ...body } : body };
}

async function paramsOfCreate(
  fields: Fields,
  { home, project }: OperationContext,
): Promise<Result<CommandParams<'agent/create'>>> {
  const { working_directory: folder, title } = fields as { working_directory?: string; title: string };
  const root = (await resolveFolder(folder, home)) ?? project;
  return root === null
    ? fail('invalid', 'Missing required fields: working_directory')
    : ok({ root, title, author: null });
}
