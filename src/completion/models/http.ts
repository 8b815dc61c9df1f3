/**
 * One JSON question to a server and its answer, with a deadline, a bound on the answer and no redirect: a server
 * that hangs, floods, cuts off or talks nonsense is an outcome, not an exception.
 */
import { errorMessage } from '../../lib/result.ts';

export type HttpOutcome =
  | { readonly kind: 'answer'; readonly status: number; readonly body: unknown }
  /** Nobody answered, or not in JSON. */
  | { readonly kind: 'failure'; readonly message: string };

export interface HttpQuestion {
  readonly url: string;
  readonly body: unknown;
  readonly key: string | null;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** An answer is one line and what a server says about it. */
const MAX_ANSWER_BYTES = 256 * 1024;

/** Asks once; tries nothing again. */
export async function askJson(question: HttpQuestion): Promise<HttpOutcome> {
  const { url, body, key, timeoutMs, signal } = question;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(body),
      // Somewhere else is not where the user allowed the line to go.
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const text = await readBounded(response);
    if (text === null) return { kind: 'failure', message: 'the answer is too long' };
    return { kind: 'answer', status: response.status, body: parse(text) };
  } catch (error) {
    return { kind: 'failure', message: reasonOf(error, timeoutMs) };
  }
}

async function readBounded(response: Response): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

/** What is not JSON (an error page, half an answer) has nothing for us. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** `fetch` hides the reason one or two causes deep. */
function reasonOf(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
  return cause?.code ?? cause?.message ?? errorMessage(error);
}
