/** Builds turns from opencode's messages and parts, however they are stored. Pure. */
import type { AskedCall } from '../../protocol/dialog.ts';
import { asObject, asString, asTime, type JsonObject } from './json.ts';
import type { Reading } from './jsonl-session.ts';
import type { ToolFact } from './tool-facts.ts';
import { type PlanChange, TurnBuilder } from './turn-builder.ts';

/** One part of a message, reduced to what the turns need. */
export interface OpencodePart {
  readonly id: string;
  readonly type: string;
  readonly text: string;
  /** Written as the user by the program or our plugin; or shown, but not sent. */
  readonly isMachine: boolean;
  readonly tool: string;
  readonly status: string;
  /** Facts about tools, in a session opened `withTools`. */
  readonly facts: readonly ToolFact[];
  /** What a pending call asks for. */
  readonly asked: AskedCall | null;
  /** A call's change of the plan's file. */
  readonly plan: PlanChange | null;
  /** Why a call failed. */
  readonly error: string;
}

export interface OpencodeMessage {
  readonly id: string;
  readonly createdAt: number | null;
  /** The message's own record: role, times, finish, error. */
  readonly data: JsonObject;
  /** In order. */
  readonly parts: readonly OpencodePart[];
}

/** The message to which the user rewound the conversation: that message and all later ones are undone. */
export interface OpencodeRevert {
  readonly messageId: string;
  readonly partId: string | null;
}

const QUESTION_TOOLS = new Set(['question', 'plan_exit']);
/** A refusal ends the turn, unless the user said what to do instead. */
const REFUSED =
  /^The user (?:dismissed this question|rejected permission to use this specific tool call\.?$)/;

/** `session.revert` as it is stored: an object or its JSON. */
export function toRevert(value: unknown): OpencodeRevert | null {
  const revert = asObject(value);
  const messageId = asString(revert?.messageID);
  return messageId === null ? null : { messageId, partId: asString(revert?.partID) };
}

/** The turns of these messages, oldest first. `complete`: the first of them begins the session. */
export function readOpencode(
  messages: readonly OpencodeMessage[],
  revert: OpencodeRevert | null,
  complete: boolean,
): Reading {
  const builder = new TurnBuilder(complete);
  const queued: string[] = [];
  const busy = busyMessage(messages);
  let abortedAt = 0;
  let isWaiting = false;
  for (const message of messages) {
    const parts = partsLeft(message, revert);
    if (parts === null) break;
    if (message.data.role === 'user' && isWaiting) queued.push(...promptOf(parts));
    else if (message.data.role === 'user') tellUser(builder, message, parts, abortedAt);
    else if (message.data.role === 'assistant' && message.data.summary !== true) {
      tellAssistant(builder, message, parts);
      if (isAborted(message)) abortedAt = asTime(asObject(message.data.time)?.completed) ?? 0;
    }
    isWaiting ||= message === busy;
  }
  return { ...builder.finish(), queued, reach: complete ? 'start' : 'more' };
}

/** The answer being written, after which prompts wait; null if there is none. */
function busyMessage(messages: readonly OpencodeMessage[]): OpencodeMessage | null {
  const last = messages.findLast(({ data }) => data.role === 'assistant');
  const isOver =
    last === undefined ||
    asTime(asObject(last.data.time)?.completed) !== null ||
    asObject(last.data.error) !== null;
  return isOver ? null : last;
}

/** The user's words in a message, as one text; empty if there are none. */
function promptOf(parts: readonly OpencodePart[]): readonly string[] {
  const texts = parts.filter((part) => part.type === 'text' && !part.isMachine).map((part) => part.text);
  return texts.length === 0 ? [] : [texts.join('\n')];
}

/** Null when the message itself is undone. Ids sort by age. */
function partsLeft(message: OpencodeMessage, revert: OpencodeRevert | null): readonly OpencodePart[] | null {
  if (revert === null || message.id < revert.messageId) return message.parts;
  const { messageId, partId } = revert;
  if (message.id !== messageId || partId === null) return null;
  return message.parts.filter((part) => part.id < partId);
}

function tellUser(
  builder: TurnBuilder,
  message: OpencodeMessage,
  parts: readonly OpencodePart[],
  abortedAt: number,
): void {
  const [text] = promptOf(parts);
  if (text === undefined) return;
  builder.prompt({ id: message.id, text, at: message.createdAt });
  // Typed while the AI worked, and dropped because the work was aborted.
  if (message.createdAt !== null && message.createdAt < abortedAt) builder.end();
}

function tellAssistant(builder: TurnBuilder, message: OpencodeMessage, parts: readonly OpencodePart[]): void {
  const isOver = asTime(asObject(message.data.time)?.completed) !== null;
  const goesOn = message.data.finish === 'tool-calls';
  builder.toolResult();
  for (const part of parts) {
    if (part.type === 'text') {
      if (!part.isMachine) builder.text(part.text, 'working');
    } else if (part.type === 'tool') {
      tellTool(builder, part, message.createdAt);
    }
    builder.facts(part.facts);
  }
  const error = asObject(message.data.error);
  if (isAborted(message)) builder.interrupt();
  else if (error !== null) {
    builder.warn(asString(asObject(error.data)?.message) ?? asString(error.name) ?? 'the model call failed');
    builder.end();
  } else if (isOver && (!goesOn || parts.some((part) => REFUSED.test(part.error)))) builder.end();
}

function tellTool(builder: TurnBuilder, part: OpencodePart, at: number | null): void {
  const isPending = part.status === 'pending' || part.status === 'running';
  if (part.plan !== null) builder.planWritten(`plan:${part.id}`, part.plan, at);
  if (part.tool === 'plan_exit') builder.planShown();
  if (isPending) builder.tool(QUESTION_TOOLS.has(part.tool) ? 'waiting' : 'unknown', part.asked);
  else builder.tool('working');
  if (part.tool === 'plan_exit' && part.status === 'completed')
    builder.planAnswered({ id: `answer:${part.id}`, text: '', at });
}

function isAborted(message: OpencodeMessage): boolean {
  return asObject(message.data.error)?.name === 'MessageAbortedError';
}
