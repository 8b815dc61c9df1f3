/** The services of the system for every screen: clipboard, editor, new files. */
import type { Result } from '../../lib/result.ts';

export interface SystemPort {
  /** Copies to the clipboard of the terminal (OSC 52) and the tmux buffer. Says where it went. */
  readonly copy: (text: string) => Promise<Result<string>>;
  /** Opens the text in $EDITOR at the line (from 1) and returns it edited. The editor colours by the ending of `name`. */
  readonly edit: (text: string, line: number, name?: string) => Promise<Result<string>>;
  /** Opens a file of the user's in $EDITOR at the line (from 1). The terminal is handed over around it. */
  readonly open: (file: string, line: number) => Promise<Result<void>>;
  /** Writes a new file of the followed pane's project; one that exists is never written over. Gives its path. */
  readonly save: (name: string, text: string) => Promise<Result<string>>;
  /** Names of the AI CLIs that `startAi` can start; the tour's alone where none is installed. */
  readonly startable: () => readonly string[];
  /** Starts an AI CLI in a new pane beside this one; gives the id of the pane (`%N`), which has the keyboard then. */
  readonly startAi: (name: string) => Promise<Result<string>>;
  /** Puts the process into the background (Ctrl-Z), until it is continued; false where no shell could continue it. */
  readonly suspend?: () => Promise<boolean>;
}
