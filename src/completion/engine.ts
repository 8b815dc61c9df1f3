/** Asks every source, waits until the deadline, and ranks the results. A failing source loses only its own. */
import { append } from '../lib/append.ts';
import type { Timers } from '../lib/scheduler.ts';
import type { Habits } from './core/features.ts';
import { rank } from './core/rank.ts';
import { riskOf, withoutDanger } from './core/risk.ts';
import type { Candidate, Query, SourceName, Suggestion } from './core/suggestion.ts';
import type { Presence, Verdict } from './presence.ts';
import type { Source } from './sources/source.ts';

/** After a failed command users read its output first. */
const REPAIR_DEADLINE_MS = 500;

export interface EngineOptions {
  readonly sources: readonly Source[];
  /** No answer waits longer than this. */
  readonly deadlineMs: number;
  /** Wait this long if there are enough candidates, or any at all if the caller gets slow results later. */
  readonly graceMs: number;
  readonly timers: Timers;
  /** Finds what is missing and what is risky; null: the disk is not examined. */
  readonly presence: Presence | null;
  readonly habits: () => Habits;
  readonly isForgotten: (line: string) => boolean;
  /** Called after each list, so that slower helpers can start on the next one. */
  readonly onRanked?: (query: Query, candidates: readonly Candidate[]) => void;
  /** Called when a source throws, which is a bug in copane. */
  readonly onSourceError: (source: SourceName, error: unknown) => void;
}

export interface Engine {
  /** The candidates for `query`; empty if aborted. `onMore`: called when late results change the candidates. */
  complete(query: Query, signal: AbortSignal, onMore?: () => void): Promise<readonly Candidate[]>;
  warm(cwd: string): void;
}

export function createEngine(options: EngineOptions): Engine {
  return {
    async complete(query, signal, onMore) {
      if (query.line.trim() === '' && query.line !== '') return [];
      // A leading blank asks for privacy.
      if (query.line.startsWith(' ')) return [];
      const { found, late } = await gather(options, query, signal, onMore !== undefined);
      if (signal.aborted) return [];
      const candidates = await rankAll(options, query, found);
      if (signal.aborted) return [];
      options.onRanked?.(query, candidates);
      if (late !== null && onMore !== undefined)
        void late.then(async (more) => {
          if (more.length === 0 || signal.aborted) return;
          if (!isSameList(await rankAll(options, query, [...found, ...more]), candidates)) onMore();
        });
      return candidates;
    },
    warm(cwd) {
      for (const source of options.sources) attempt(options, source.name, () => source.warm?.(cwd));
    },
  };
}

async function rankAll(
  options: EngineOptions,
  query: Query,
  suggestions: readonly Suggestion[],
): Promise<readonly Candidate[]> {
  const wanted = suggestions.filter(({ line }) => !options.isForgotten(line.trimEnd()));
  const verdicts: ReadonlyMap<string, Verdict> = (await options.presence?.judge(wanted, query)) ?? new Map();
  const there = wanted.filter(({ line }) => verdicts.get(line)?.isMissing !== true);
  const rows = rank(there, query, options.habits());
  return withoutDanger(rows, query, (line) => {
    const known = verdicts.get(line);
    return known === undefined ? riskOf(line, () => false) : known.risk;
  });
}

const isSameList = (a: readonly Candidate[], b: readonly Candidate[]) =>
  a.length === b.length &&
  a.every(({ line, description }, at) => line === b[at]?.line && description === b[at]?.description);

function attempt<T>(options: EngineOptions, source: SourceName, work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    options.onSourceError(source, error);
    return null;
  }
}

interface Gathered {
  readonly found: readonly Suggestion[];
  /** Results of late sources, once all have answered; null if none is late. */
  readonly late: Promise<readonly Suggestion[]> | null;
}

/** Runs all sources; resolves when all have answered, at a deadline, or when aborted. */
function gather(
  options: EngineOptions,
  query: Query,
  signal: AbortSignal,
  leavesSlow: boolean,
): Promise<Gathered> {
  const found: Suggestion[] = [];
  const pending: Promise<void>[] = [];
  const quick: Promise<void>[] = [];
  for (const source of options.sources) {
    if (query.isRepair && source.name !== 'repair') continue;
    const answer = attempt(options, source.name, () => source.suggest(query, signal));
    if (answer === null) continue;
    if (!(answer instanceof Promise)) {
      append(found, answer);
      continue;
    }
    const taken = answer.then(
      (suggestions) => append(found, suggestions),
      (error: unknown) => {
        if (!signal.aborted) options.onSourceError(source.name, error);
      },
    );
    pending.push(taken);
    if (!source.isSlow) quick.push(taken);
  }
  if (pending.length === 0) return Promise.resolve({ found, late: null });
  return new Promise((resolve) => {
    let isComplete = false;
    let onlySlowMissing = false;
    let graceIsOver = false;
    const settle = () => {
      options.timers.clear(timer);
      options.timers.clear(grace);
      signal.removeEventListener('abort', settle);
      // A copy: late results must not change a list that is being ranked.
      const inTime = [...found];
      const late = isComplete ? null : Promise.all(pending).then(() => found.slice(inTime.length));
      resolve({ found: inTime, late });
    };
    const leave = () => {
      if (!graceIsOver || query.isPatient) return;
      if (found.length >= query.limit || (leavesSlow && onlySlowMissing && found.length > 0)) settle();
    };
    const timer = options.timers.set(settle, query.isRepair ? REPAIR_DEADLINE_MS : options.deadlineMs);
    const grace = options.timers.set(() => {
      graceIsOver = true;
      leave();
    }, options.graceMs);
    signal.addEventListener('abort', settle, { once: true });
    void Promise.all(quick).then(() => {
      onlySlowMissing = true;
      leave();
    });
    void Promise.all(pending).then(() => {
      isComplete = true;
      settle();
    });
  });
}
