/** A session of JSON lines: reads new lines, and older ones on request. A dialect makes records and turns. */

import type { Line } from '../../lib/line-splitter.ts';
import type { AiState } from '../../protocol/pane.ts';
import type { Turn } from '../../protocol/turn.ts';
import { parseJson } from './json.ts';
import type { TailStep } from './jsonl-tail.ts';
import type {
  TranscriptOpenOptions,
  TranscriptReadOptions,
  TranscriptRef,
  TranscriptSession,
  TranscriptSnapshot,
} from './port.ts';
import { Problems } from './problems.ts';
import { GAP, type ToolFact, type WithFacts } from './tool-facts.ts';
import { MAX_TURNS } from './turn-builder.ts';

/** Limit for the text of a session's records; reading back stops there. */
const MAX_HELD_CHARACTERS = 64 * 1024 * 1024;
/** Limit for a session's records; reading back stops there, and a live session beyond it is read again. */
const MAX_HELD_RECORDS = 400_000;

/** In a longer list, only the last turns are rebuilt, if they still follow from the earlier ones. */
const SETTLE_AFTER_RECORDS = 2_000;
/** The newest turns that may still change; a rewind beyond them rebuilds all turns. */
const UNSETTLED_TURNS = 8;
/** The most branches of a conversation that are told apart. */
const MAX_BRANCHES = 8;

/** The contents of the records, as far as they reach back. */
export interface Reading extends Omit<TranscriptSnapshot, 'complete' | 'problems'> {
  /** `start`: the session begins here. `more`: older turns may exist. `unsure`: a record refers to something unread. */
  readonly reach: 'start' | 'more' | 'unsure';
  readonly problems?: readonly string[];
}

/** Source of lines: a growing file, or a packed one that is read whole. */
export interface LineSource {
  /** All lines have been returned. */
  readonly complete: boolean;
  /** `back` can return older lines. */
  readonly canReachBack: boolean;
  poll(): Promise<TailStep>;
  /** Older lines; null if the file was replaced. */
  back(): Promise<readonly Line[] | null>;
  pendingText(): string | null;
  /** Starts again with the next `poll`. */
  forget(): void;
}

export interface Dialect<R> {
  /** A record reduced to the relevant fields; null: irrelevant. Never throws. */
  parse(value: unknown, problems: Problems): R | null;
  /** The id of the turn that begins with this record; null for other records. Without it no turns are kept. */
  readonly idOf?: (record: R) => string | null;
  /** The lines are text, not JSON: `parse` gets the line itself. */
  readonly isText?: boolean;
  /** The turns of these records, in file order, up to `end`. `complete`: they begin where the file begins. */
  read(records: readonly WithFacts<R>[], complete: boolean, end?: string): Reading;
  /** The records that end a branch of the conversation, newest first. */
  readonly ends?: (records: readonly WithFacts<R>[]) => readonly string[];
  /** A line's facts about tools, for sessions opened `withTools`. Never throws. */
  readonly facts?: (value: unknown) => readonly ToolFact[];
  /** A better source of the state than the file, asked at each read; null: unknown. */
  readonly liveState?: () => Promise<AiState | null>;
  /** The files that `liveState` reads. */
  readonly sideFiles?: () => readonly string[];
}

/** Turns that stay valid while the records from `from` on begin with the turn `first`. */
interface Settled {
  readonly from: number;
  readonly first: string;
  readonly turns: readonly Turn[];
  readonly reading: Reading;
}

