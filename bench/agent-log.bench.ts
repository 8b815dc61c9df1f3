/**
 * The cost of keeping proposals so that they can be undone: thirty files proposed, decided, saved and undone, beside
 * git; and the same on the log of a hundred jobs, beside a new log.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import type { AgentJob } from '../src/protocol/agent.ts';
import { AgentHost, replaceLine } from '../test/helpers/agent-host.ts';
import type { BenchSuite } from './harness.ts';

const NAMES = Array.from({ length: 30 }, (_, i) => `n${i}.md`);
const LINES = 200;
const NOTE = Array.from({ length: LINES }, (_, i) => `line ${i} of a note of ordinary length\n`).join('');
const JOBS = 100;

/** A project with a session, in which every job edits one line of each file. */
class Desk {
  readonly #host: AgentHost;
  readonly #session: string;
  #jobs = 0;

  private constructor(host: AgentHost, session: string) {
    this.#host = host;
    this.#session = session;
  }

  static async open(jobs: number): Promise<Desk> {
    const host = await AgentHost.start(Object.fromEntries(NAMES.map((name) => [name, NOTE])), {
      max_jobs_per_session: 1000,
    });
    const desk = new Desk(host, await host.session());
    for (let i = 0; i < jobs; i += 1) await desk.apply(await desk.propose());
    return desk;
  }

  propose(): Promise<AgentJob> {
    this.#jobs += 1;
    const line = 1 + ((this.#jobs * 7) % (LINES - 1));
    return this.#host.proposed(
      this.#session,
      NAMES.map((name) => replaceLine(name, line, `job ${this.#jobs}`)),
    );
  }

  async apply(job: AgentJob): Promise<void> {
    const wanted = {
      session_id: this.#session,
      job_id: job.id,
      accepted_hunk_ids: [...this.#host.hunks(job)],
    };
    if ((await this.#host.ask('agent/apply', wanted)).status !== 'completed') throw new Error('not applied');
  }

  async back(job: AgentJob): Promise<void> {
    await this.#host.ask('agent/rollback', { checkpoint_id: job.checkpoint_id ?? '', mode: 'hard_all' });
    await this.#host.ask('agent/save', { session_id: this.#session });
  }

  stop(): Promise<void> {
    return this.#host.stop();
  }
}

/** The same files in a repository. */
class Repository {
  readonly root = mkdtempSync(path.join(os.tmpdir(), 'copane-bench-'));
  #edits = 0;

  constructor() {
    for (const name of NAMES) writeFileSync(path.join(this.root, name), NOTE);
    this.git('init', '-q');
    this.git('add', '-A');
    this.git('-c', 'user.name=b', '-c', 'user.email=b@b', 'commit', '-qm', 'base');
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', args, { cwd: this.root, encoding: 'utf8' });
  }

  /** A patch that changes one line of each file, not applied. */
  patch(): string {
    this.#edits += 1;
    const lines = NOTE.split('\n');
    lines[(this.#edits * 7) % LINES] = `edit ${this.#edits}`;
    for (const name of NAMES) writeFileSync(path.join(this.root, name), lines.join('\n'));
    const patch = this.git('diff');
    this.git('checkout', '-q', '--', '.');
    return patch;
  }

  apply(patch: string): void {
    execFileSync('git', ['apply'], { cwd: this.root, input: patch });
  }
}

async function timed(work: () => Promise<unknown> | unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export const suite: BenchSuite = {
  name: 'agent: proposals of 30 files',
  prepare: async () => {
    const fresh = await Desk.open(0);
    const old = await Desk.open(JOBS);
    const repository = new Repository();
    return {
      rows: [
        {
          name: 'take and save 30 hunks in 30 files',
          peer: 'git apply of the same',
          target: 40,
          ours: async () => {
            const job = await fresh.propose();
            return timed(() => fresh.apply(job));
          },
          theirs: async () => {
            const patch = repository.patch();
            const took = await timed(() => repository.apply(patch));
            repository.git('checkout', '-q', '--', '.');
            return took;
          },
        },
        {
          name: 'take it back and save',
          peer: 'git checkout of 30 files',
          target: 60,
          ours: async () => {
            const job = await fresh.propose();
            await fresh.apply(job);
            return timed(() => fresh.back(job));
          },
          theirs: () => {
            repository.apply(repository.patch());
            return timed(() => repository.git('checkout', '-q', '--', '.'));
          },
        },
        {
          name: `propose, take and save on a log of ${JOBS} jobs`,
          peer: 'the same on a short log',
          target: 1.5,
          ours: () => timed(async () => old.apply(await old.propose())),
          theirs: () => timed(async () => fresh.apply(await fresh.propose())),
        },
      ],
      cleanup: async () => {
        await Promise.all([fresh.stop(), old.stop()]);
        rmSync(repository.root, { recursive: true, force: true });
      },
    };
  },
};
