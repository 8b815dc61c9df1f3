/** Every command line that ran: how often, when (as a command count), where, after which line, if it failed. */

import { RecentMap } from '../../lib/recent-map.ts';
import { byCodeUnit, mergeSorted, rangeOf } from './prefix-index.ts';
import type { Executed } from './suggestion.ts';

interface LineRecord {
  readonly line: string;
  uses: number;
  /** Decayed use count at `lastSeq`. */
  heat: number;
  lastSeq: number;
  failures: number;
  /** Uses by directory; absent until one is known. */
  dirs: Map<string, number> | null;
}

export interface HistoryMatch {
  readonly line: string;
  readonly uses: number;
  readonly weight: number;
  readonly inThisDirectory: boolean;
  readonly afterPrevious: boolean;
  /** Share of runs with a known result that failed. */
  readonly failureShare: number;
}

export interface HistoryQuery {
  readonly prefix: string;
  readonly cwd: string;
  /** The last command of this session; empty if none. */
  readonly previous: string;
  readonly limit: number;
}

/** After this many further commands a use counts half as much. */
const HALF_LIFE_COMMANDS = 150;
/** The least that a use counts, however old. */
const HEAT_FLOOR = 0.03;
/** A line used here weighs this much more. */
const DIRECTORY_GAIN = 3;
/** Added lines are merged into the sorted array when there are more than this, and more than their share. */
const OVERLAY_MAX = 512;
/** Merging is the main cost while a long history is read, searching the unmerged lines when a key is pressed. */
const OVERLAY_SHARE_READ = 8;
const OVERLAY_SHARE_ASKED = 64;
/** A range up to this size is weighed line by line; a longer one yields its most recent matches. */
const RANGE_MAX = 2_000;
const RECENT_MATCHES_MAX = 400;
/** Limits: commands with recorded successors, and successors of one command. */
const PAIRS_MAX = 50_000;
const FOLLOWERS_MAX = 200;
/** Limit of distinct lines; beyond it the oldest tenth is dropped at once. */
const LINES_MAX = 200_000;

/** What may follow a whole word: nothing, a blank, or an operator. */
const WORD_ENDS = /^$|[\s;|&()<>]/;

const NEW_RECORD = { uses: 0, heat: 0, lastSeq: 0, failures: 0, dirs: null } as const;

const decayOf = (commands: number) => 0.5 ** (commands / HALF_LIFE_COMMANDS);

export class HistoryIndex {
  /** In order of last use: a line that runs again is moved to the end. */
  readonly #records = new Map<string, LineRecord>();
  /** Lines older than all of those, latest first, with their uses: most of a long history. */
  readonly #older = new Map<string, number>();
  /** How older lines ended and where they ran, according to the journal. */
  readonly #notes = new Map<string, LineRecord>();
  #sorted: string[] = [];
  #overlay: string[] = [];
  readonly #overlaySet = new Set<string>();
  readonly #pairs = new RecentMap<string, Map<string, number>>(PAIRS_MAX);
  readonly #forgotten = new Set<string>();
  #seq = 0;
  /** Older lines were added since the last merge. */
  #isUnsorted = false;

  get size(): number {
    return this.#records.size + this.#older.size;
  }

  /** How often `line` ran. */
  usesOf(line: string): number {
    return this.#records.get(line)?.uses ?? this.#older.get(line) ?? 0;
  }

