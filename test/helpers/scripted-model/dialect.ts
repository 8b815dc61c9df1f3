/** What a wire format must provide to the scripted model: read a request, write a reply. Pure. */
import type { Conversation, ScriptedReply } from './script.ts';
import { chunksOf } from './script.ts';

/** One server-sent event, or a pause before it. */
export interface Frame {
  readonly event?: string;
  readonly data: unknown;
  readonly delayMs: number;
}

export interface ReplyContext {
  readonly reply: ScriptedReply;
  readonly model: string;
  /** Unique per response. */
  readonly id: string;
  callId(tool: number): string;
}

export interface Dialect {
  readonly name: 'chat' | 'responses' | 'messages' | 'gemini';
  parse(body: unknown, url: URL): Conversation;
  frames(context: ReplyContext): readonly Frame[];
  /** The same reply for a client that does not stream. */
  whole(context: ReplyContext): unknown;
  error(status: number, message: string): unknown;
}

const DEFAULT_CHUNK_CHARACTERS = 24;

/** The text of a reply as timed pieces. */
export function textPieces(reply: ScriptedReply): { readonly text: string; readonly delayMs: number }[] {
  const chunks = chunksOf(reply.text ?? '', reply.chunkSize ?? DEFAULT_CHUNK_CHARACTERS);
  return chunks.map((text, index) => ({
    text,
    delayMs: (index === 0 ? reply.firstDelayMs : reply.chunkDelayMs) ?? 0,
  }));
}

/** A tool's arguments as JSON text, as all dialects but one send them. */
export function inputText(input: Readonly<Record<string, unknown>> | string): string {
  return typeof input === 'string' ? input : JSON.stringify(input);
}

/** Reads a field of unknown JSON. */
export function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return (value as Record<string, unknown>)[name];
}

/** A field that should be a list. */
export function list(value: unknown, name: string): readonly unknown[] {
  const found = field(value, name);
  return Array.isArray(found) ? found : [];
}

/** A field that should be a string. */
export function text(value: unknown, name: string): string {
  const found = field(value, name);
  return typeof found === 'string' ? found : '';
}

/** Text parts of a message content that is a string or a list of parts. */
export function textParts(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.map((part) => text(part, 'text')).filter((part) => part !== '');
}
