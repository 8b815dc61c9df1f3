/** The `fetch` of all providers. Follows no redirect, which would leak keys; reports answers that are no stream. */

import { isRecord } from '../../lib/is-record.ts';
import { ByteLines } from '../../lib/line-splitter.ts';
import { parseJson, parseRecord } from '../../lib/parse-json.ts';

/** The address answers, but not as a model does. The message says what it answers. */
export class NotAStream extends Error {}

/** How much of a wrong answer is read. */
const ANSWER_MAX_BYTES = 65_536;
const QUOTE_MAX_CHARS = 200;
/** The start of an event stream. Some servers send one under another content type. */
const EVENT_START = /^\uFEFF?\s*(?:data|event|id|retry)?:/;

export const streamFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'manual' });
  const from = response.url || String(input);
  const elsewhere = response.headers.get('location');
  if (elsewhere !== null && response.status >= 300 && response.status < 400) {
    await response.body?.cancel();
    const words = `${from} redirects to ${elsewhere} (HTTP ${response.status}); no redirect is followed, because the key would go along. Put the right address into the configuration.`;
    throw new NotAStream(words);
  }
  if (!response.ok) return response;
  const type = response.headers.get('content-type') ?? '';
  const reader = response.body?.getReader();
  const first = await reader?.read();
  if (reader === undefined || first?.value === undefined) {
    const words = `${from} answered with nothing (HTTP ${response.status}, ${type || 'no content type'}).`;
    throw new NotAStream(words);
  }
  const what = type === '' ? 'text without a content type' : type.split(';')[0];
  const answered = `${from} answered with ${what} (HTTP ${response.status})`;
  if (type.includes('event-stream') || EVENT_START.test(new TextDecoder().decode(first.value))) {
    const noData = (text: string) => new NotAStream(`${answered}, but no data came${quoteOf(text)}`);
    return new Response(joined(first.value, reader).pipeThrough(repairedStream(noData)), response);
  }
  const text = await readText(first.value, reader);
  throw new NotAStream(`${answered}, not with a stream of events${quoteOf(text)}`);
};

function quoteOf(text: string): string {
  const words = wordsOf(text);
  return words === '' ? '.' : `: ${words.slice(0, QUOTE_MAX_CHARS)}`;
}

type Reader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;

function joined(first: Uint8Array<ArrayBuffer>, reader: Reader): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(first),
    pull: async (controller) => {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

async function readText(first: Uint8Array<ArrayBuffer>, reader: Reader): Promise<string> {
  const decoder = new TextDecoder();
  let text = decoder.decode(first, { stream: true });
  while (text.length < ANSWER_MAX_BYTES) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return text;
}

/** The readable part of an answer: the message of an error, the title of a page, its first words. */
function wordsOf(text: string): string {
  const error = /^\s*\{/.test(text) ? errorIn(text) : null;
  const title = /<title[^>]*>([\s\S]*?)<\/title>/i.exec(text)?.[1];
  return (error ?? title ?? text.replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ').trim();
}

function errorIn(text: string): string | null {
  const value = parseRecord(text);
  const error = value?.error ?? value?.detail ?? value?.message;
  const words = isRecord(error) ? error.message : error;
  return typeof words === 'string' ? words : null;
}

/** A longer line is skipped; no model's answer comes close. */
const LINE_MAX_BYTES = 32 * 1024 * 1024;
const ENDED = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n';

/**
 * Corrects streams of chat completions, bytes in, bytes out: some servers do not say why an answer ends, and send the
 * arguments of a call as an object instead of text. Correct streams, and those of other protocols, are unchanged. A
 * stream that ends without data ends in the error of `noData`, which gets the received text.
 */
export function repairedStream(
  noData: (text: string) => Error,
): TransformStream<Uint8Array, Uint8Array<ArrayBuffer>> {
  const lines = new ByteLines(LINE_MAX_BYTES);
  const encoder = new TextEncoder();
  let hasReason = false;
  let hasData = false;
  /** Text that is neither data nor a comment. */
  let other = '';
  const mend = (bytes: Uint8Array): string => {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    hasData ||= /^\uFEFF?data:/.test(text);
    if (!hasData && !/^\uFEFF?:/.test(text)) other = `${other}${text}\n`.slice(0, ANSWER_MAX_BYTES);
    hasReason ||= /"finish_reason"\s*:\s*"/.test(text);
    const isEnd = /^data:\s*\[DONE\]/.test(text);
    return (isEnd && !hasReason ? ENDED : '') + repairedLine(text);
  };
  return new TransformStream({
    transform: (bytes, controller) => {
      for (const line of lines.push(bytes))
        if (line.kind === 'line') controller.enqueue(encoder.encode(`${mend(line.bytes)}\n`));
    },
    flush: (controller) => {
      const rest = lines.pending();
      if (rest !== null) controller.enqueue(encoder.encode(mend(rest)));
      if (!hasData) controller.error(noData(other));
    },
  });
}

function repairedLine(line: string): string {
  if (!/"arguments"\s*:\s*\{/.test(line)) return line;
  const event = parseJson(line.replace(/^data:/, ''));
  return event === undefined ? line : `data: ${JSON.stringify(event, asText)}`;
}

const asText = (name: string, value: unknown): unknown =>
  name === 'arguments' && isRecord(value) ? JSON.stringify(value) : value;
