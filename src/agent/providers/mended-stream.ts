/**
 * Streams of chat completions as the protocol has them: some servers do not say why an answer ends, and send the
 * arguments of a call as an object instead of text. What is right, or belongs to another protocol, stays as it is.
 */
import { isRecord } from '../../lib/is-record.ts';
import { ByteLines } from '../../lib/line-splitter.ts';

/** A longer line is passed over; no answer of a model comes near. */
const LINE_MAX_BYTES = 32 * 1024 * 1024;
const ENDED = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n';

/** Bytes in, bytes out. */
export function mendedStream(): TransformStream<Uint8Array, Uint8Array<ArrayBuffer>> {
  const lines = new ByteLines(LINE_MAX_BYTES);
  const encoder = new TextEncoder();
  let hasReason = false;
  const mend = (bytes: Uint8Array): string => {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    hasReason ||= /"finish_reason"\s*:\s*"/.test(text);
    const isEnd = /^data:\s*\[DONE\]/.test(text);
    return (isEnd && !hasReason ? ENDED : '') + mendedLine(text);
  };
  return new TransformStream({
    transform: (bytes, controller) => {
      for (const line of lines.push(bytes))
        if (line.kind === 'line') controller.enqueue(encoder.encode(`${mend(line.bytes)}\n`));
    },
    flush: (controller) => {
      const rest = lines.pending();
      if (rest !== null) controller.enqueue(encoder.encode(mend(rest)));
    },
  });
}

function mendedLine(line: string): string {
  if (!/"arguments"\s*:\s*\{/.test(line)) return line;
  try {
    const event: unknown = JSON.parse(line.replace(/^data:/, ''));
    return `data: ${JSON.stringify(event, asText)}`;
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    return line;
  }
}

const asText = (name: string, value: unknown): unknown =>
  name === 'arguments' && isRecord(value) ? JSON.stringify(value) : value;
