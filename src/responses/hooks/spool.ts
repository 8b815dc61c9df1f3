/** The files in which `copane-hook` records reports of AI CLIs, one per process. Reads new lines, removes old files. */
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { AskedCall } from '../../protocol/dialog.ts';
import type { TimedState } from '../core/ai-state.ts';
import { JsonlTail } from '../transcripts/jsonl-tail.ts';
import { type HookEvent, parseHookLine } from './hook-event.ts';

/** The most processes that are followed at once. */
export const MAX_SPOOL_FILES = 128;
/** How many of the newest events of each process are kept. */
export const MAX_SPOOL_EVENTS = 256;

/** An event with its number in the order of arrival, and when its file was written. */
export interface SpooledEvent extends HookEvent {
  readonly seq: number;
  readonly at: number;
}

/** The state of a session, and the calls that wait for permission since it last did anything else, oldest first. */
export interface HookState extends TimedState {
  readonly asked: readonly AskedCall[];
}

/** An accepted prompt, and when it was reported, ms since the epoch. */
export interface TimedPrompt {
  readonly text: string;
  readonly at: number;
}

interface SpoolFile {
  readonly tail: JsonlTail;
  events: readonly SpooledEvent[];
}

export interface HookSpoolOptions {
  readonly folder: string;
  readonly isAlive: (pid: number) => boolean;
}

/** A file of one process, whose pid is in its name. */
interface NamedFile {
  readonly name: string;
  readonly pid: number;
}

export class HookSpool {
  readonly #options: HookSpoolOptions;
  readonly #files = new Map<string, SpoolFile>();
  #seq = 0;
  #reading: Promise<void> | null = null;

  constructor(options: HookSpoolOptions) {
    this.#options = options;
  }

  /** Number of the newest event; later ones are greater. */
  get seq(): number {
    return this.#seq;
  }

  /** Reads new events. Simultaneous calls share one read. */
  poll(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  /** All known events, the newest of each process, oldest first. */
  events(): readonly SpooledEvent[] {
    return [...this.#files.values()].flatMap(({ events }) => events).sort((a, b) => a.seq - b.seq);
  }

  /** The state of a session by its last event with one; null if there is none. */
  stateOf(sessionId: string): HookState | null {
    const reports = this.events().filter((event) => event.sessionId === sessionId && event.state !== null);
    const last = reports.at(-1);
    if (last?.state == null) return null;
    const open = reports.slice(reports.findLastIndex(({ state }) => state !== 'waiting') + 1);
    return { state: last.state, at: last.at, asked: open.flatMap(({ asked }) => asked ?? []) };
  }

  /** The newest prompt that a session accepted; null if none was reported. */
  promptOf(sessionId: string): TimedPrompt | null {
    const last = this.events().findLast((event) => event.sessionId === sessionId && event.prompt !== null);
    return last?.prompt == null ? null : { text: last.prompt, at: last.at };
  }

  async #read(): Promise<void> {
    const names = await readdir(this.#options.folder).catch(() => []);
    const known = names.flatMap((name) => {
      const pid = /^[a-z-]+-(\d+)\.jsonl$/.exec(name)?.[1];
      return pid === undefined ? [] : [{ name, pid: Number(pid) }];
    });
    const live = known.filter(({ pid }) => this.#options.isAlive(pid)).slice(0, MAX_SPOOL_FILES);
    const liveNames = new Set(live.map(({ name }) => name));
    await Promise.all(known.filter(({ name }) => !liveNames.has(name)).map((file) => this.#drop(file)));
    for (const name of this.#files.keys()) if (!liveNames.has(name)) this.#files.delete(name);
    for (const file of live) await this.#readFile(file);
  }

  async #drop({ name, pid }: NamedFile): Promise<void> {
    if (this.#options.isAlive(pid)) return;
    await rm(path.join(this.#options.folder, name), { force: true }).catch(() => undefined);
  }

  async #readFile({ name, pid }: NamedFile): Promise<void> {
    const file = path.join(this.#options.folder, name);
    const known = this.#files.get(name) ?? { tail: new JsonlTail(file), events: [] };
    this.#files.set(name, known);
    const step = await known.tail.poll();
    if (step.kind !== 'grown' && step.kind !== 'restarted') return;
    const at = (await stat(file).catch(() => null))?.mtimeMs ?? 0;
    const fresh = step.lines.flatMap((line) => {
      const event = line.kind === 'line' ? parseHookLine(line.text) : null;
      // An input that is not valid JSON could claim to come from another process.
      if (event?.pid !== pid) return [];
      this.#seq += 1;
      return [{ ...event, seq: this.#seq, at }];
    });
    const before = step.kind === 'restarted' ? [] : known.events;
    known.events = [...before, ...fresh].slice(-MAX_SPOOL_EVENTS);
  }
}
