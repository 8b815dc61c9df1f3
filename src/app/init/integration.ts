/** What `copane init` can set up: for each program, the files to edit and how. `run.ts` asks, backs up and writes. */
import type { Result } from '../../lib/result.ts';
import type { Env } from '../../platform/paths.ts';

/** The paths that the integrations need. */
export interface InitPlace {
  readonly env: Env;
  readonly home: string;
  /** Path of `bin/copane`. */
  readonly program: string;
  /** The folder of this copane, with `shell/`, `nvim/` and `integrations/`. */
  readonly root: string;
  readonly stateDir: string;
}

/** Our lines in a file of the user, or a file of our own. */
export interface FilePart {
  readonly kind: 'file';
  readonly name: string;
  readonly file: string;
  /** A user-visible line about the purpose of the edit. */
  readonly about: string;
  /** Adds our lines; unchanged text means that they are up to date. Null means no such file. */
  readonly add: (text: string | null) => Result<string>;
  /** Removes our lines; null deletes the file. `original` is the text from before our edit, if known. */
  readonly remove: (text: string, original: string | null) => Result<string | null>;
  /** Whether the text contains our lines, of this copane or another one. */
  readonly isIn: (text: string) => boolean;
}

/** A link of ours in a folder that the program searches. */
export interface LinkPart {
  readonly kind: 'link';
  readonly name: string;
  readonly file: string;
  readonly about: string;
  readonly target: string;
  /** What the target of every link of ours holds. */
  readonly mark: string;
}

export type Part = FilePart | LinkPart;

export interface Integration {
  readonly name: string;
  /** The purpose, for the help. */
  readonly summary: string;
  /** All parts in display order; `optional` ones must be requested. */
  readonly parts: (place: InitPlace) => readonly (Part & { readonly optional?: boolean })[];
  /** A user-visible hint after the set-up. */
  readonly next: string;
}
