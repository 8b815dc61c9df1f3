/** Syntax colours of texts, computed in a thread of its own. */
import type { Result } from '../../lib/result.ts';

/** The kind of a token. */
export type ColorKind = 'keyword' | 'string' | 'comment' | 'number' | 'name' | 'type' | 'meta';

/** `[start, end)` of a line and what it is; stretches rise and do not overlap. */
export type ColoredLine = readonly (readonly [start: number, end: number, kind: ColorKind])[];

/** Texts of one file, which says what language they are in. */
export interface ColorWish {
  readonly file: string;
  readonly texts: readonly string[];
}

export interface ColorPort {
  /**
   * The lines of each text with their colours. `not_found`: the language is not known. Off the thread that draws;
   * given up when nobody waits any more.
   */
  readonly color: (
    wish: ColorWish,
    signal: AbortSignal,
  ) => Promise<Result<readonly (readonly ColoredLine[])[]>>;
}
