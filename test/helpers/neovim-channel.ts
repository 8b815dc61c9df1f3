/**
 * How a test talks to Neovim: one JSON line per request and per answer, over a socket that Neovim listens on. `nvim
 * --remote-expr` would start a process for every poll.
 */
import net from 'node:net';

/** A string for Lua. */
export function luaString(text: string): string {
  return `"${text.replace(/[\\"\n]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`))}"`;
}

/** Lua that listens on `socket`. Keys enter at once, as from a terminal; Lua waits until Neovim handles events. */
export function listenOn(socket: string): string {
  return `
    local server = vim.loop.new_pipe(false)
    server:bind(${luaString(socket)})
    server:listen(1, function()
      local client, pieces = vim.loop.new_pipe(false), {}
      server:accept(client)
      local function answer(id, is_good, value)
        client:write(vim.fn.json_encode({ id, is_good, value }) .. '\\n')
      end
      local function handle(line)
        local request = vim.json.decode(line)
        if request.kind == 'keys' then vim.api.nvim_input(request.text) end
        vim.schedule(function()
          if request.kind == 'keys' then return answer(request.id, true, vim.NIL) end
          local chunk, problem = loadstring(request.text)
          if not chunk then return answer(request.id, false, problem) end
          answer(request.id, xpcall(chunk, debug.traceback))
        end)
      end
      client:read_start(function(_, chunk)
        if not chunk then return client:close() end
        local from, at = 1, chunk:find('\\n', 1, true)
        while at do
          table.insert(pieces, chunk:sub(from, at - 1))
          handle(table.concat(pieces))
          pieces, from = {}, at + 1
          at = chunk:find('\\n', from, true)
        end
        table.insert(pieces, chunk:sub(from))
      end)
    end)`;
}

export interface NeovimAnswer {
  readonly isGood: boolean;
  readonly value: unknown;
}

/** A Neovim that takes longer to answer is hanging. */
const ANSWER_TIMEOUT_MS = 30_000;

export class NeovimChannel {
  readonly #socket: net.Socket;
  readonly #waiting = new Map<number, (answer: NeovimAnswer) => void>();
  #asked = 0;
  #received: string[] = [];

  private constructor(socket: net.Socket) {
    this.#socket = socket;
    socket.setEncoding('utf8');
    socket.on('data', (text) => this.#take(String(text)));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      for (const answer of this.#waiting.values()) answer({ isGood: false, value: 'Neovim is gone' });
    });
  }

  /** Null while nobody listens there. */
  static open(socketPath: string): Promise<NeovimChannel | null> {
    return new Promise((resolve) => {
      const socket = net.connect(socketPath);
      socket.once('connect', () => resolve(new NeovimChannel(socket)));
      socket.once('error', () => resolve(null));
    });
  }

  #take(text: string): void {
    const [first = '', ...rest] = text.split('\n');
    this.#received.push(first);
    for (const next of rest) {
      const [id, isGood, value] = JSON.parse(this.#received.join('')) as [number, boolean, unknown];
      this.#waiting.get(id)?.({ isGood, value });
      this.#received = [next];
    }
  }

  /** Runs Lua, or presses keys; the answer comes once the keys are read. */
  ask(kind: 'lua' | 'keys', text: string): Promise<NeovimAnswer> {
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((resolve) => {
      const settle = (answer: NeovimAnswer) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve(answer);
      };
      const timer = setTimeout(
        () => settle({ isGood: false, value: `no answer within ${ANSWER_TIMEOUT_MS} ms` }),
        ANSWER_TIMEOUT_MS,
      );
      this.#waiting.set(id, settle);
      this.#socket.write(`${JSON.stringify({ id, kind, text })}\n`);
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}