export class JsonlSession<R extends object> implements TranscriptSession {
  readonly ref: TranscriptRef;
  readonly #dialect: Dialect<R>;
  readonly #tail: LineSource;
  readonly #withTools: boolean;
  #records: WithFacts<R>[] = [];
  #heldCharacters = 0;
  #problems = new Problems();
  #reading: Reading | null = null;
  #settled: Settled | null = null;
  #snapshot: TranscriptSnapshot | null = null;
  #failure: string | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(
    ref: TranscriptRef,
    dialect: Dialect<R>,
    source: LineSource,
    { withTools = false }: TranscriptOpenOptions = {},
  ) {
    this.ref = ref;
    this.#dialect = dialect;
    this.#tail = source;
    this.#withTools = withTools;
  }

  failure(): string | null {
    return this.#failure;
  }

  sideFiles(): readonly string[] {
    return this.#dialect.sideFiles?.() ?? [];
  }

  branches(): readonly (readonly Turn[])[] {
    const records = this.#withPending(0);
    const ends = (this.#dialect.ends?.(records) ?? []).slice(0, MAX_BRANCHES);
    if (ends.length < 2) return [this.#reading?.turns ?? []];
    return ends.map((end) => this.#dialect.read(records, this.#tail.complete, end).turns);
  }

  /** Serializes reads: concurrent ones would both move the same position. */
  read(options: TranscriptReadOptions = {}): Promise<TranscriptSnapshot | null> {
    const run = this.#queue.then(() => this.#read(Math.min(options.turns ?? 1, MAX_TURNS)));
    this.#queue = run.catch(() => undefined);
    return run;
  }

  async #read(wanted: number): Promise<TranscriptSnapshot | null> {
    if (this.#records.length > MAX_HELD_RECORDS || this.#heldCharacters > 2 * MAX_HELD_CHARACTERS)
      this.#tail.forget();
    const step = await this.#tail.poll();
    if (step.kind === 'unavailable') return this.#lose(step.reason);
    if (step.kind === 'restarted') this.#forget();
    if (step.kind !== 'unchanged') this.#append(step.lines);
    if (!(await this.#reachBack(wanted))) return this.#lose('the file was replaced while it was read');
    return this.#publish((await this.#dialect.liveState?.()) ?? null);
  }

  /** Reads older stretches until `wanted` turns are known. False: the file was replaced meanwhile. */
  async #reachBack(wanted: number): Promise<boolean> {
    this.#reading ??= this.#build();
    while (this.#mayReachBack() && isShort(this.#reading, wanted)) {
      const lines = await this.#tail.back();
      if (lines === null) return false;
      this.#records = [...this.#parse(lines), ...this.#records];
      this.#settled = null;
      this.#reading = this.#build();
    }
    return true;
  }

  #mayReachBack(): boolean {
    return (
      this.#tail.canReachBack &&
      this.#heldCharacters < MAX_HELD_CHARACTERS &&
      this.#records.length < MAX_HELD_RECORDS
    );
  }

  #build(): Reading {
    this.#snapshot = null;
    const settled = this.#settled;
    if (settled !== null && this.#records.length - settled.from <= SETTLE_AFTER_RECORDS) {
      const newest = this.#dialect.read(this.#withPending(settled.from), false);
      if (newest.reach !== 'unsure' && newest.turns[0]?.id === settled.first) {
        const turns = [...settled.turns, ...newest.turns].slice(-MAX_TURNS);
        const problems = [...new Set([...(settled.reading.problems ?? []), ...(newest.problems ?? [])])];
        return { ...newest, turns, problems, reach: settled.reading.reach };
      }
    }
    const reading = this.#dialect.read(this.#withPending(0), this.#tail.complete);
    this.#settled = this.#settle(reading);
    return reading;
  }

  #settle(reading: Reading): Settled | null {
    const { idOf } = this.#dialect;
    const first = reading.turns.at(-UNSETTLED_TURNS)?.id;
    // A line about tools may precede the first line of its turn.
    if (this.#withTools || idOf === undefined || first === undefined) return null;
    if (this.#records.length < SETTLE_AFTER_RECORDS) return null;
    const from = this.#records.findLastIndex((record) => isRecord(record) && idOf(record) === first);
    return from < 0 ? null : { from, first, turns: reading.turns.slice(0, -UNSETTLED_TURNS), reading };
  }

  /** A last line without its LF counts once it is a complete record: a program that ended may never write the LF. */
  #withPending(from: number): readonly WithFacts<R>[] {
    const records = from === 0 ? this.#records : this.#records.slice(from);
    const text = this.#tail.pendingText();
    if (text === null) return records;
    const mayBeWhole = this.#dialect.isText === true || text.trimEnd().endsWith('}');
    const value = mayBeWhole ? this.#valueOf(text) : undefined;
    const record = value === undefined ? null : this.#recordOf(value, new Problems());
    return record === null ? records : [...records, record];
  }

  #valueOf(text: string): unknown {
    return this.#dialect.isText === true ? text : parseJson(text);
  }

  #append(lines: readonly Line[]): void {
    for (const record of this.#parse(lines)) this.#records.push(record);
    this.#reading = null;
  }

  #parse(lines: readonly Line[]): WithFacts<R>[] {
    const records: WithFacts<R>[] = [];
    for (const line of lines) {
      const record = this.#parseLine(line);
      if (record === null) continue;
      if (line.kind === 'line' && record !== GAP)
        this.#heldCharacters += 'facts' in record ? line.text.length : textLength(record);
      records.push(record);
    }
    return records;
  }

  #parseLine(line: Line): WithFacts<R> | null {
    if (line.kind === 'skipped') {
      this.#problems.note('a line is too long to read and was left out');
      return GAP;
    }
    const value = this.#valueOf(line.text);
    if (value === undefined) {
      this.#problems.note('a line is not JSON and was left out');
      return GAP;
    }
    return this.#recordOf(value, this.#problems);
  }

  #recordOf(value: unknown, problems: Problems): WithFacts<R> | null {
    const record = this.#dialect.parse(value, problems);
    const facts = (this.#withTools && this.#dialect.facts?.(value)) || [];
    if (facts.length === 0) return record;
    return record === null ? { kind: 'facts', facts } : { ...record, facts };
  }

  #publish(live: AiState | null): TranscriptSnapshot | null {
    const reading = this.#reading;
    if (reading === null) return null;
    const state = live ?? reading.state;
    this.#failure = null;
    if (this.#snapshot !== null && this.#snapshot.state === state) return this.#snapshot;
    this.#snapshot = {
      turns: reading.turns,
      complete: (reading.reach === 'start' || this.#tail.complete) && reading.turns.length < MAX_TURNS,
      state,
      queued: reading.queued,
      asked: reading.asked,
      problems: [...this.#problems.list(), ...(reading.problems ?? [])],
      facts: reading.facts,
    };
    return this.#snapshot;
  }

  #lose(reason: string): null {
    this.#tail.forget();
    this.#forget();
    this.#failure = reason;
    return null;
  }

  #forget(): void {
    this.#records = [];
    this.#heldCharacters = 0;
    this.#problems = new Problems();
    this.#reading = null;
    this.#settled = null;
    this.#snapshot = null;
  }
}

function isRecord<R extends object>(record: WithFacts<R>): record is R {
  return record !== GAP && !('kind' in record && record.kind === 'facts');
}

function isShort(reading: Reading, wanted: number): boolean {
  return reading.reach === 'unsure' || (reading.reach === 'more' && reading.turns.length < wanted);
}

/** The approximate number of characters in a record: one level deep, and in lists of blocks. */
function textLength(record: object): number {
  let length = 0;
  for (const value of Object.values(record)) {
    if (typeof value === 'string') length += value.length;
    else if (Array.isArray(value))
      for (const item of value) length += typeof item === 'object' && item !== null ? textLength(item) : 8;
  }
  return length;
}
