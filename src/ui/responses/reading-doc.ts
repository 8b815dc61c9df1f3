/** A response as lines to draw. Types only. */
import type { LaidOutLine } from '../../lib/text-layout.ts';
import type { Role } from '../kit/theme/role.ts';

/** A stretch of a line, in UTF-16 offsets, and its style. */
export type Styled = readonly [start: number, end: number, role: Role];

export interface StyledLine {
  readonly text: string;
  /** Later ones override earlier ones. */
  readonly styles: readonly Styled[];
}

/** A response as written, or rendered as Markdown. */
export type ReadingForm = 'source' | 'read';

export interface ReadingDoc {
  readonly turnId: string;
  readonly source: string;
  /** The response's lines, for pulling, copying and answering. */
  readonly raw: readonly string[];
  /** The drawn form of each of them. */
  readonly lines: readonly (LaidOutLine & StyledLine)[];
  /** First line of each run of text between tool calls. */
  readonly partStarts: readonly number[];
}
