/** Starts companions without a screen as real processes, and talks to them. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Failure, Result } from '../../src/lib/result.ts';
import type { ClientState } from '../../src/protocol/client.ts';
import type { CommandName, CommandParams, CommandResult } from '../../src/protocol/command.ts';
import { NODE, testProgram } from './product.ts';
import { until } from './until.ts';

/** How long to wait for a companion. */
const WAIT_MAX_MS = 15_000;

export interface Said {
  readonly kind: string;
  readonly [field: string]: unknown;
}

export interface CompanionOptions {
  /** Serves as the user's home; all XDG folders are below it. */
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  /** How long it may take to start; by default as long as anything else. */
  readonly startMs?: number;
}

export class Companion {
  readonly said: Said[] = [];
  readonly #child: ChildProcessWithoutNullStreams;
  #stderr = '';
  #lastOrder = 0;
  #exit: { readonly code: number | null; readonly signal: string | null } | null = null;

  private constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    createInterface({ input: child.stdout }).on('line', (line) => this.said.push(JSON.parse(line)));
    child.stderr.on('data', (chunk) => {
      this.#stderr += String(chunk);
    });
    child.stdin.on('error', () => undefined);
    child.on('close', (code, signal) => {
      this.#exit = { code, signal };
    });
  }

  /** Starts one and waits until it is connected or has failed. */
  static async start({ home, env = {}, startMs }: CompanionOptions): Promise<Companion> {
    const { PATH = '' } = process.env;
    const child = spawn(NODE, [testProgram('host-companion')], {
      env: { PATH, HOME: home, ...env },
    });
    const companion = new Companion(child);
    await companion.until(
      'a companion that is connected or has failed',
      () => companion.said.find(({ kind }) => kind === 'ready' || kind === 'failed'),
      startMs,
    );
    return companion;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Why it could not connect. */
  get failure(): Failure | null {
    const failed = this.said.find(({ kind }) => kind === 'failed');
    return failed === undefined ? null : (failed.error as Failure);
  }

  get ready(): Said | undefined {
    return this.said.find(({ kind }) => kind === 'ready');
  }

  get state(): ClientState {
    const last = this.said.findLast(({ kind }) => kind === 'state') ?? this.ready;
    return last?.state as ClientState;
  }

  get leads(): boolean {
    return this.state.kind === 'connected' && this.state.leader;
  }

  /** `seq` of every event, in the order of arrival. */
  get eventSeqs(): readonly number[] {
    return this.said.filter(({ kind }) => kind === 'event').map((said) => said.seq as number);
  }

  order(op: string, fields: Record<string, unknown> = {}): number {
    this.#lastOrder += 1;
    this.#child.stdin.write(`${JSON.stringify({ op, n: this.#lastOrder, ...fields })}\n`);
    return this.#lastOrder;
  }

  answerTo(n: number): Promise<Said> {
    return this.until(`an answer to order ${n}`, () =>
      this.said.find((said) => said.kind === 'answer' && said.n === n),
    );
  }

  /** The answer to a request; null when the process ended first. */
  async requestUntilEnd<C extends CommandName>(
    command: C,
    params: CommandParams<C>,
  ): Promise<Result<CommandResult<C>> | null> {
    const n = this.order('request', { command, params });
    const answered = await this.until('an answer, or the end of the companion', () => {
      const answer = this.said.find((said) => said.kind === 'answer' && said.n === n);
      return answer ?? this.#exit;
    });
    return 'kind' in answered ? (answered.result as Result<CommandResult<C>>) : null;
  }

  do(op: string, fields: Record<string, unknown> = {}): Promise<Said> {
    return this.answerTo(this.order(op, fields));
  }

  async request<C extends CommandName>(
    command: C,
    params: CommandParams<C>,
  ): Promise<Result<CommandResult<C>>> {
    const answer = await this.do('request', { command, params });
    return answer.result as Result<CommandResult<C>>;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Waits for its end. */
  ended(): Promise<{ readonly code: number | null; readonly signal: string | null }> {
    return this.until('the end of a companion', () => this.#exit);
  }

  until<T>(what: string, look: () => T | null | undefined | false, timeoutMs = WAIT_MAX_MS): Promise<T> {
    const show = () =>
      `it said:\n${this.said
        .slice(-15)
        .map((one) => JSON.stringify(one))
        .join('\n')}\n${this.#stderr}`;
    return until(what, look, { timeoutMs, show });
  }

  /** Kills it in any state, even when stopped. */
  async kill(): Promise<void> {
    if (this.#exit === null) this.signal('SIGKILL');
    await this.ended();
  }
}
