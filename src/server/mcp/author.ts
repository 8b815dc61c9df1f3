/** What the tools of an AI may reach: the host as one author, never as the reviewer. */
import type { Result } from '../../lib/result.ts';
import type { MapLevel, RenderedMap } from '../../protocol/file-map.ts';
import type { CommandHost } from '../suggestions/port.ts';
import type { Who } from '../suggestions/who.ts';

/** Where a change was made, and for which working copy it is. */
export interface SourcePlace {
  /** The top folder of the repository that the change was made in. */
  readonly source: string;
  /** The user's working copy; the same folder when the change was made right in it. */
  readonly target: string;
}

export interface AuthorAccess {
  readonly host: CommandHost;
  readonly who: Extract<Who, { role: 'author' }>;
  /** Relative folders are below it. */
  readonly folder: string;
  /**
   * Finds what a folder of this machine was made from. Null where the caller is elsewhere, or someone else: then
   * nothing is read from here, and a change comes as a patch.
   */
  readonly findPlace: ((folder: string) => Promise<Result<SourcePlace>>) | null;
  /** The outline of a file of the project, named from its folder. Null where `findPlace` is. */
  readonly mapFile:
    | ((
        file: string,
        options: { readonly maxBytes: number; readonly level?: Exclude<MapLevel, 'cut'> },
      ) => Promise<Result<RenderedMap>>)
    | null;
  /** Calls back when something about a review has changed; may call without a reason, never too rarely. Returns the end of it. */
  readonly onNews: (listener: () => void) => () => void;
}
