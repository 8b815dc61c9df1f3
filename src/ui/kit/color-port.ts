/** Syntax colours of texts, computed in a thread of its own. */
import type { Result } from '../../lib/result.ts';
import type { Timers } from '../../lib/scheduler.ts';

export type ColorKind = 'keyword' | 'string' | 'comment' | 'number' | 'name' | 'type' | 'meta';

/** `[start, end)` of a line and what it is; stretches rise and do not overlap. */
export type ColoredLine = readonly (readonly [start: number, end: number, kind: ColorKind])[];

/** Texts of one file, which says what language they are in. */
export interface ColorWish {
  readonly file: string;
  readonly texts: readonly string[];
}

export interface ColorPort {
  /** The coloured lines of each text, off the thread that draws. `not_found`: unknown language. Stops when nobody waits. */
  readonly color: (
    wish: ColorWish,
    signal: AbortSignal,
  ) => Promise<Result<readonly (readonly ColoredLine[])[]>>;
}

/** What asks for colours. */
export interface ColorSource {
  readonly port: ColorPort;
  readonly clock: Timers;
  /** There are more colours than before. */
  readonly onColors: () => void;
}
