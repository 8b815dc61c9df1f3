/**
 * A model's HTTP server with answers chosen by the test: the paths of llama-server and OpenAI, and every kind of
 * failure. Keeps the requests, so that a test can check that nothing secret leaves.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenQuestion {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly key: string | undefined;
}

export type ModelFault =
  | { readonly kind: 'slow'; readonly ms: number }
  | { readonly kind: 'status'; readonly status: number; readonly body?: unknown }
  | { readonly kind: 'cut' | 'garbage' | 'hang' | 'flood' | 'redirect' | 'reset' };

export class ModelServer {
  readonly questions: SeenQuestion[] = [];
  /** The answer to a question; a string is its text. */
  answer: (question: SeenQuestion) => string = () => '';
  /** Per path, or `*` for all. */
  readonly faults = new Map<string, ModelFault>();
  aborted = 0;
  readonly #server = http.createServer((request, response) => void this.#serve(request, response));

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** All requests so far, as text. */
  get told(): string {
    return JSON.stringify(this.questions);
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    response.on('close', () => {
      if (!response.writableEnded) this.aborted += 1;
    });
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const path = request.url ?? '';
    const body = JSON.parse(text || '{}') as Record<string, unknown>;
    const question = { path, body, key: request.headers.authorization };
    this.questions.push(question);
    const said = {
      content: this.answer(question),
      choices: [{ message: { content: this.answer(question) } }],
    };
    this.#reply(response, this.faults.get(path) ?? this.faults.get('*'), said);
  }

  #reply(response: http.ServerResponse, fault: ModelFault | undefined, said: unknown): void {
    const text = JSON.stringify(said);
    switch (fault?.kind) {
      case undefined:
        response.end(text);
        break;
      case 'slow':
        setTimeout(() => response.end(text), fault.ms);
        break;
      case 'status':
        response.writeHead(fault.status).end(JSON.stringify(fault.body ?? { error: { message: 'no' } }));
        break;
      case 'cut':
        response.writeHead(200, { 'content-length': String(text.length) });
        response.write(text.slice(0, 5), () => response.destroy());
        break;
      case 'garbage':
        response.end('<html>\u0000 gateway {');
        break;
      case 'hang':
        break;
      case 'flood':
        response.write(`{"content":"${'x'.repeat(1024 * 1024)}`);
        response.end('"}');
        break;
      case 'redirect':
        response.writeHead(302, { location: 'http://127.0.0.1:1/elsewhere' }).end();
        break;
      case 'reset':
        response.socket?.resetAndDestroy();
    }
  }
}
