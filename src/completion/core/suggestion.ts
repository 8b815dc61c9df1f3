/** The engine's queries, the sources' answers, and the results. Types only. */

export type SourceName =
  | 'history'
  | 'sequence'
  | 'tokens'
  | 'words'
  | 'prior'
  | 'typo'
  | 'paths'
  | 'project'
  | 'git'
  | 'hosts'
  | 'repair'
  | 'specs'
  | 'zsh'
  | 'model';

/** One request for candidates; offsets are in UTF-16 units. */
export interface Query {
  readonly line: string;
  /** Index of the cursor in `line`. */
  readonly cursor: number;
  readonly cwd: string;
  readonly session: string;
  readonly limit: number;
  /** The caller is in no hurry: wait for slow sources up to the deadline. */
  readonly isPatient?: boolean;
  /** Only a repair of the last command is wanted. */
  readonly isRepair?: boolean;
}

/** What one source proposes. */
export interface Suggestion {
  readonly line: string;
  /** Index in `line` where the cursor goes; null means the end. */
  readonly cursor: number | null;
  readonly source: SourceName;
  /** The source's own estimate that the user wants this line, or a line that starts with it. */
  readonly probability: number;
  /** The line is only a start: more is expected after it. */
  readonly partial: boolean;
  readonly kind?: 'fix';
  /** Up to three numbers specific to this source; the ranking has weights for them. */
  readonly signals?: readonly number[];
  /** A short phrase for users who ask why. */
  readonly why: string;
  /** The description of the last word in the file or from the command's own completion. */
  readonly description?: string;
}

/** `destroys`: data is lost. `overwrites`: an existing file gets other content. `unseen`: it runs hidden code. */
export type Risk = 'destroys' | 'overwrites' | 'unseen';

export interface Candidate extends Suggestion {
  readonly confidence: number;
  /** The irreversible effect of the line. */
  readonly risk?: Risk;
  /** Every source that proposed the line, the strongest first. */
  readonly sources: readonly SourceName[];
}

/** A command that ran. */
export interface Executed {
  readonly line: string;
  readonly cwd: string;
  readonly session: string;
  /** Seconds since the epoch. */
  readonly at: number;
  /** null when unknown, as in a history file. */
  readonly exit: number | null;
  /** Its shell has not written it to its history file: no other shell may know of it. */
  readonly isUnsaved?: boolean;
}
