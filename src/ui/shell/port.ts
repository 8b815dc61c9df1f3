/** What the Shell screen needs: the state of the completions, and the requests it can make. */
import type { Failure, Result } from '../../lib/result.ts';
import type { ShellStatus } from '../../protocol/shell.ts';

/** Everything that the Shell screen shows. Each change makes a new object. */
export interface ShellView {
  /** Null before it is known. */
  readonly shell: ShellStatus | null;
  /** Why it is unknown or may be outdated. */
  readonly problem: Failure | null;
}

export interface ShellPort {
  readonly getSnapshot: () => ShellView;
  readonly subscribe: (listener: () => void) => () => void;
  /** Keeps the status current while true. Repeating the value costs nothing. */
  readonly watch: (isShown: boolean) => void;
  readonly setPrivate: (on: boolean) => Promise<Result<void>>;
  readonly forget: (line: string) => Promise<Result<void>>;
}
