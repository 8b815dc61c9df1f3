/** The shared knowledge about the user: lines, words, command names, the last commands of each session. No I/O. */

import { RecentMap } from '../../lib/recent-map.ts';
import { hasSecret } from '../../lib/secrets/secrets.ts';
import { isBuiltin } from './builtins.ts';
import type { Habits } from './features.ts';
import { HistoryIndex } from './history-index.ts';
import { piecesOf } from './pieces.ts';
import { PrefixIndex } from './prefix-index.ts';
import { SequenceModel, type Situation } from './sequence-model.ts';
import type { Executed } from './suggestion.ts';
import { TokenModel } from './token-model.ts';
import { commandWords, tokenize } from './tokens.ts';
import type { KnownWord } from './typo.ts';
import { Vocabulary } from './vocabulary.ts';

/** The initial share of lines that run again, and how fast it adapts to the user. */
const FAMILIARITY_AT_FIRST = 0.4;
const FAMILIARITY_STEP = 0.04;
/** Sessions whose last commands are remembered; the least recent go first. */
const SESSIONS_MAX = 2_000;
/** Commands remembered of a session, to predict the next line and arguments. */
const SESSION_COMMANDS_MAX = 128;
/** Limit for the aliases of all shells together. */
const ALIASES_MAX = 2_000;
/** Lines that a shell has reported and its history file will repeat, or the reverse. */
const AWAITED_MAX = 512;
/** How long before its report a line may have been written, if the shell does not report how long it ran. */
const RUN_S = 600;
/** The longest delay of a report. */
const REPORT_S = 10;

export class Knowledge {
  readonly history = new HistoryIndex();
  readonly tokens = new TokenModel();
  readonly sequences = new SequenceModel();
  readonly vocabulary = new Vocabulary();
  readonly #names = new Map<string, number>();
  /** Names that exist without having been used: programs, builtins, aliases, functions. */
  #existing: ReadonlySet<string> = new Set();
  /** All names by prefix; rebuilt on demand after the existing names have changed. */
  #namesByStart: PrefixIndex | null = null;
  readonly #sessions = new Map<string, Executed[]>();
  /** Lines that only a shell has reported so far, and lines that only the history file has. */
  readonly #reported = new Awaited();
  readonly #written = new Awaited();
  #familiarity = FAMILIARITY_AT_FIRST;
  #experience = 0;
  /** For the history file being read. */
  #beforePrevious = '';

