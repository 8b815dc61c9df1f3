/** A response as the lines that are drawn. Types only. */
import type { LaidOutLine } from '../../lib/text-layout.ts';
import type { Role } from '../kit/theme/role.ts';

/** A stretch of a line, as UTF-16 offsets into its text, and its look. */
export type Styled = readonly [start: number, end: number, role: Role];

export interface StyledLine {
  readonly text: string;
  /** Later ones lie over earlier ones. */
  readonly styles: readonly Styled[];
}

/** A response as it is written, or as Markdown is read. */
export type ReadingForm = 'source' | 'read';

export interface ReadingDoc {
  readonly turnId: string;
  readonly source: string;
  /** What is pulled, copied and answered: the response line by line. */
  readonly raw: readonly string[];
  /** What is drawn of each of those. */
  readonly lines: readonly (LaidOutLine & StyledLine)[];
  /** First line of each run of text between tool calls. */
  readonly partStarts: readonly number[];
}
