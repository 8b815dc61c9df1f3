/**
 * What all sources share about the user: lines that ran, words that follow words, names of commands, and what
 * each session ran last. Takes facts in, answers questions; reads no file.
 */

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

/** Share of lines that run again, before anything is known about the user; and how fast it follows what he does. */
const FAMILIARITY_AT_FIRST = 0.4;
const FAMILIARITY_STEP = 0.04;
/** Sessions whose last commands are remembered; the least recent go first. */
const SESSIONS_MAX = 2_000;
/** Commands of a session that are remembered: for "what comes next" and for their arguments. */
const SESSION_COMMANDS_MAX = 128;
/** Aliases of all shells together. */
const ALIASES_MAX = 2_000;
/** Lines of which the history file, or a shell, is to tell again. */
const AWAITED_MAX = 512;
/** How long before its shell tells of it a line may have been written, where the shell does not tell how long it ran. */
const RUN_S = 600;
/** What a report may take from the shell to here. */
const REPORT_S = 10;

export class Knowledge {
  readonly history = new HistoryIndex();
  readonly tokens = new TokenModel();
  readonly sequences = new SequenceModel();
  readonly vocabulary = new Vocabulary();
  /** How often each command name was used. */
  readonly #names = new Map<string, number>();
  /** Names that exist without having been used: programs, builtins, aliases, functions. */
  #existing: ReadonlySet<string> = new Set();
  /** All names by their start; made again when it is asked after the names that exist were set. */
  #namesByStart: PrefixIndex | null = null;
  readonly #sessions = new Map<string, Executed[]>();
  /** What a shell reported and the history file will have, and the other way round. */
  readonly #reported = new Awaited();
  readonly #written = new Awaited();
  #familiarity = FAMILIARITY_AT_FIRST;
  #experience = 0;
  /** Of the history file that is being read. */
  #beforePrevious = '';

  get habits(): Habits {
    return { familiarity: this.#familiarity, experience: this.#experience };
  }

  /** A command ran and has ended, as its shell reports it. */
  learn(command: Executed, ranForS = RUN_S): void {
    const { line } = command;
    if (!isLearnable(line)) return;
    // A shell may write a line as it begins, and reports it when it has ended.
    const isWritten = this.#written.take(line, command.at - ranForS - REPORT_S);
    if (!isWritten) this.#reported.add(line);
    if (this.history.isForgotten(line)) return;
    const situation = this.situation(command.session, command.cwd);
    this.sequences.learn(line, situation);
    this.#remember(command);
    if (isWritten) {
      this.history.annotate(command);
      return;
    }
    this.#judge(line);
    this.history.add(command, situation.last);
    this.#learnWords(command);
  }

  /**
   * A line stands in the history file, seen there at `newAt` where it is new; one that its shell already reported is not
   * counted twice. False: it was not taken. Its words are learned by `learnHabits`: that takes ten times as long, and may come later.
   */
  learnFromFile(command: Executed, previous: string, newAt: number | null = null): boolean {
    if (this.#reported.take(command.line) || !isLearnable(command.line)) return false;
    if (newAt !== null) this.#written.add(command.line, newAt);
    if (this.history.isForgotten(command.line)) return false;
    this.#judge(command.line);
    this.history.add(command, previous);
    return true;
  }

  /** Learns the words of a line of the history file, and what it followed. */
  learnHabits(command: Executed, previous: string): void {
    this.sequences.learn(command.line, { last: previous, beforeLast: this.#beforePrevious, cwd: '' });
    this.#beforePrevious = previous;
    this.#learnWords(command);
  }

  /** A line that ran before all that are known, as a long history file has it. False: there is no room for more. */
  learnOlder(line: string): boolean {
    // Whether it holds a secret is looked at when it would be shown: a million lines take longer than anybody waits.
    return line.startsWith(' ') || this.history.addOlder(line);
  }

  /** The journal knows where a line of the history file ran. A line that is in no history is not learned from it. */
  annotate(command: Executed): void {
    this.history.annotate(command);
  }

  /** The history files hold `lines` and no others: what was deleted from them is gone here too. */
  retain(lines: ReadonlySet<string>): void {
    // A shell may write what it ran much later, with its last breath.
    const isKept = (line: string) => lines.has(line) || this.#reported.has(line);
    for (const line of this.history.retain(isKept)) this.vocabulary.forget(line);
    this.#retainRecent(isKept);
  }

  /** Never again. */
  forget(line: string): void {
    this.vocabulary.forget(line);
    this.history.forget(line);
    this.#retainRecent((one) => one !== line);
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

  /** What an alias of a shell stands for. */
  aliasOf(name: string): string | undefined {
    return this.#aliases.get(name);
  }

  setAlias(name: string, value: string): void {
    if (this.#aliases.size < ALIASES_MAX) this.#aliases.set(name, value);
  }

  /** All names of a shell are known: what is not among them does not exist. */
  knowsAllNames = false;

  /** Whether there is no such command, as far as can be told. */
  isUnknown(name: string): boolean {
    return this.knowsAllNames && /^[\w.-]+$/.test(name) && !isBuiltin(name) && !this.#existing.has(name);
  }

  exists(name: string): boolean {
    return this.#existing.has(name);
  }

  /** Whether the list of existing names was ever filled: without it nothing can be called unknown. */
  get knowsNames(): boolean {
    return this.#existing.size > 0;
  }

  usesOf(name: string): number {
    return this.#names.get(name) ?? 0;
  }

  /** Every command name, used or merely there. */
  *names(): Iterable<KnownWord> {
    for (const [word, uses] of this.#names) yield { word, uses };
    for (const word of this.#existing) if (!this.#names.has(word)) yield { word, uses: 0 };
  }

  /** Whether some command's name starts with `prefix`. */
  hasNameFrom(prefix: string): boolean {
    this.#namesByStart ??= new PrefixIndex([...this.#names.keys(), ...this.#existing]);
    return this.#namesByStart.has(prefix);
  }

  /** What `session` ran, oldest first. */
  recent(session: string): readonly Executed[] {
    return this.#sessions.get(session) ?? [];
  }

  /** What `session` ran before what comes next in `cwd`. */
  situation(session: string, cwd: string): Situation {
    const recent = this.recent(session);
    return { last: recent.at(-1)?.line ?? '', beforeLast: recent.at(-2)?.line ?? '', cwd };
  }

  #retainRecent(isKept: (line: string) => boolean): void {
    for (const [session, commands] of this.#sessions)
      this.#sessions.set(
        session,
        commands.filter(({ line }) => isKept(line)),
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

/** Lines that are to be told of once more, with how often, and when they were last told of. */
class Awaited {
  readonly #lines = new RecentMap<string, { readonly times: number; readonly at: number }>(AWAITED_MAX);

  has(line: string): boolean {
    return this.#lines.peek(line) !== undefined;
  }

  add(line: string, at = 0): void {
    this.#lines.set(line, { times: (this.#lines.peek(line)?.times ?? 0) + 1, at });
  }

  /** One of them is told of. False: it was not awaited, or is another one than what was told before `since`. */
  take(line: string, since = 0): boolean {
    const { times, at } = this.#lines.peek(line) ?? { times: 0, at: 0 };
    const isSame = times > 0 && at >= since;
    this.#lines.delete(line);
    if (isSame && times > 1) this.#lines.set(line, { times: times - 1, at });
    return isSame;
  }
}

/** A leading blank means "do not remember"; a secret is never remembered. */
export function isLearnable(line: string): boolean {
  return line !== '' && !line.startsWith(' ') && !hasSecret(line);
}
