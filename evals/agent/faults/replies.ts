/** What a chat completions server sends, well-formed or not, as the bytes of an answer. Pure. */

/** One answer of the scripted server. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: readonly Uint8Array[];
  /** The connection is cut after it. */
  readonly isCut?: boolean;
  /** What the user does to files before it is sent. */
  readonly meanwhile?: Readonly<Record<string, string | null>>;
}

export type Call = readonly [name: string, input: unknown];

const bytes = (text: string) => new TextEncoder().encode(text);

/** One chunk of a chat completions stream. */
export function chunk(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'scripted', choices })}\n\n`;
}

/** An event stream from its text. */
export function events(text: string | readonly string[], more: Partial<Answer> = {}): Answer {
  const parts = typeof text === 'string' ? [text] : text;
  return { headers: { 'content-type': 'text/event-stream' }, body: parts.map(bytes), ...more };
}

/** Deltas with whole calls. */
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

/** Words only. */
export function words(text: string, finish = 'stop', more: Partial<Answer> = {}): Answer {
  return events(chunk({ role: 'assistant', content: text }) + chunk({}, finish) + DONE, more);
}

/** Tool calls. */
export function calls(...wanted: readonly Call[]): Answer {
  return events(
    chunk({ role: 'assistant', content: null, ...callDelta(wanted) }) + chunk({}, 'tool_calls') + DONE,
  );
}

/** The same answer, sent after the user has changed files. */
export function after(meanwhile: NonNullable<Answer['meanwhile']>, answer: Answer): Answer {
  return { ...answer, meanwhile };
}

/** An answer that is not a stream. */
export function plain(text: string, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: [bytes(text)] };
}

/** The stream cut into pieces of this many bytes, even inside characters. */
export function cutInto(answer: Answer, size: number): Answer {
  const whole = Buffer.concat(answer.body);
  const body: Uint8Array[] = [];
  for (let from = 0; from < whole.length; from += size) body.push(whole.subarray(from, from + size));
  return { ...answer, body };
}

export { DONE };
