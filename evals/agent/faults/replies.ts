/** What a server of chat completions sends, well or badly, as the bytes of an answer. Pure. */

/** One answer of the scripted server. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: readonly Uint8Array[];
  /** The connection is cut behind it. */
  readonly isCut?: boolean;
  /** What the user does to files before it goes out. */
  readonly meanwhile?: Readonly<Record<string, string | null>>;
}

export type Call = readonly [name: string, input: unknown];

const bytes = (text: string) => new TextEncoder().encode(text);

/** A piece of a stream of chat completions. */
export function chunk(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'scripted', choices })}\n\n`;
}

/** A stream of events from its text. */
export function events(text: string | readonly string[], more: Partial<Answer> = {}): Answer {
  const parts = typeof text === 'string' ? [text] : text;
  return { headers: { 'content-type': 'text/event-stream' }, body: parts.map(bytes), ...more };
}

/** The deltas of calls, each whole. */
export function callDelta(calls: readonly Call[], ids = calls.map((_, index) => `call_${index}`)): object {
  const tool_calls = calls.map(([name, input], index) => ({
    index,
    id: ids[index],
    type: 'function',
    function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
  }));
  return { tool_calls };
}

const DONE = 'data: [DONE]\n\n';

/** Words, and nothing else. */
export function words(text: string, finish = 'stop', more: Partial<Answer> = {}): Answer {
  return events(chunk({ role: 'assistant', content: text }) + chunk({}, finish) + DONE, more);
}

/** Calls of tools. */
export function calls(...wanted: readonly Call[]): Answer {
  return events(
    chunk({ role: 'assistant', content: null, ...callDelta(wanted) }) + chunk({}, 'tool_calls') + DONE,
  );
}

/** The same answer, before which the user changes files. */
export function after(meanwhile: NonNullable<Answer['meanwhile']>, answer: Answer): Answer {
  return { ...answer, meanwhile };
}

/** An answer that is no stream. */
export function plain(text: string, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: [bytes(text)] };
}

/** The stream in pieces of so many bytes, whatever characters that cuts. */
export function cutInto(answer: Answer, size: number): Answer {
  const whole = Buffer.concat(answer.body);
  const body: Uint8Array[] = [];
  for (let from = 0; from < whole.length; from += size) body.push(whole.subarray(from, from + size));
  return { ...answer, body };
}

export { DONE };
