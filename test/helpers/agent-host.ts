/** A host in this process whose agent follows a script instead of a model, with a real store and a real folder. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SeenText } from '../../src/agent/core/seen-text.ts';
import type { LoopDeps, LoopInput, LoopOutcome, RunLoop } from '../../src/agent/loop/port.ts';
import { connectHost } from '../../src/app/client/connect.ts';
import type { HostConnection } from '../../src/app/client/host-connection.ts';
import { openAgent } from '../../src/app/host/open-agent.ts';
import { ok, type Result } from '../../src/lib/result.ts';
import {
  type AgentEvent,
  type AgentJob,
  type AgentLimits,
  agentLimitsSchema,
  type DraftEdit,
  type JobError,
  type JobStatus,
} from '../../src/protocol/agent.ts';
import type { CommandName, CommandParams, CommandResult } from '../../src/protocol/command.ts';
import { sha256 } from '../../src/review/files/hash.ts';
import { must, temporaryHome } from './host-fakes.ts';
import { until } from './until.ts';

/** One step of a script. */
export type ScriptedJob = (work: ScriptedWork) => Promise<Result<LoopOutcome, JobError>>;

export interface ScriptedWork {
  readonly input: LoopInput;
  readonly deps: LoopDeps;
  /** Reads these files as a model would, then proposes; returns the faults to the caller. */
  propose(edits: readonly DraftEdit[], message?: string): Promise<Result<LoopOutcome, JobError>>;
}

export class AgentHost {
  readonly home: ReturnType<typeof temporaryHome>;
  readonly root: string;
  readonly scripts: ScriptedJob[] = [];
  readonly #limits: AgentLimits;
  #client: HostConnection | null = null;

  private constructor(limits: Partial<AgentLimits>) {
    this.home = temporaryHome();
    this.root = path.join(this.home.home, 'notes');
    mkdirSync(this.root);
    this.#limits = agentLimitsSchema.parse(limits);
  }

  static async start(
    files: Readonly<Record<string, string>> = {},
    limits: Partial<AgentLimits> = {},
  ): Promise<AgentHost> {
    const host = new AgentHost(limits);
    for (const [name, text] of Object.entries(files)) host.put(name, text);
    await host.open();
    return host;
  }

  /** Leads (again): a host that was closed returns with what it kept. */
  async open(): Promise<void> {
    this.#client = must(
      await connectHost({
        paths: this.home.paths,
        version: 'test',
        openAgent: (host, home) =>
          openAgent(host, home, { limits: this.#limits, mode: () => 'remote', runLoop: this.#loop }),
      }),
    );
  }

  async close(): Promise<void> {
    await this.#client?.close();
    this.#client = null;
  }

  async stop(): Promise<void> {
    await this.close();
    this.home.remove();
  }

  get client(): HostConnection {
    if (this.#client === null) throw new Error('the host is closed');
    return this.#client;
  }

  readonly #loop: RunLoop = (input, deps) => {
    const script = this.scripts.shift();
    if (script === undefined) throw new Error('no script is left');
    return script({ input, deps, propose: (edits, message) => this.#propose(input, deps, edits, message) });
  };

  async #propose(
    input: LoopInput,
    deps: LoopDeps,
    edits: readonly DraftEdit[],
    message = 'done',
  ): Promise<Result<LoopOutcome, JobError>> {
    const seen = new SeenText(sha256);
    for (const file of new Set(edits.map((edit) => edit.file_path))) {
      const kept = deps.buffers.read(file);
      const bytes = kept === undefined ? this.bytes(file, input.root) : kept;
      if (bytes !== null) seen.saw({ path: file, startLine: 1, bytes, lineCount: lineCount(bytes) });
    }
    const filled = edits.map((edit, i) => seen.fill(edit, `e_${i + 1}`));
    const faults = filled.flatMap((one) => (one.ok ? [] : [one.fault]));
    const whole = filled.flatMap((one) => (one.ok ? [one.edit] : []));
    const found = faults.length > 0 ? faults : await deps.check(whole);
    if (found.length === 0) return ok({ edits: whole, message });
    const text = found.map((fault) => fault.message).join('\n');
    return { ok: false, error: { code: 'invalid_edits', message: text, hint: null } };
  }

  /** Sends a request; fails the test with the reason if refused. */
  async ask<C extends CommandName>(command: C, params: CommandParams<C>): Promise<CommandResult<C>> {
    return must(await this.client.request(command, params));
  }

  /** Sends a request and returns the refusal. */
  async refused<C extends CommandName>(command: C, params: CommandParams<C>) {
    const result = await this.client.request(command, params);
    if (result.ok) throw new Error(`${command} was not refused`);
    return result.error;
  }

  async session(): Promise<string> {
    return (await this.ask('agent/create', { root: this.root })).id;
  }

  /** Starts a job that this script plays. */
  async run(session: string, script: ScriptedJob, instruction = 'do it'): Promise<string> {
    this.scripts.push(script);
    return (await this.ask('agent/run', { session_id: session, instruction })).job_id;
  }

  /** Runs a job that proposes these edits, and waits for its review. */
  async proposed(session: string, edits: readonly DraftEdit[]): Promise<AgentJob> {
    return this.reached(await this.run(session, ({ propose }) => propose(edits)), 'awaiting_review');
  }

  /** The job once it is in this state. */
  reached(job: string, status: JobStatus): Promise<AgentJob> {
    return until(`job ${job} ${status}`, async () => {
      const now = await this.ask('agent/job', { job_id: job });
      if (now.status === status) return now;
      if (now.status === 'failed') throw new Error(`the job failed: ${now.error?.message}`);
      return undefined;
    });
  }

  async failed(job: string): Promise<JobError> {
    const now = await until(`job ${job} failed`, async () => {
      const found = await this.ask('agent/job', { job_id: job });
      return found.status === 'failed' ? found : undefined;
    });
    if (now.error === null) throw new Error('it failed without a reason');
    return now.error;
  }

  async events(job: string): Promise<readonly AgentEvent[]> {
    return (await this.ask('agent/events', { job_id: job })).events;
  }

  put(name: string, text: string | Uint8Array): void {
    const file = path.join(this.root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  remove(name: string): void {
    rmSync(path.join(this.root, name));
  }

  bytes(name: string, root = this.root): Uint8Array | null {
    try {
      return readFileSync(path.join(root, name));
    } catch {
      // It does not exist: the answer is null.
      return null;
    }
  }

  /** A file on disk as text; null when it does not exist. */
  disk(name: string): string | null {
    const bytes = this.bytes(name);
    return bytes === null ? null : Buffer.from(bytes).toString('utf8');
  }

  /** The working text of a file; null when it does not exist. */
  async working(session: string, name: string): Promise<string | null> {
    const [file] = await this.ask('agent/working', { session_id: session, file_path: name });
    return file === undefined ? this.disk(name) : (file.text ?? null);
  }

  /** The ids of a job's hunks, in order. */
  hunks(job: AgentJob): readonly string[] {
    return job.diff_bundle?.files.flatMap((file) => file.hunks.map((hunk) => hunk.hunk_id)) ?? [];
  }
}

function lineCount(bytes: Uint8Array): number {
  const text = Buffer.from(bytes).toString('latin1');
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
}

/** An edit of whole lines. */
export function replaceLine(file: string, line: number, text: string): DraftEdit {
  return { file_path: file, operation: 'replace', start_line: line, end_line: line, new_text: text };
}
