/** The messages between a client and the host, one JSON object a line. Any of them may come first, as from a shell script. */
import * as z from 'zod';
import type { Failure } from '../lib/result.ts';
import type { CopaneEvent } from './event.ts';
import { MAX_LINE_BYTES } from './limits.ts';

/** The body of an event is at most this long as JSON text, so that its line fits. */
export const MAX_EVENT_BYTES = MAX_LINE_BYTES - 1024;

/** A request's id comes back with its answer; numbers and strings are kept as they came. */
export const requestIdSchema = z.union([z.int(), z.string().max(200)]);
export type RequestId = z.infer<typeof requestIdSchema>;

export const requestMessageSchema = z.strictObject({
  id: requestIdSchema,
  command: z.string().max(200),
  params: z.unknown().default({}),
  /** A name for this one wish, unique in the world: sent again after a lost answer, it is not done twice. */
  once: z.string().min(8).max(200).optional(),
});

/** Says who speaks. Answered by `welcome`. Without it the host gives the connection a name. */
export const helloMessageSchema = z.strictObject({
  hello: z.strictObject({ client: z.string().min(1).max(200) }),
});

/** Asks for all events after this `seq`; null = from now on. Again on the same connection: starts again from there. */
export const subscribeMessageSchema = z.strictObject({ subscribe: z.int().min(0).nullable() });

export type RequestMessage = z.infer<typeof requestMessageSchema>;
export type HelloMessage = z.infer<typeof helloMessageSchema>;
export type SubscribeMessage = z.infer<typeof subscribeMessageSchema>;
export type ClientMessage = RequestMessage | HelloMessage | SubscribeMessage;

/** Everything that a host sends. */
export type ServerMessage =
  | { readonly id: RequestId; readonly ok: true; readonly value: unknown }
  /** `id` is null when the message was too broken to have one. */
  | { readonly id: RequestId | null; readonly ok: false; readonly error: Failure }
  /** Comes before the answer to the same request: what it will lead to, before that is written. */
  | { readonly id: RequestId; readonly early: unknown }
  | ({ readonly type: 'event' } & CopaneEvent)
  | {
      readonly type: 'welcome';
      /** The name of this connection in events. */
      readonly client: string;
      readonly pid: number;
      readonly epoch: number;
      readonly version: string;
    }
  /** The stream goes on after `seq`; `head` is the newest event there is. */
  | { readonly type: 'subscribed'; readonly seq: number; readonly head: number }
  /** What was asked for is not kept (or the numbers began again): load the state again; the stream goes on after `seq`. */
  | { readonly type: 'gap'; readonly seq: number; readonly head: number }
  /** The last message before the host closes the connection. `settled`: a request without an answer may be sent again. */
  | { readonly type: 'bye'; readonly reason: string; readonly settled?: true };

/** Answers to requests, told apart from all other messages by having no `type`. */
export type AnswerMessage = Extract<ServerMessage, { ok: boolean }>;
export type EarlyMessage = Extract<ServerMessage, { early: unknown }>;
