/** Syntax colours of texts, computed in another thread. */
import type { Result } from '../../lib/result.ts';
import type { Timers } from '../../lib/scheduler.ts';

export type ColorKind = 'keyword' | 'string' | 'comment' | 'number' | 'name' | 'type' | 'meta';

/** `[start, end)` of a line and its kind. Stretches ascend and do not overlap. */
export type ColoredLine = readonly (readonly [start: number, end: number, kind: ColorKind])[];

/** Texts of one file, whose name gives the language. */
export interface ColorRequest {
  readonly file: string;
  readonly texts: readonly string[];
}

export interface ColorPort {
  /** Each text's coloured lines, off the drawing thread. `not_found`: unknown language. Stops when nobody waits. */
  readonly color: (
    wanted: ColorRequest,
    signal: AbortSignal,
  ) => Promise<Result<readonly (readonly ColoredLine[])[]>>;
}

/** The options of a requester of colours. */
export interface ColorSource {
  readonly port: ColorPort;
  readonly clock: Timers;
  /** Called when there are more colours. */
  readonly onColors: () => void;
}
