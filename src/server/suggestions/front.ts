/**
 * Answers `bin/copane`, which asks a host before it starts Node: runs one of copane's own commands here. Only for the
 * user, over the Unix socket. A line of the answer is `o` and a piece of stdout, `e` and one of stderr, or `x` and the
 * exit code, which is the last.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { admit } from './gate.ts';
import type { FrontSink, RunFront } from './port.ts';
import { refuse, requestUrl, send } from './reply.ts';
import type { Streams } from './streams.ts';

export const FRONT_PATH = '/front';

/** `bin/copane` treats a host that is silent for three seconds as stopped. */
const SIGN_OF_LIFE_MS = 500;

/** Runs the command line of the process `?pid=`; `terminals` has the numbers of its files that are terminals. */
export async function answerFront(
  { gate }: Streams,
  run: RunFront,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = requestUrl(request);
  const admitted = admit(request, url, gate);
  const isOwner = admitted.ok && admitted.caller.isLocal && admitted.caller.token === null;
  if (!isOwner || request.method !== 'POST')
    return refuse(request, response, { status: 404, error: 'Not found' });
  const answer = new Answer(response);
  const terminals = url.searchParams.get('terminals') ?? '';
  try {
    const code = await run({ pid: Number(url.searchParams.get('pid')), terminals }, answer);
    if (code === null) send(response, 409, { success: false, error: 'This is not answered here.' });
    else response.end(`x${code}\n`);
  } finally {
    answer.stop();
  }
}

class Answer implements FrontSink {
  readonly #response: ServerResponse;
  #life: NodeJS.Timeout | undefined;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  begin(): void {
    this.#response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8' });
    this.#response.write('\n');
    this.#life = setInterval(() => this.#response.write('\n'), SIGN_OF_LIFE_MS).unref();
  }

  write(stream: 'stdout' | 'stderr', text: string): void {
    this.#response.write(`${stream === 'stdout' ? 'o' : 'e'}${escaped(text)}\n`);
  }

  stop(): void {
    clearInterval(this.#life);
  }
}

/** One line, as `bin/copane` takes it apart. */
function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}
