/** Turns a parsed line into a message of the protocol, or says what is wrong with it. */
import type * as z from 'zod';
import { describeIssue } from '../protocol/invalid.ts';
import {
  type ClientMessage,
  helloMessageSchema,
  type RequestId,
  requestIdSchema,
  requestMessageSchema,
  subscribeMessageSchema,
} from '../protocol/wire.ts';

export type ParsedMessage =
  | { readonly ok: true; readonly message: ClientMessage }
  | { readonly ok: false; readonly id: RequestId | null; readonly problem: string };

/** One field says which message it is; then its schema decides. */
export function parseClientMessage(raw: unknown): ParsedMessage {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    return { ok: false, id: null, problem: 'A line must be one JSON object.' };
  }
  const schema = schemaFor(raw);
  const id = requestIdSchema.safeParse('id' in raw ? raw.id : undefined);
  const answerTo = id.success ? id.data : null;
  if (schema === null) {
    const problem = 'A message has "command" and "id", or "subscribe", or "hello".';
    return { ok: false, id: answerTo, problem };
  }
  const parsed = schema.safeParse(raw);
  if (parsed.success) return { ok: true, message: parsed.data };
  const [issue] = parsed.error.issues;
  const what = issue === undefined ? 'bad message' : describeIssue(issue);
  return { ok: false, id: answerTo, problem: `Message not understood: ${what}.` };
}

function schemaFor(raw: object): z.ZodType<ClientMessage> | null {
  if ('command' in raw) return requestMessageSchema;
  if ('subscribe' in raw) return subscribeMessageSchema;
  if ('hello' in raw) return helloMessageSchema;
  return null;
}
