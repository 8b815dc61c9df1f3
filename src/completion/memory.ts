/** Loads the shared knowledge and keeps it fresh: history files, our journal, program names. The quick parts first. */

import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { RecentMap } from '../lib/recent-map.ts';
import { isAlive } from '../platform/process-state.ts';
import type { ContextMessage, EventMessage } from '../protocol/completion.ts';
import { isLearnable, type Knowledge } from './core/knowledge.ts';
import type { Executed } from './core/suggestion.ts';
import { HistoryReader } from './history-reader.ts';
import { Journal } from './journal.ts';
import type { WorkerSettings } from './worker-protocol.ts';

/** History files followed at once: some shells have their own. */
const MAX_HISTORY_FILES = 4;
/** Lines learned between two requests, which takes some milliseconds. */
const HABITS_AT_ONCE = 32;
/** Where zsh set-ups keep their history when `$HISTFILE` is not exported. */
const USUAL_FILES = ['.zsh_history', '.histfile', '.zhistory', '.history'];
/** Commands that their shell has not written yet. */
const UNWRITTEN_MAX = 512;
/** Command names kept, of all search paths. */
const MAX_NAMES = 100_000;

export class Memory {
  readonly #knowledge: Knowledge;
  readonly #settings: WorkerSettings;
  readonly #journal: Journal;
  readonly #files: ReturnType<typeof followFiles>;
  /** Commands that no history file has yet: a shell writes them later, or never. */
  readonly #unwritten = new RecentMap<string, Executed>(UNWRITTEN_MAX);
  /** Sessions of shells that have reported commands and were running then. */
  readonly #running = new Set<string>();
  #hasDropped = false;
  #loaded: Promise<void> = Promise.resolve();
  readonly #programs: ReturnType<typeof collectNames>;

  constructor(
    knowledge: Knowledge,
    settings: WorkerSettings,
    onError: (where: string, error: unknown) => void,
  ) {
    this.#knowledge = knowledge;
    this.#settings = settings;
    this.#journal = new Journal({
      file: path.join(settings.stateDir, 'completion', 'commands.jsonl'),
      onError: (error) => onError('journal', error),
    });
    this.#files = followFiles(knowledge, settings.uid, (line) => {
      const command = this.#unwritten.peek(line);
      if (command === undefined) return null;
      this.#unwritten.delete(line);
      this.#journal.append(command);
      return command;
    });
    this.#programs = collectNames(knowledge);
  }

  /** Reads everything once. */
  load(): Promise<void> {
    this.#loaded = this.#load();
    return this.#loaded;
  }

  async #load(): Promise<void> {
    const knowledge = this.#knowledge;
    for (const file of historyFiles(this.#settings)) await this.#files.follow(file);
    const { commands, forgotten } = await this.#journal.load();
    for (const line of forgotten) knowledge.forget(line);
    // A shell that still runs may not have written its history yet.
    for (const command of commands)
      if (isRunning(command.session) && knowledge.history.usesOf(command.line) === 0) this.#learn(command);
      else knowledge.annotate(command);
    await this.#programs.readPath(this.#settings.env.PATH ?? '/usr/local/bin:/usr/bin:/bin');
  }

  /** Checks the history files for new lines. */
  async refresh(): Promise<void> {
    const knowledge = this.#knowledge;
    // Before the files are read: a shell writes its history, then ends.
    const ended = new Set([...this.#running].filter((session) => !isRunning(session)));
    const lines = await this.#files.refresh(() => {
      for (const session of ended) this.#running.delete(session);
      return ended.size > 0 && knowledge.stopAwaiting((session) => ended.has(session));
    });
    if (lines === null) return;
    knowledge.retain(lines);
    // Lines written between the last read before the rewrite and this one.
    for (const line of lines) if (knowledge.history.usesOf(line) === 0 && !knowledge.learnOlder(line)) break;
    knowledge.history.sortByUse();
    // A forgotten line needs no record once no history holds it and no shell will write it.
    await this.#journal.retain(
      (line) => knowledge.history.usesOf(line) > 0,
      (line) => lines.has(line) || knowledge.isAwaited(line),
    );
  }

  /** Handles a shell's report of its folder, history file and names. */
  context(message: ContextMessage): void {
    if (message.histfile !== undefined) this.#knowledge.endSession(message.session_id);
    if (message.histfile) void this.#files.follow(message.histfile).then(() => this.#dropDeleted());
    if (message.path) void this.#programs.readPath(message.path);
    for (const pair of message.aliases?.split('\u001f') ?? []) {
      const at = pair.indexOf('=', 1);
      if (at > 0) this.#knowledge.setAlias(pair.slice(0, at), pair.slice(at + 1));
    }
    if (message.names === undefined) return;
    this.#programs.add(message.names.split(' '));
    this.#knowledge.knowsAllNames = !message.names_cut;
  }

  /** Handles a shell's report that a command ran. */
  executed(message: EventMessage, atSeconds: number): void {
    if (message.agent || !isLearnable(message.line)) return;
    const { line, cwd, session_id: session, exit = null, store } = message;
    const command: Executed = { line, cwd, session, at: atSeconds, exit, isUnsaved: !store };
    if (this.#learn(command, message.duration_ms)) this.#journal.append(command);
    else if (!store) this.#unwritten.set(line, command);
  }

  #learn(command: Executed, ranForMs?: number): boolean {
    // Another client may number its sessions otherwise: only a process that was there can end.
    if (isRunning(command.session)) this.#running.add(command.session);
    return this.#knowledge.learn(command, ranForMs === undefined ? undefined : ranForMs / 1000);
  }

  /** Drops from the journal what was deleted from the history meanwhile, once a shell has reported its history file. */
  async #dropDeleted(): Promise<void> {
    if (this.#hasDropped) return;
    this.#hasDropped = true;
    await this.#loaded;
    const { history } = this.#knowledge;
    if (history.size === 0) return;
    await this.#journal.retain(
      (line) => history.usesOf(line) > 0,
      () => true,
    );
  }

  forget(line: string): void {
    this.#knowledge.forget(line);
    this.#unwritten.delete(line);
    this.#journal.forget(line);
  }

  flush(): Promise<void> {
    return this.#journal.flush();
  }

  get warnings(): readonly string[] {
    return this.#knowledge.history.size === 0
      ? [
          'no history was found: set HISTFILE and SAVEHIST in your .zshrc, suggestions start from what you type now',
        ]
      : [];
  }
}

