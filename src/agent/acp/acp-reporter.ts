/** Reports what an agent says and does as events of the job; paths of the copy become those of the project. */
import { saysYes } from '../core/says-yes.ts';
import type { LoopDeps } from '../loop-port.ts';
import type { AcpEvents } from './acp-session.ts';
import { type AskedCall, staysInside } from './permission.ts';

export interface ReporterOptions {
  readonly deps: LoopDeps;
  readonly root: string;
  /** The copy that the agent works in. */
  readonly folder: string;
  readonly now: () => number;
}

const SUMMARY_MAX_CHARS = 200;

export class AcpReporter implements AcpEvents {
  readonly #options: ReporterOptions;
  readonly #begun = new Map<string, { readonly tool: string; readonly at: number }>();
  #message = '';
  #said: string[] = [];

  constructor(options: ReporterOptions) {
    this.#options = options;
  }

  readonly text = (piece: string): void => {
    this.#message += piece;
    this.#options.deps.delta(piece);
  };

  readonly toolBegan = (id: string, call: AskedCall, input: unknown): void => {
    if (this.#begun.has(id)) return;
    this.#endMessage();
    const { deps, now } = this.#options;
    const tool = call.kind ?? 'other';
    const title = this.#asInProject(call.title);
    this.#begun.set(id, { tool, at: now() });
    const data = { summary: title.slice(0, SUMMARY_MAX_CHARS), tool_call_id: id, tool };
    deps.emit({ type: 'tool.call.requested', data: { ...data, arguments: { title, ...asRecord(input) } } });
  };

  readonly toolEnded = (id: string, worked: boolean): void => {
    const begun = this.#begun.get(id);
    if (begun === undefined) return;
    this.#begun.delete(id);
    const { deps, now } = this.#options;
    const data = { tool_call_id: id, tool: begun.tool, ok: worked, duration_ms: now() - begun.at };
    deps.emit({ type: 'tool.call.completed', data });
  };

  readonly allow = async (call: AskedCall): Promise<boolean> => {
    const { deps, folder } = this.#options;
    if (staysInside(call, folder)) return true;
    this.#endMessage();
    const answer = await deps.askUser(
      `The agent asks for permission: ${this.#asInProject(call.title)}\nAllow it?`,
    );
    return saysYes(answer);
  };

  /** The agent's turn is over: what it said in it. Calls whose end it did not tell have ended as well. */
  endTurn(): string {
    this.#endMessage();
    for (const id of [...this.#begun.keys()]) this.toolEnded(id, true);
    const said = this.#said.join('\n\n');
    this.#said = [];
    return said;
  }

  #endMessage(): void {
    const text = this.#asInProject(this.#message).trim();
    this.#message = '';
    if (text === '') return;
    this.#said.push(text);
    const summary = text.slice(0, SUMMARY_MAX_CHARS);
    this.#options.deps.emit({ type: 'message.completed', data: { summary, text } });
  }

  #asInProject(text: string): string {
    return text.replaceAll(this.#options.folder, this.#options.root);
  }
}

/** Arguments that are worth a place in the log. */
const INPUT_MAX_CHARS = 4_000;

function asRecord(input: unknown): Record<string, unknown> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return {};
  return JSON.stringify(input).length > INPUT_MAX_CHARS ? {} : { ...input };
}
