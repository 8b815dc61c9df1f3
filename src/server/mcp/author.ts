/** What an AI's tools can access: the host as one author, never as the reviewer. */
import type { Result } from '../../lib/result.ts';
import type { MapLevel, RenderedMap } from '../../protocol/file-map.ts';
import type { CommandHost } from '../suggestions/port.ts';
import type { Who } from '../suggestions/who.ts';

/** Where a change was made, and the working copy it targets. */
export interface SourcePlace {
  /** The top folder of the repository with the change. */
  readonly source: string;
  /** The user's working copy; the same folder if the change was made directly in it. */
  readonly target: string;
}

export interface AuthorAccess {
  readonly host: CommandHost;
  readonly who: Extract<Who, { role: 'author' }>;
  /** Relative folders are below it. */
  readonly folder: string;
  /** Finds the working copy of a folder; null if the caller is another machine or user, which sends patches. */
  readonly findPlace: ((folder: string) => Promise<Result<SourcePlace>>) | null;
  /** The outline of a file of the project, by its relative path. Null if `findPlace` is null. */
  readonly mapFile:
    | ((
        file: string,
        options: { readonly maxBytes: number; readonly level?: Exclude<MapLevel, 'cut'> },
      ) => Promise<Result<RenderedMap>>)
    | null;
  /** Calls back whenever a review has changed, and possibly more often. Returns a function that ends it. */
  readonly onNews: (listener: () => void) => () => void;
}
