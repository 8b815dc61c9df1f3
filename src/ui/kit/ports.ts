/** System services for all screens: clipboard, editor, new files. */
import type { Result } from '../../lib/result.ts';

export interface SystemPort {
  /** Copies to the terminal's clipboard (OSC 52) and the tmux buffer. Returns where it went. */
  readonly copy: (text: string) => Promise<Result<string>>;
  /** Opens the text in $EDITOR at the line (from 1) and returns the result. The suffix of `name` sets its colours. */
  readonly edit: (text: string, line: number, name?: string) => Promise<Result<string>>;
  /** Opens a user's file in $EDITOR at the line (from 1). The caller hands the terminal over meanwhile. */
  readonly open: (file: string, line: number) => Promise<Result<void>>;
  /** Writes a new file in the followed pane's project, never over an existing one. Returns its path. */
  readonly save: (name: string, text: string) => Promise<Result<string>>;
  /** Names of AI CLIs that `startAi` can start; only the tour if none is installed. */
  readonly startable: () => readonly string[];
  /** Starts an AI CLI in a new pane beside this one, which gets the keyboard. Returns the pane's id (`%N`). */
  readonly startAi: (name: string) => Promise<Result<string>>;
  /** Suspends the process (Ctrl-Z) until it is continued; false if no shell could continue it. */
  readonly suspend?: () => Promise<boolean>;
}
