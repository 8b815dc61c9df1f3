/** The lines of a Codex rollout and its predecessors: after a rewind or fork, a new file names the valid part. */
import path from 'node:path';
import type { Line } from '../../lib/line-splitter.ts';
import { fileAt, namesIn } from './files.ts';
import { asObject, asString, type JsonObject, parseJson } from './json.ts';
import type { LineSource } from './jsonl-session.ts';
import { JsonlTail, type TailLimits, type TailStep } from './jsonl-tail.ts';

/** The most files of one conversation; older ones are left out. */
const MAX_SEGMENTS = 50;

export class RolloutLines implements LineSource {
  readonly #path: string;
  readonly #limits: TailLimits;
  readonly #depth: number;
  readonly #own: JsonlTail;
  /** The continued file: undefined until the first line was read, null for none. */
  #base: RolloutLines | null | undefined = undefined;
  #isBaseOpen = false;

  constructor(file: string, limits: TailLimits = {}, depth = 0) {
    this.#path = file;
    this.#limits = limits;
    this.#depth = depth;
    this.#own = new JsonlTail(file, limits);
  }

  get complete(): boolean {
    if (!this.#own.complete || this.#base === undefined) return false;
    return this.#base === null || (this.#isBaseOpen && this.#base.complete);
  }

  get canReachBack(): boolean {
    if (this.#own.canReachBack) return true;
    return this.#base != null && (!this.#isBaseOpen || this.#base.canReachBack);
  }

  pendingText(): string | null {
    return this.#own.pendingText();
  }

  forget(): void {
    this.#own.forget();
    this.#base = undefined;
    this.#isBaseOpen = false;
  }

  async poll(): Promise<TailStep> {
    const step = await this.#own.poll();
    if (step.kind === 'restarted') {
      this.#base = undefined;
      this.#isBaseOpen = false;
    }
    if (step.kind === 'restarted' || step.kind === 'grown') await this.#noteFirst(step.lines);
    return step;
  }

  async back(): Promise<readonly Line[] | null> {
    if (this.#own.canReachBack) {
      const lines = await this.#own.back();
      if (lines !== null) await this.#noteFirst(lines);
      return lines;
    }
    const base = this.#base;
    if (base == null) return [];
    if (this.#isBaseOpen) return base.back();
    this.#isBaseOpen = true;
    const step = await base.poll();
    if (step.kind === 'restarted') return step.lines;
    // The continued file is gone: the conversation begins here.
    this.#base = null;
    return [];
  }

  /** Notes the continued file once `lines` hold the first line. */
  async #noteFirst(lines: readonly Line[]): Promise<void> {
    const first = lines[0];
    if (this.#base !== undefined || !this.#own.complete || first === undefined) return;
    const record = first.kind === 'line' ? asObject(parseJson(first.text)) : null;
    const base = asObject(asObject(record?.payload)?.history_base);
    const file = base === null || this.#depth >= MAX_SEGMENTS ? null : await this.#fileBefore(base);
    const endOffset = base?.end_byte_offset;
    const limits = typeof endOffset === 'number' ? { ...this.#limits, endOffset } : this.#limits;
    this.#base = file === null ? null : new RolloutLines(file, limits, this.#depth + 1);
  }

  /** The newest earlier file of that thread that is long enough. */
  async #fileBefore(base: JsonObject): Promise<string | null> {
    const thread = asString(base.thread_id);
    const root = path.resolve(path.dirname(this.#path), '../../..');
    if (thread === null) return null;
    for (const file of await filesOfThread(root, thread)) {
      const isBefore = path.basename(file) < path.basename(this.#path);
      const found = isBefore ? await fileAt(file) : null;
      if (found !== null && found.bytes >= Number(base.end_byte_offset ?? 0)) return file;
    }
    return null;
  }
}

/** Newest first, by the time in their names. */
async function filesOfThread(root: string, thread: string): Promise<readonly string[]> {
  const files: string[] = [];
  for (const year of await namesIn(root)) {
    for (const month of await namesIn(path.join(root, year))) {
      for (const day of await namesIn(path.join(root, year, month))) {
        const folder = path.join(root, year, month, day);
        const names = (await namesIn(folder)).filter(
          (name) => name.includes(thread) && name.endsWith('.jsonl'),
        );
        files.push(...names.map((name) => path.join(folder, name)));
      }
    }
  }
  return files.sort((a, b) => (path.basename(a) < path.basename(b) ? 1 : -1));
}
