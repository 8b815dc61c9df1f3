/** The interface of a candidate source. It proposes; it does not rank, filter or show. */
import type { Query, SourceName, Suggestion } from '../core/suggestion.ts';

export interface Source {
  readonly name: SourceName;
  /** It may take long: the answer goes out without it and is amended later. */
  readonly isSlow?: boolean;
  /** Proposals for the query. A late result is not awaited; the source should cache it for the next key. */
  suggest(query: Query, signal: AbortSignal): readonly Suggestion[] | Promise<readonly Suggestion[]>;
  /** A shell is in this directory: prepares what is slow to find. */
  warm?(cwd: string): void;
}

/** A name, and its description in its file or by its completion function. */
export interface Named {
  readonly name: string;
  readonly description?: string;
}
