/** Messages between a client and the host, one JSON object per line. Any may come first, as from a shell script. */
import * as z from 'zod';
import type { Failure } from '../lib/result.ts';
import type { CopaneEvent } from './event.ts';
import { MAX_LINE_BYTES } from './limits.ts';

/** Longest JSON text of an event's body, so that its line fits. */
export const MAX_EVENT_BYTES = MAX_LINE_BYTES - 1024;

/** The answer repeats the request's id, as the same number or string. */
export const requestIdSchema = z.union([z.int(), z.string().max(200)]);
export type RequestId = z.infer<typeof requestIdSchema>;

export const requestMessageSchema = z.strictObject({
  id: requestIdSchema,
  command: z.string().max(200),
  params: z.unknown().default({}),
  /** A globally unique name for this request, so that resending it after a lost answer does not do it twice. */
  once: z.string().min(8).max(200).optional(),
});

/** Introduces the client; answered by `welcome`. Without it the host names the connection. */
export const helloMessageSchema = z.strictObject({
  hello: z.strictObject({ client: z.string().min(1).max(200) }),
});

/** Requests all events after `seq`; null: from now on. Repeated on a connection, it restarts there. */
export const subscribeMessageSchema = z.strictObject({ subscribe: z.int().min(0).nullable() });

export type RequestMessage = z.infer<typeof requestMessageSchema>;
export type HelloMessage = z.infer<typeof helloMessageSchema>;
export type SubscribeMessage = z.infer<typeof subscribeMessageSchema>;
export type ClientMessage = RequestMessage | HelloMessage | SubscribeMessage;

/** Every message from the host. */
export type ServerMessage =
  | { readonly id: RequestId; readonly ok: true; readonly value: unknown }
  /** `id` is null if the message was too broken to have one. */
  | { readonly id: RequestId | null; readonly ok: false; readonly error: Failure }
  /** Precedes the answer to the same request: its expected outcome, before that is written. */
  | { readonly id: RequestId; readonly early: unknown }
  | ({ readonly type: 'event' } & CopaneEvent)
  | {
      readonly type: 'welcome';
      /** This connection's name in events. */
      readonly client: string;
      readonly pid: number;
      readonly epoch: number;
      readonly version: string;
    }
  /** The stream continues after `seq`; `head` is the newest event. */
  | { readonly type: 'subscribed'; readonly seq: number; readonly head: number }
  /** The requested events are gone, or numbering restarted: reload the state; the stream continues after `seq`. */
  | { readonly type: 'gap'; readonly seq: number; readonly head: number }
  /** The host's last message before it closes. `settled`: an unanswered request may be resent. */
  | { readonly type: 'bye'; readonly reason: string; readonly settled?: true };

/** Answers to requests, which unlike all other messages have no `type`. */
export type AnswerMessage = Extract<ServerMessage, { ok: boolean }>;
export type EarlyMessage = Extract<ServerMessage, { early: unknown }>;