  #has(line: string): boolean {
    return this.#records.has(line) || this.#older.has(line);
  }

  /** Whether a line that ran starts with `words` as whole words. Checks a limited number of lines. */
  hasStart(words: string): boolean {
    const isStarted = (line: string) => WORD_ENDS.test(line.charAt(words.length)) && this.#has(line);
    const [from, to] = rangeOf(this.#sorted, words);
    for (let at = from; at < Math.min(to, from + RANGE_MAX); at += 1)
      if (isStarted(this.#sorted[at] ?? '')) return true;
    return this.#overlay.some((line) => line.startsWith(words) && isStarted(line));
  }

  /** Whether the line ran, and failed each time. */
  hasOnlyFailed(line: string): boolean {
    const record = this.#records.get(line);
    return record !== undefined && record.failures >= record.uses;
  }

  /** Adds one command that ran after `previous` (empty: unknown). */
  add(command: Executed, previous: string): void {
    this.#seq += 1;
    if (this.#forgotten.has(command.line)) return;
    const record = this.#touch(command.line);
    record.uses += 1;
    if (command.exit !== null && command.exit !== 0) record.failures += 1;
    if (command.cwd !== '') {
      record.dirs ??= new Map();
      record.dirs.set(command.cwd, (record.dirs.get(command.cwd) ?? 0) + 1);
    }
    if (previous !== '') this.#addPair(previous, command.line);
    this.#trim();
  }

  /** Adds a line that ran before all known ones. False if there is no room. `sortByUse` must follow. */
  addOlder(line: string): boolean {
    const known = this.#records.get(line);
    const uses = this.#older.get(line);
    if (known !== undefined) known.uses += 1;
    else if (uses !== undefined) this.#older.set(line, uses + 1);
    else if (this.size >= LINES_MAX) return false;
    else if (!this.#forgotten.has(line)) {
      this.#isUnsorted = true;
      this.#older.set(line, 1);
      this.#toOverlay(line);
      if (this.#overlay.length > Math.max(OVERLAY_MAX, this.#sorted.length / OVERLAY_SHARE_READ))
        this.#merge();
    }
    return true;
  }

  sortByUse(): void {
    if (this.#isUnsorted) this.#merge();
    this.#isUnsorted = false;
  }

  /** Adds where `command` ran and how it ended; its line is already counted. */
  annotate(command: Executed): void {
    if (!this.#has(command.line)) return;
    const record = this.#records.get(command.line) ?? this.#noteOf(command.line);
    if (command.exit !== null && command.exit !== 0)
      record.failures = Math.min(record.uses, record.failures + 1);
    if (command.cwd === '') return;
    record.dirs ??= new Map();
    record.dirs.set(command.cwd, (record.dirs.get(command.cwd) ?? 0) + 1);
  }

  /** Drops `line` for good. */
  forget(line: string): void {
    this.#forgotten.add(line);
    for (const lines of [this.#records, this.#older, this.#notes]) lines.delete(line);
  }

  /** Drops every line that `isKept` rejects, and returns them. They may come back. */
  retain(isKept: (line: string) => boolean): readonly string[] {
    const gone = [...this.#records.keys(), ...this.#older.keys()].filter((line) => !isKept(line));
    for (const line of gone)
      for (const lines of [this.#records, this.#older, this.#notes]) lines.delete(line);
    this.#merge();
    return gone;
  }

  isForgotten(line: string): boolean {
    return this.#forgotten.has(line);
  }

  /** Lines that start with the prefix, the heaviest first. An empty prefix asks for what comes next. */
  match(query: HistoryQuery): { readonly matches: readonly HistoryMatch[]; readonly total: number } {
    const followers = this.#pairs.peek(query.previous);
    const found: HistoryMatch[] = [];
    let total = 0;
    for (const line of this.#candidates(query.prefix, followers)) {
      const record = this.#records.get(line) ?? this.#asRecord(line);
      if (record === null) continue;
      const match = this.#weigh(record, query, followers);
      total += match.weight;
      found.push(match);
    }
    const blended = blendSuccessors(found, followers, total);
    blended.sort((a, b) => b.weight - a.weight || (a.line < b.line ? -1 : 1));
    return { matches: blended.slice(0, query.limit), total };
  }

  #weigh(
    record: LineRecord,
    query: HistoryQuery,
    followers: ReadonlyMap<string, number> | undefined,
  ): HistoryMatch {
    const heat = record.heat * decayOf(this.#seq - record.lastSeq) + HEAT_FLOOR * record.uses;
    const here = record.dirs?.get(query.cwd) ?? 0;
    const after = followers?.get(record.line) ?? 0;
    const failureShare = record.failures / record.uses;
    const weight = heat * (1 + DIRECTORY_GAIN * (here / (here + 1))) * (1 - 0.7 * failureShare);
    return {
      line: record.line,
      uses: record.uses,
      weight,
      inThisDirectory: here > 0,
      afterPrevious: after > 0,
      failureShare,
    };
  }

  /** Line by line for a small range; otherwise its most recent lines and the successors of the previous command. */
  #candidates(prefix: string, followers: ReadonlyMap<string, number> | undefined): Iterable<string> {
    if (
      this.#overlay.length > OVERLAY_MAX &&
      this.#overlay.length > this.#sorted.length / OVERLAY_SHARE_ASKED
    )
      this.#merge();
    const [from, to] = rangeOf(this.#sorted, prefix);
    const overlay = this.#overlay.filter((line) => line.startsWith(prefix));
    if (to - from <= RANGE_MAX) return [...this.#sorted.slice(from, to), ...overlay];
    const chosen = new Set(overlay.slice(-RECENT_MATCHES_MAX));
    for (const line of followers?.keys() ?? []) if (line.startsWith(prefix)) chosen.add(line);
    const wanted = chosen.size + RECENT_MATCHES_MAX;
    for (let at = this.#recent.length - 1; at >= 0 && chosen.size < wanted; at -= 1) {
      const line = this.#recent[at];
      if (line?.startsWith(prefix)) chosen.add(line);
    }
    return chosen;
  }

  /** Lines in order of last use as of the last merge, which is accurate enough to find recent ones. */
  #recent: string[] = [];

  #touch(line: string): LineRecord {
    const known = this.#records.get(line);
    if (known !== undefined) {
      known.heat = known.heat * decayOf(this.#seq - known.lastSeq) + 1;
      known.lastSeq = this.#seq;
      this.#records.delete(line);
      this.#records.set(line, known);
      return known;
    }
    return this.#promote(line);
  }

  /** Makes a line that is new, or was older, the most recent one. */
  #promote(line: string): LineRecord {
    const older = this.#asRecord(line);
    const record = { ...(older ?? NEW_RECORD), line, heat: 1, lastSeq: this.#seq };
    this.#records.set(line, record);
    if (older === null) this.#toOverlay(line);
    this.#older.delete(line);
    this.#notes.delete(line);
    return record;
  }

  /** The record of an older line; it keeps its place in the order of use. */
  #noteOf(line: string): LineRecord {
    const note = this.#asRecord(line) ?? { ...NEW_RECORD, line };
    this.#notes.set(line, note);
    return note;
  }

  #asRecord(line: string): LineRecord | null {
    const uses = this.#older.get(line);
    return uses === undefined ? null : { ...(this.#notes.get(line) ?? NEW_RECORD), line, uses };
  }

  #toOverlay(line: string): void {
    if (this.#overlaySet.has(line)) return;
    this.#overlay.push(line);
    this.#overlaySet.add(line);
  }

  #addPair(previous: string, line: string): void {
    let followers = this.#pairs.get(previous);
    if (followers === undefined) {
      followers = new Map();
      this.#pairs.set(previous, followers);
    }
    if (followers.size < FOLLOWERS_MAX || followers.has(line))
      followers.set(line, (followers.get(line) ?? 0) + 1);
  }

  #trim(): void {
    if (this.#overlay.length > OVERLAY_MAX && this.#overlay.length > this.#sorted.length / OVERLAY_SHARE_READ)
      this.#merge();
    if (this.size <= LINES_MAX) return;
    const surplus = LINES_MAX / 10;
    const oldest = [...this.#older.keys()].slice(-surplus);
    for (const line of oldest) {
      this.#older.delete(line);
      this.#notes.delete(line);
    }
    for (const line of [...this.#records.keys()].slice(0, surplus - oldest.length))
      this.#records.delete(line);
  }

  #merge(): void {
    this.#recent = [...[...this.#older.keys()].reverse(), ...this.#records.keys()];
    const known = (line: string) => this.#has(line);
    this.#sorted = mergeSorted(this.#sorted.filter(known), this.#overlay.filter(known).sort(byCodeUnit));
    this.#overlay = [];
    this.#overlaySet.clear();
  }
}

/**
 * Redistributes the weight: the more evidence of what follows the previous command (n uses against n + distinct ones,
 * as in PPM), the larger the share based on it; the rest is based on the plain weight.
 */
function blendSuccessors(
  matches: readonly HistoryMatch[],
  followers: ReadonlyMap<string, number> | undefined,
  total: number,
): HistoryMatch[] {
  let uses = 0;
  let distinct = 0;
  for (const { line } of matches) {
    const after = followers?.get(line) ?? 0;
    uses += after;
    if (after > 0) distinct += 1;
  }
  if (uses === 0) return [...matches];
  const trust = uses / (uses + distinct);
  return matches.map((match) => ({
    ...match,
    weight: total * trust * ((followers?.get(match.line) ?? 0) / uses) + (1 - trust) * match.weight,
  }));
}
