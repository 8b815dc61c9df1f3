/**
 * `copane mcp` as a child process, and the few words of MCP that it takes to call its tools. It is an author: nothing
 * that goes through here decides on a review. Started at the first call, and again when it has ended.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const PROTOCOL = '2025-06-18';
/** Longer than the longest wait of a tool. */
const CALL_TIMEOUT_MS = 60_000;

/**
 * @typedef {{ readonly program: string, readonly author: string, readonly cwd: string }} McpChildOptions
 * @typedef {{ readonly name: string, readonly description: string, readonly inputSchema: object }} McpTool
 */

export class McpChild {
  /** @param {McpChildOptions} options */
  constructor(options) {
    this.options = options;
    this.nextId = 1;
    this.waiting = new Map();
    this.child = null;
    this.ready = null;
  }

  /** @returns {Promise<readonly McpTool[]>} */
  async tools() {
    return (await this.request('tools/list', {})).tools ?? [];
  }

  /**
   * Calls a tool. A failure of the tool is an answer too: `isError`, with the next step in the text.
   * @param {string} name
   * @param {object} args
   * @param {AbortSignal} [signal]
   * @returns {Promise<{ text: string, body: any, isError: boolean }>}
   */
  async call(name, args, signal) {
    const result = await this.request('tools/call', { name, arguments: args }, signal);
    const text = (result.content ?? []).map((part) => part.text ?? '').join('\n');
    return { text, body: result.structuredContent ?? null, isError: result.isError === true };
  }

  /** Ends the child. */
  close() {
    this.child?.stdin.end();
    this.child = null;
    this.ready = null;
  }

  async request(method, params, signal) {
    await this.connect();
    return this.send(method, params, signal);
  }

  connect() {
    this.ready ??= this.start();
    return this.ready;
  }

  async start() {
    const { program, author, cwd } = this.options;
    const child = spawn(program, ['mcp', '--as', author], { cwd, stdio: ['pipe', 'pipe', 'ignore'] });
    this.child = child;
    const gone = (why) => {
      if (this.child !== child) return;
      this.child = null;
      this.ready = null;
      for (const { reject } of this.waiting.values()) reject(new Error(`copane mcp ${why}`));
      this.waiting.clear();
    };
    child.once('error', (error) => gone(`cannot be started: ${error.message}`));
    child.once('exit', () => gone('has ended'));
    child.stdin.on('error', () => gone('does not listen'));
    createInterface({ input: child.stdout }).on('line', (line) => this.take(line));
    const clientInfo = { name: author, version: '1' };
    await this.send('initialize', { protocolVersion: PROTOCOL, capabilities: {}, clientInfo });
    this.write({ method: 'notifications/initialized' });
  }

  send(method, params, signal) {
    if (signal?.aborted) return Promise.reject(new Error('cancelled'));
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        this.waiting.delete(id);
      };
      const abort = () => {
        end();
        this.write({ method: 'notifications/cancelled', params: { requestId: id } });
        reject(new Error('cancelled'));
      };
      const timer = setTimeout(() => {
        end();
        reject(new Error(`copane mcp did not answer within ${CALL_TIMEOUT_MS / 1000} seconds`));
      }, CALL_TIMEOUT_MS);
      timer.unref?.();
      signal?.addEventListener('abort', abort, { once: true });
      this.waiting.set(id, {
        resolve: (value) => {
          end();
          resolve(value);
        },
        reject: (error) => {
          end();
          reject(error);
        },
      });
      this.write({ id, method, params });
    });
  }

  write(message) {
    if (this.child?.stdin.writable)
      this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  take(line) {
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      // Not ours to fix: whoever waits for it runs into the time limit.
      return;
    }
    const waiting = this.waiting.get(message.id);
    if (waiting === undefined) return;
    if (message.error) waiting.reject(new Error(message.error.message));
    else waiting.resolve(message.result);
  }
}
