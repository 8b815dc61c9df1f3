/** How the rest of this folder calls tmux: by a process for each call, or by one control client. */
import type { Failure, Result } from '../lib/result.ts';
import type { TmuxCommand } from './core/command-line.ts';

/** A failure of a tmux call. `certain`: tmux itself said no; else the commands may have been carried out. */
export interface TmuxFailure extends Failure {
  readonly certain: boolean;
}

export interface TmuxRunOptions {
  /** What a `load-buffer … -` among the commands reads. */
  readonly input?: string;
}

export interface TmuxPort {
  /** Runs the commands in order, nothing of another client in between; the output of all. The first that fails ends it. */
  run(commands: readonly TmuxCommand[], options?: TmuxRunOptions): Promise<Result<string, TmuxFailure>>;
}
