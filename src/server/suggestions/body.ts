/** Reads a request's body as JSON, within its limit: an overlong body is refused before it is buffered. */
import type { IncomingMessage } from 'node:http';
import { parseBoundedJson } from '../../lib/bounded-json.ts';
import { isJsonType, type Refusal } from './access.ts';
import type { BodyLimits } from './body-room.ts';
import { BODY_JSON_LIMITS } from './port.ts';

export type Body =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly refusal: Refusal };

const refuse = (status: number, error: string): Body => ({ ok: false, refusal: { status, error } });

/** The most pieces shorter than `PIECE_MIN_BYTES` on average that are read: they cost far more than their bytes. */
const PIECES_MAX = 4_000;
const PIECE_MIN_BYTES = 256;

/** Null if the headers already rule the body out. */
export function refuseByHeaders(request: IncomingMessage, maxBytes: number): Refusal | null {
  if (!isJsonType(request.headers['content-type'])) {
    return { status: 415, error: 'The body must be JSON: "Content-Type: application/json".' };
  }
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
    return { status: 415, error: 'The body must not have a "Content-Encoding".' };
  }
  return Number(request.headers['content-length'] ?? 0) > maxBytes ? tooLarge(maxBytes) : null;
}

const IN_CRUMBS: Refusal = {
  status: 400,
  error: 'The body arrives in too many tiny pieces.',
  isCutOff: true,
};
const NO_ROOM: Refusal = { status: 503, error: 'Too many long requests at once. Send it again.' };

function tooLarge(maxBytes: number): Refusal {
  return { status: 413, error: `The body is larger than ${maxBytes} bytes.` };
}

/** The body as one JSON object. */
export async function readJson(request: IncomingMessage, { maxBytes, room }: BodyLimits): Promise<Body> {
  const refusal = refuseByHeaders(request, maxBytes);
  if (refusal !== null) return { ok: false, refusal };
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text: string | null = '';
  let bytes = 0;
  let held = 0;
  let pieces = 0;
  // Not `for await`: leaving that loop early destroys the request before its answer is sent.
  const stopped = await new Promise<Refusal | null>((resolve) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      pieces += 1;
      if (bytes > maxBytes) resolve(tooLarge(maxBytes));
      else if (pieces > PIECES_MAX && bytes < pieces * PIECE_MIN_BYTES) resolve(IN_CRUMBS);
      else if (!room.take(chunk.length)) resolve(NO_ROOM);
      else {
        held += chunk.length;
        // Decoded in pieces: decoding megabytes at once would delay everyone.
        if (text !== null) text = decoded(decoder, text, chunk);
        return;
      }
      request.removeAllListeners('data');
    });
    request.once('end', () => resolve(null));
    request.once('close', () => resolve(null));
  });
  room.give(held);
  if (stopped !== null) return { ok: false, refusal: stopped };
  if (text !== null) text = decoded(decoder, text);
  if (text === null) return refuse(400, 'The body is not valid UTF-8.');
  const value = parseObject(text);
  return typeof value === 'string' ? refuse(400, value) : { ok: true, value };
}

/** `text` plus the decoded `chunk`, or plus the decoder's rest; null if that is not UTF-8. */
function decoded(decoder: TextDecoder, text: string, chunk?: Buffer): string | null {
  try {
    return text + decoder.decode(chunk, { stream: chunk !== undefined });
  } catch {
    return null;
  }
}

/** The object in `text`, or what is wrong with it. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | string {
  const parsed = parseBoundedJson(text, BODY_JSON_LIMITS);
  if (!parsed.ok) return parsed.error.message;
  const { value } = parsed;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  return 'Invalid JSON: it must be one object.';
}
