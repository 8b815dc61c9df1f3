/** What the Shell screen needs: how the completions fare, and what can be asked of them. */
import type { Failure, Result } from '../../lib/result.ts';
import type { ShellStatus } from '../../protocol/shell.ts';

/** Everything that the Shell screen shows. A new object for every change. */
export interface ShellView {
  /** Null before it is known. */
  readonly shell: ShellStatus | null;
  /** Why it is unknown, or may be outdated. */
  readonly problem: Failure | null;
}

export interface ShellPort {
  readonly getSnapshot: () => ShellView;
  readonly subscribe: (listener: () => void) => () => void;
  /** Keeps looking while it is true. The same value again costs nothing. */
  readonly watch: (isShown: boolean) => void;
  readonly setPrivate: (on: boolean) => Promise<Result<void>>;
  readonly forget: (line: string) => Promise<Result<void>>;
}