  get habits(): Habits {
    return { familiarity: this.#familiarity, experience: this.#experience };
  }

  /** Learns what a shell has run. False: only its session may know it until the history file has it. */
  learn(command: Executed, ranForS = RUN_S): boolean {
    const { line } = command;
    if (!isLearnable(line)) return false;
    // A shell may write a line when it starts, but reports it when it ends.
    const isWritten = this.#written.take(line, command.at - ranForS - REPORT_S);
    const isUnsaved = command.isUnsaved === true && !isWritten;
    if (!isWritten && !isUnsaved) this.#reported.add(line, command.at, command.session);
    if (this.history.isForgotten(line)) return !isUnsaved;
    const situation = this.situation(command.session, command.cwd);
    this.#remember(command);
    if (isUnsaved) return false;
    this.sequences.learn(line, situation);
    if (isWritten) {
      this.history.annotate(command);
      return true;
    }
    this.#judge(line);
    this.history.add(command, situation.last);
    this.#learnWords(command);
    return true;
  }

  /**
   * Learns a line of the history file; false if its shell has already reported it. `newAt`: when a new line was first
   * seen. `learnHabits` learns its words, which takes ten times as long and may happen later.
   */
  learnFromFile(command: Executed, previous: string, newAt: number | null = null): boolean {
    if (this.#reported.take(command.line) || !isLearnable(command.line)) return false;
    if (newAt !== null) this.#written.add(command.line, newAt);
    if (this.history.isForgotten(command.line)) return false;
    this.#judge(command.line);
    this.history.add(command, previous);
    return true;
  }

  /** Learns the words of a line from the history file, and what it followed. */
  learnHabits(command: Executed, previous: string): void {
    this.sequences.learn(command.line, { last: previous, beforeLast: this.#beforePrevious, cwd: '' });
    this.#beforePrevious = previous;
    this.#learnWords(command);
  }

  /** Adds a line that ran before all known ones. False: there is no room for more. */
  learnOlder(line: string): boolean {
    // Secrets are checked when a line would be shown: checking a million lines takes too long.
    return line.startsWith(' ') || this.history.addOlder(line);
  }

  /** Adds where a line of the history ran, as the journal knows. Ignores lines that are in no history. */
  annotate(command: Executed): void {
    this.history.annotate(command);
  }

  /** Forgets every line that is not among `lines`, all lines of the history files. */
  retain(lines: ReadonlySet<string>): void {
    // A shell may write what it ran only when it exits.
    const isKept = (line: string) => lines.has(line) || this.#reported.has(line);
    for (const line of this.history.retain(isKept)) this.vocabulary.forget(line);
    this.#retainRecent(isKept);
  }

  /** Awaits no lines of ended sessions any more. True: the history may lack some of these lines. */
  stopAwaiting(hasEnded: (session: string) => boolean): boolean {
    return this.#reported.drop(hasEnded).some(({ line, times }) => this.history.usesOf(line) <= times);
  }

  /** Never suggests `line` again. */
  forget(line: string): void {
    this.vocabulary.forget(line);
    this.history.forget(line);
    for (const [session, commands] of this.#sessions)
      this.#sessions.set(
        session,
        commands.filter((one) => one.line !== line),
      );
  }

  /** Whether a shell has reported `line` and not yet written it to its history. */
  isAwaited(line: string): boolean {
    return this.#reported.has(line);
  }

  setExisting(names: ReadonlySet<string>): void {
    this.#existing = names;
    this.#namesByStart = null;
  }

  readonly #aliases = new Map<string, string>();

  aliasOf(name: string): string | undefined {
    return this.#aliases.get(name);
  }

  setAlias(name: string, value: string): void {
    if (this.#aliases.size < ALIASES_MAX) this.#aliases.set(name, value);
  }

  /** A shell has reported all its names, so that any other does not exist. */
  knowsAllNames = false;

  /** Whether there is certainly no such command. */
  isUnknown(name: string): boolean {
    return this.knowsAllNames && /^[\w.-]+$/.test(name) && !isBuiltin(name) && !this.#existing.has(name);
  }

  exists(name: string): boolean {
    return this.#existing.has(name);
  }

  /** Whether any existing names are known; otherwise no name counts as unknown. */
  get knowsNames(): boolean {
    return this.#existing.size > 0;
  }

  usesOf(name: string): number {
    return this.#names.get(name) ?? 0;
  }

  /** Every command name, used or only existing. */
  *names(): Iterable<KnownWord> {
    for (const [word, uses] of this.#names) yield { word, uses };
    for (const word of this.#existing) if (!this.#names.has(word)) yield { word, uses: 0 };
  }

  /** The names of commands that start with `prefix`. */
  namesFrom(prefix: string): readonly string[] {
    this.#namesByStart ??= new PrefixIndex([...this.#names.keys(), ...this.#existing]);
    return this.#namesByStart.startingWith(prefix);
  }

  /** What `session` ran, oldest first. */
  recent(session: string): readonly Executed[] {
    return this.#sessions.get(session) ?? [];
  }

  /** Lines with this start that only this session may know, oldest first. */
  unsaved(session: string, prefix: string): readonly string[] {
    const lines = this.recent(session)
      .filter(({ line, isUnsaved }) => isUnsaved && line.startsWith(prefix))
      .map(({ line }) => line);
    return [...new Set(lines)].filter((line) => this.history.usesOf(line) === 0);
  }

  /** A new shell has the process id of `session`. */
  endSession(session: string): void {
    for (const one of this.#sessions.keys())
      if (one === session || one.startsWith(`${session} `)) this.#sessions.delete(one);
  }

  /** The situation in which `session` runs its next command in `cwd`. */
  situation(session: string, cwd: string): Situation {
    const recent = this.recent(session);
    return { last: recent.at(-1)?.line ?? '', beforeLast: recent.at(-2)?.line ?? '', cwd };
  }

  #retainRecent(isKept: (line: string) => boolean): void {
    for (const [session, commands] of this.#sessions)
      this.#sessions.set(
        session,
        commands.filter(({ line, isUnsaved }) => isUnsaved === true || isKept(line)),
      );
  }

  #judge(line: string): void {
    const isKnown = this.history.usesOf(line) > 0 ? 1 : 0;
    this.#familiarity += FAMILIARITY_STEP * (isKnown - this.#familiarity);
    this.#experience += 1;
  }

  #remember(command: Executed): void {
    const commands = this.#sessions.get(command.session) ?? [];
    commands.push(command);
    if (commands.length > SESSION_COMMANDS_MAX) commands.shift();
    this.#sessions.delete(command.session);
    this.#sessions.set(command.session, commands);
    if (this.#sessions.size <= SESSIONS_MAX) return;
    const [oldest] = this.#sessions.keys();
    if (oldest !== undefined) this.#sessions.delete(oldest);
  }

  #learnWords(command: Executed): void {
    // 127: there is no such command. Its name must not come back as a correction or a habit.
    if (command.exit === 127) return;
    const pieces = piecesOf(command.line);
    if (pieces !== null) this.tokens.learn(pieces);
    this.vocabulary.learn(command.line);
    const words = tokenize(command.line).filter(({ kind }) => kind === 'word');
    const [name] = commandWords(words.map(({ text }) => text));
    if (name === undefined) return;
    if (!this.#names.has(name)) this.#namesByStart?.add(name);
    this.#names.set(name, (this.#names.get(name) ?? 0) + 1);
  }
}

/** Lines that are expected once more: how often, and when they were last seen. */
class Awaited {
  readonly #lines = new RecentMap<
    string,
    { readonly times: number; readonly at: number; readonly session: string }
  >(AWAITED_MAX);

  has(line: string): boolean {
    return this.#lines.peek(line) !== undefined;
  }

  add(line: string, at: number, session = ''): void {
    this.#lines.set(line, { times: (this.#lines.peek(line)?.times ?? 0) + 1, at, session });
  }

  /** Drops the lines of sessions that have ended, and returns them. */
  drop(hasEnded: (session: string) => boolean): readonly { readonly line: string; readonly times: number }[] {
    const lines = [...this.#lines.keys()].map((line) => ({
      line,
      times: 0,
      session: '',
      ...this.#lines.peek(line),
    }));
    const dropped = lines.filter(({ session }) => hasEnded(session));
    for (const { line } of dropped) this.#lines.delete(line);
    return dropped;
  }

  /** Takes one such line. False: it was not awaited, or was last seen before `since` and is another run. */
  take(line: string, since = 0): boolean {
    const { times, at, session } = this.#lines.peek(line) ?? { times: 0, at: 0, session: '' };
    const isSame = times > 0 && at >= since;
    this.#lines.delete(line);
    if (isSame && times > 1) this.#lines.set(line, { times: times - 1, at, session });
    return isSame;
  }
}

/** A leading blank means "do not remember"; a secret is never remembered. */
export function isLearnable(line: string): boolean {
  return line !== '' && !line.startsWith(' ') && !hasSecret(line);
}
