/** Checks whether what a line needs exists. Caches disk results for a moment, and does not wait for a slow disk. */

import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fresh, fresh } from '../lib/fresh.ts';
import { claimsOf } from './core/claims.ts';
import { unquoted } from './core/quoting.ts';
import { isRef } from './core/refs.ts';
import { riskOf } from './core/risk.ts';
import type { Query, Risk, Suggestion } from './core/suggestion.ts';
import { contextAt } from './core/tokens.ts';
import type { RefsAt } from './sources/git-refs.ts';

const FRESH_MS = 2_000;
const KEPT_MAX = 4_096;
/** Suggestions checked per query; more than are ever shown. */
const LOOKED_AT_MAX = 64;

type Seen = 'file' | 'device' | 'folder' | 'nothing';

export interface PresenceOptions {
  readonly home: string;
  readonly now: () => number;
  /** How long to wait for the disk. */
  readonly patienceMs: number;
  /** Whether shells have reported no such command, alias or function. */
  readonly isUnknown: (command: string) => boolean;
  /** Whether the line has failed whenever it ran, because its program lacks a subcommand. */
  readonly isSlip: (line: string) => boolean;
  readonly refsAt: RefsAt;
}

/** A line's risk, and whether something that it needs is missing. */
export interface Verdict {
  readonly risk: Risk | null;
  readonly isMissing: boolean;
}

export class Presence {
  readonly #options: PresenceOptions;
  readonly #kept: Fresh<Promise<Seen>>;

  constructor(options: PresenceOptions) {
    this.#options = options;
    this.#kept = fresh({ freshMs: FRESH_MS, maxKeys: KEPT_MAX, now: options.now });
  }

  /** Judges each line; if the disk does not answer in time, by its words only. */
  async judge(
    suggestions: readonly Pick<Suggestion, 'line'>[],
    query: Query,
    patienceMs = this.#options.patienceMs,
  ): Promise<ReadonlyMap<string, Verdict>> {
    const left = query.line.slice(0, query.cursor);
    const typed = left.slice(0, contextAt(left).start);
    // Names that the user typed need not exist.
    const before = claimsOf(typed === '' ? '' : `${typed}\u0001`);
    const typedWords = new Set([...before.commands, ...before.paths]);
    const lines = [...new Set(suggestions.map(({ line }) => line))].slice(0, LOOKED_AT_MAX);
    const verdicts = new Map<string, Verdict>(
      lines.map((line) => [line, { risk: riskOf(line, () => false), isMissing: false }]),
    );
    const looks = Promise.all(
      lines.map(async (line) => void verdicts.set(line, await this.#judgeOne(line, query, typedWords))),
    );
    await Promise.race([looks, sleep(patienceMs, null, { ref: false })]);
    return new Map(verdicts);
  }

  async #judgeOne(line: string, { cwd }: Query, typed: ReadonlySet<string>): Promise<Verdict> {
    const { commands, paths, refs } = claimsOf(line);
    const isThere = (word: string) => this.#isThere(word, cwd, 'anything');
    const [names, known] = await Promise.all([
      Promise.all(paths.map(async (word) => typed.has(word) || (await isThere(word)))),
      refs.length === 0 ? null : this.#options.refsAt(cwd),
    ]);
    const gone = refs.filter((name) => known !== null && known.head !== null && !isRef(name, known));
    const isGone = (await Promise.all(gone.map(isThere))).includes(false);
    const isUnknown = commands.some((name) => !typed.has(name) && this.#options.isUnknown(name));
    // The first run only collects the files that the line would write, mostly none.
    const targets = new Set<string>();
    const alone = riskOf(line, (word) => targets.add(word) === null);
    for (const word of targets) if (!(await this.#isThere(word, cwd, 'file'))) targets.delete(word);
    return {
      risk: targets.size === 0 ? alone : riskOf(line, (word) => targets.has(word)),
      isMissing: names.includes(false) || isGone || isUnknown || this.#options.isSlip(line),
    };
  }

  async #isThere(word: string, cwd: string, wanted: Seen | 'anything'): Promise<boolean> {
    const file = this.#resolve(word, cwd);
    if (file === null) return wanted === 'anything';
    const seen = await this.#kept(file, () => look(file));
    return wanted === 'anything' ? seen !== 'nothing' : seen === wanted;
  }

  #resolve(word: string, cwd: string): string | null {
    const name = unquoted(word);
    if (name.startsWith('~/')) return path.join(this.#options.home, name.slice(2));
    return name === '' || name.startsWith('~') || !path.isAbsolute(cwd) ? null : path.resolve(cwd, name);
  }
}

function look(file: string): Promise<Seen> {
  return stat(file).then(
    (found) => (found.isDirectory() ? 'folder' : found.isFile() ? 'file' : 'device'),
    ({ code }: NodeJS.ErrnoException) => (code === 'ENOENT' || code === 'ENOTDIR' ? 'nothing' : 'file'),
  );
}