/** Follows history files and learns from their new lines. `takeRun`: the run of a line, if only its session knows it. */
function followFiles(knowledge: Knowledge, uid: number, takeRun: (line: string) => Executed | null) {
  const readers = new Map<string, HistoryReader>();
  const learnFrom = async (reader: HistoryReader, isFirst: boolean) => {
    let previous = '';
    const newAt = isFirst ? null : Math.floor(Date.now() / 1000);
    const taken: { readonly command: Executed; readonly previous: string }[] = [];
    const isRewritten = await reader.readNew({
      newer(entries) {
        for (const { line, at } of entries) {
          const run = takeRun(line);
          const command = run ?? { line, at, cwd: '', session: '', exit: null };
          if (knowledge.learnFromFile(command, previous, run === null ? newAt : null))
            taken.push({ command, previous });
          previous = line;
        }
      },
      // Habits are learned only from the end of a long history; older lines are only remembered.
      older: (entries) => entries.toReversed().every(({ line }) => knowledge.learnOlder(line)),
    });
    for (const [at, one] of taken.entries()) {
      knowledge.learnHabits(one.command, one.previous);
      if (at % HABITS_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    return isRewritten;
  };
  return {
    async follow(file: string): Promise<void> {
      if (readers.has(file) || readers.size >= MAX_HISTORY_FILES || !path.isAbsolute(file)) return;
      const reader = new HistoryReader({ file, uid });
      readers.set(file, reader);
      await learnFrom(reader, true);
      knowledge.history.sortByUse();
    },
    /** Learns new lines. Returns all lines of all files if one was rewritten or then `mayLack` lines, else null. */
    async refresh(mayLack: () => boolean): Promise<ReadonlySet<string> | null> {
      let isRewritten = false;
      for (const reader of readers.values()) isRewritten = (await learnFrom(reader, false)) || isRewritten;
      if (!mayLack() && !isRewritten) return null;
      const all = new Set<string>();
      for (const reader of readers.values()) for (const line of (await reader.lines()) ?? []) all.add(line);
      return all;
    },
  };
}

/** Whether a shell still runs; its session id is its process id. */
function isRunning(session: string): boolean {
  const pid = Number(session);
  return Number.isInteger(pid) && pid > 0 && isAlive(pid);
}

/** Collects the names of programs, aliases and functions of all shells. */
function collectNames(knowledge: Knowledge) {
  const searchPaths = new Set<string>();
  const names = new Set<string>();
  const add = (added: Iterable<string>) => {
    for (const name of added) if (names.size < MAX_NAMES) names.add(name);
    knowledge.setExisting(names);
  };
  return {
    add,
    async readPath(searchPath: string): Promise<void> {
      if (searchPaths.has(searchPath)) return;
      searchPaths.add(searchPath);
      add(await readCommandNames(searchPath));
    },
  };
}

function historyFiles(settings: WorkerSettings): readonly string[] {
  const { HISTFILE, ZDOTDIR } = settings.env;
  if (HISTFILE) return [HISTFILE];
  const folders = ZDOTDIR ? [ZDOTDIR, settings.home] : [settings.home];
  // A missing file would take the place of one that a shell reports.
  return folders.flatMap((folder) => USUAL_FILES.map((name) => path.join(folder, name))).filter(existsSync);
}

/** Limits: directories that are read, and entries in one. */
const MAX_DIRECTORIES = 64;
const MAX_ENTRIES = 20_000;

/** All names of files in the directories of `searchPath`. */
async function readCommandNames(searchPath: string): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  const directories = new Set(searchPath.split(':').filter((directory) => directory.startsWith('/')));
  for (const directory of [...directories].slice(0, MAX_DIRECTORIES)) {
    // A PATH often names missing directories.
    const entries = await readdir(directory).catch(() => []);
    for (const entry of entries.slice(0, MAX_ENTRIES)) names.add(entry);
  }
  return names;
}
