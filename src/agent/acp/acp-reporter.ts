/** Reports an agent's messages and actions as events of the job; paths of the copy become those of the project. */
import { isRecord } from '../../lib/is-record.ts';
import { saysYes } from '../core/says-yes.ts';
import type { LoopDeps } from '../loop/port.ts';
import type { AcpEvents, PlanStep } from './acp-session.ts';
import { ALLOW, ALLOW_ALL, ANSWERS, type AskedCall, callWords, staysInside } from './permission.ts';

export interface ReporterOptions {
  readonly deps: LoopDeps;
  readonly root: string;
  /** The copy that the agent works in. */
  readonly folder: string;
  readonly now: () => number;
}

const SUMMARY_MAX_CHARS = 200;
/** The limit of one message of the agent, in characters; a notice replaces the rest. */
const MESSAGE_MAX_CHARS = 100_000;
const CUT = '\n… the rest of this message is left out';
const PLAN_MAX_STEPS = 100;

/** Larger arguments are left out of the log. */
const INPUT_MAX_CHARS = 4_000;
/** How often a call is reported again when more of it becomes known. */
const TOLD_MAX_TIMES = 3;

interface BegunCall {
  readonly tool: string;
  readonly at: number;
  readonly title: string;
  readonly hasInput: boolean;
  readonly times: number;
}

export class AcpReporter implements AcpEvents {
  readonly #options: ReporterOptions;
  readonly #begun = new Map<string, BegunCall>();
  /** Calls that ended in this turn. */
  readonly #ended = new Set<string>();
  #message = '';
  /** The end of what was said, while it may be half of the copy's path. */
  #heldBack = '';
  #messageId: string | null = null;
  #said: string[] = [];
  #allowsAll = false;
  /** Settles when every question asked so far has an answer. */
  #asking: Promise<unknown> = Promise.resolve();

  constructor(options: ReporterOptions) {
    this.#options = options;
  }

  readonly text = (piece: string, messageId: string | null): void => {
    if (messageId !== this.#messageId) this.#endMessage();
    this.#messageId = messageId;
    const text = this.#asInProject(this.#heldBack + piece);
    const end = text.length - this.#pathBegun(text);
    this.#heldBack = text.slice(end);
    this.#say(text.slice(0, end));
  };

  #say(text: string): void {
    const room = MESSAGE_MAX_CHARS - this.#message.length;
    if (room < 0) return;
    const part = text.length > room ? text.slice(0, room) + CUT : text;
    this.#message += part;
    this.#options.deps.delta(part);
  }

  /** How many characters at the end of the text may be the beginning of the copy's path. */
  #pathBegun(text: string): number {
    const { folder } = this.#options;
    for (let length = Math.min(folder.length - 1, text.length); length > 0; length -= 1) {
      const end = text.slice(-length);
      if (folder.startsWith(end) || folder.startsWith(end, 1)) return length;
    }
    return 0;
  }

  readonly toolBegan = (id: string, call: AskedCall): void => {
    const { deps, now } = this.#options;
    const title = this.#asInProject(call.title);
    const given = this.#shownInput(call.input);
    const known = this.#begun.get(id);
    // Agents name a call before they know its details, and send those in a later update.
    const isNews =
      known === undefined || known.title !== title || (!known.hasInput && Object.keys(given).length > 0);
    if (!isNews || (known?.times ?? 0) >= TOLD_MAX_TIMES || (known === undefined && this.#ended.has(id)))
      return;
    if (known === undefined) this.#endMessage();
    const tool = call.kind ?? 'other';
    const hasInput = Object.keys(given).length > 0;
    this.#begun.set(id, { tool, at: known?.at ?? now(), title, hasInput, times: (known?.times ?? 0) + 1 });
    const data = { summary: title.slice(0, SUMMARY_MAX_CHARS), tool_call_id: id, tool };
    deps.emit({ type: 'tool.call.requested', data: { ...data, arguments: { title, ...given } } });
  };

  readonly toolEnded = (id: string, worked: boolean): void => {
    const begun = this.#begun.get(id);
    if (begun === undefined) return;
    this.#begun.delete(id);
    this.#ended.add(id);
    const { deps, now } = this.#options;
    const data = { tool_call_id: id, tool: begun.tool, ok: worked, duration_ms: now() - begun.at };
    deps.emit({ type: 'tool.call.completed', data });
  };

  readonly allow = (call: AskedCall): Promise<boolean> => {
    if (staysInside(call, this.#options.folder)) return Promise.resolve(true);
    // Agents run calls in parallel, and a job has one question at a time.
    const allowed = this.#asking.then(() => this.#ask(call));
    this.#asking = allowed.catch(() => undefined);
    return allowed;
  };

  async #ask(call: AskedCall): Promise<boolean> {
    if (this.#allowsAll) return true;
    this.#endMessage();
    const { deps, folder, root } = this.#options;
    const words = callWords(call);
    // In the words that the user reads, a path of the copy is one of the project.
    const isOwn = words.replaceAll(folder, '').includes(root);
    const where = isOwn ? ' to work on the project itself, not on its copy' : '';
    const asked = `The agent asks for permission${where}: ${this.#asInProject(words)}`;
    const answer = await deps.askUser(asked, ANSWERS);
    this.#allowsAll = answer === ALLOW_ALL;
    return this.#allowsAll || answer === ALLOW || saysYes(answer);
  }

  readonly plan = (steps: readonly PlanStep[]): void => {
    const shown = steps.slice(0, PLAN_MAX_STEPS).map(({ text, status }) => ({
      text: this.#asInProject(text).slice(0, SUMMARY_MAX_CHARS),
      status,
    }));
    const done = steps.filter(({ status }) => status === 'completed').length;
    const now = shown.find(({ status }) => status === 'in_progress');
    const summary = `${done} of ${steps.length} steps done${now === undefined ? '' : `; now: ${now.text}`}`;
    this.#options.deps.emit({ type: 'plan.updated', data: { summary, steps: shown } });
  };

  /** Ends the agent's turn; returns its text. Calls without a reported end have also ended. */
  endTurn(): string {
    this.#endMessage();
    for (const id of [...this.#begun.keys()]) this.toolEnded(id, true);
    this.#ended.clear();
    const said = this.#said.join('\n\n');
    this.#said = [];
    return said;
  }

  #endMessage(): void {
    this.#say(this.#heldBack);
    this.#heldBack = '';
    const text = this.#message.trim();
    this.#message = '';
    if (text === '') return;
    this.#said.push(text);
    const summary = text.slice(0, SUMMARY_MAX_CHARS);
    this.#options.deps.emit({ type: 'message.completed', data: { summary, text } });
  }

  #asInProject(text: string): string {
    const { folder, root } = this.#options;
    // Some agents omit the first slash.
    return text.replaceAll(folder, () => root).replaceAll(folder.slice(1), () => root.slice(1));
  }

  /** Arguments that are worth logging. */
  #shownInput(input: unknown): Record<string, unknown> {
    if (!isRecord(input)) return {};
    const text = JSON.stringify(input, (_, value) =>
      typeof value === 'string' ? this.#asInProject(value) : value,
    );
    return text.length > INPUT_MAX_CHARS ? {} : JSON.parse(text);
  }
}
