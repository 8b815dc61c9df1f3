/**
 * What `copane init` can set up: for each program, the files that it would edit and how. A part of an integration
 * decides on text alone; reading, asking, keeping copies and writing are done once for all, in `run.ts`.
 */
import type { Result } from '../../lib/result.ts';
import type { Env } from '../../platform/paths.ts';

/** The paths that the integrations need. */
export interface InitPlace {
  readonly env: Env;
  readonly home: string;
  /** Path of `bin/copane`. */
  readonly program: string;
  /** The folder of this copane, in which `shell/`, `nvim/` and `integrations/` lie. */
  readonly root: string;
  readonly stateDir: string;
}

/** Lines of ours in a file of the user's, or a file of our own. */
export interface FilePart {
  readonly kind: 'file';
  readonly name: string;
  readonly file: string;
  /** What these lines do, for people; one line. */
  readonly about: string;
  /** The text with our lines; the same text when they stand there as they should. Null: no such file. */
  readonly add: (text: string | null) => Result<string>;
  /**
   * The text without our lines; null when nothing is left and the file goes away. `original` is what stood there
   * before us, as far as that is known.
   */
  readonly remove: (text: string, original: string | null) => Result<string | null>;
  /** Whether our lines stand in the text, from this copane or another one. */
  readonly isIn: (text: string) => boolean;
}

/** A link of ours in a folder that the program looks into. */
export interface LinkPart {
  readonly kind: 'link';
  readonly name: string;
  readonly file: string;
  readonly about: string;
  readonly target: string;
}

export type Part = FilePart | LinkPart;

export interface Integration {
  readonly name: string;
  /** What it is for, in the help. */
  readonly summary: string;
  /** All parts, in the order in which they are shown; those that are not asked for by default are `optional`. */
  readonly parts: (place: InitPlace) => readonly (Part & { readonly optional?: boolean })[];
  /** What to do when it is set up, for people. */
  readonly next: string;
}
