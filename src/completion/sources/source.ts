/** The one shape of a candidate source. A source proposes; it neither ranks nor filters nor shows. */
import type { Executed, Query, SourceName, Suggestion } from '../core/suggestion.ts';

export interface Source {
  readonly name: SourceName;
  /** It may take longer than a person waits: an answer goes without it, and is amended when it comes. */
  readonly isSlow?: boolean;
  /** Proposals for the query. A promise that is late is not waited for: what it finds should be kept for the next key. */
  suggest(query: Query, signal: AbortSignal): readonly Suggestion[] | Promise<readonly Suggestion[]>;
  /** A command ran. */
  learn?(command: Executed): void;
  /** A shell stands in this directory: what is slow to find may be found now. */
  warm?(cwd: string): void;
}

/** A name that may stand in a line, and what its file or its completion function says of it. */
export interface Named {
  readonly name: string;
  readonly description?: string;
}
