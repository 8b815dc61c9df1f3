/** One JSON request to a server, with a deadline, a size limit and no redirect. Failures are values, not exceptions. */
import { parseJson } from '../../lib/parse-json.ts';
import { errorMessage } from '../../lib/result.ts';

export type HttpOutcome =
  /** `body`: undefined for what is not JSON, such as an error page or half an answer. */
  | { readonly kind: 'answer'; readonly status: number; readonly body: unknown }
  /** No answer, or none in JSON. */
  | { readonly kind: 'failure'; readonly message: string };

export interface HttpQuestion {
  readonly url: string;
  readonly body: unknown;
  readonly key: string | null;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** An answer is one line with a server's metadata. */
const MAX_ANSWER_BYTES = 256 * 1024;

/** Asks once, without retries. */
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
      // The user allowed this server only.
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const text = await readBounded(response);
    if (text === null) return { kind: 'failure', message: 'the answer is too long' };
    return { kind: 'answer', status: response.status, body: parseJson(text) };
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

/** `fetch` hides the reason in a cause, or in that one's cause. */
function reasonOf(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
  return cause?.code ?? cause?.message ?? errorMessage(error);
}
