/**
 * Asks every source, waits no longer than the deadline, and ranks what came. A source that fails or is late
 * costs its own candidates, never the answer.
 */
import type { Habits } from './core/features.ts';
import { rank } from './core/rank.ts';
import type { Candidate, Query, SourceName, Suggestion } from './core/suggestion.ts';
import type { Source } from './sources/source.ts';

interface EngineTimers {
  readonly now: () => number;
  readonly set: (run: () => void, delayMs: number) => unknown;
  readonly clear: (handle: unknown) => void;
}

export interface EngineOptions {
  readonly sources: readonly Source[];
  /** No answer waits longer than this. */
  readonly deadlineMs: number;
  /** Nor longer than this once there are enough candidates: slow sources then serve the next key. */
  readonly graceMs: number;
  readonly timers: EngineTimers;
  /** Lines that the user never wants to see again. */
  readonly habits: () => Habits;
  readonly isForgotten: (line: string) => boolean;
  /** A list was made: whoever wants to add to the next one may begin. */
  readonly onRanked?: (query: Query, candidates: readonly Candidate[]) => void;
  /** A source threw: a defect of ours, told to whoever runs the engine. */
  readonly onSourceError: (source: SourceName, error: unknown) => void;
}

export interface Engine {
  /** The candidates for `query`; empty when aborted. */
  complete(query: Query, signal: AbortSignal): Promise<readonly Candidate[]>;
  /** Warms every source for a directory. */
  warm(cwd: string): void;
}

/** An engine over `sources`. */
export function createEngine(options: EngineOptions): Engine {
  return {
    async complete(query, signal) {
      if (query.line.trim() === '' && query.line !== '') return [];
      // A leading blank asks for privacy: nothing about the line is looked up.
      if (query.line.startsWith(' ')) return [];
      const suggestions = await gather(options, query, signal);
      if (signal.aborted) return [];
      const candidates = rank(
        suggestions.filter(({ line }) => !options.isForgotten(line.trimEnd())),
        query,
        options.habits(),
      );
      options.onRanked?.(query, candidates);
      return candidates;
    },
    warm(cwd) {
      for (const source of options.sources) attempt(options, source.name, () => source.warm?.(cwd));
    },
  };
}

function attempt<T>(options: EngineOptions, source: SourceName, work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    options.onSourceError(source, error);
    return null;
  }
}

/** Runs all sources; resolves when all have answered, at the deadline, or when aborted. */
function gather(options: EngineOptions, query: Query, signal: AbortSignal): Promise<readonly Suggestion[]> {
  const found: Suggestion[] = [];
  const waiting: Promise<void>[] = [];
  for (const source of options.sources) {
    const answer = attempt(options, source.name, () => source.suggest(query, signal));
    if (answer === null) continue;
    if (!(answer instanceof Promise)) found.push(...answer);
    else
      waiting.push(
        answer.then(
          (late) => {
            found.push(...late);
          },
          (error: unknown) => {
            if (!signal.aborted) options.onSourceError(source.name, error);
          },
        ),
      );
  }
  if (waiting.length === 0) return Promise.resolve(found);
  return new Promise((resolve) => {
    const settle = () => {
      options.timers.clear(timer);
      options.timers.clear(grace);
      signal.removeEventListener('abort', settle);
      // A copy: what comes later must not change a list that is being ranked.
      resolve([...found]);
    };
    const timer = options.timers.set(settle, options.deadlineMs);
    const grace = options.timers.set(() => {
      if (found.length >= query.limit) settle();
    }, options.graceMs);
    signal.addEventListener('abort', settle, { once: true });
    void Promise.all(waiting).then(settle);
  });
}
