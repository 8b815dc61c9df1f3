/** The interface for calling tmux: by a process for each call, or by one control client. */
import type { Failure, Result } from '../lib/result.ts';
import type { TmuxCommand } from './core/command-line.ts';

/** A failure of a tmux call. `certain`: tmux itself refused; otherwise the commands may have been carried out. */
export interface TmuxFailure extends Failure {
  readonly certain: boolean;
}

export interface TmuxRunOptions {
  /** The input of a `load-buffer … -` among the commands. */
  readonly input?: string;
}

export interface TmuxPort {
  /** Runs the commands in order, uninterrupted by other clients; returns all output. The first failure ends it. */
  run(commands: readonly TmuxCommand[], options?: TmuxRunOptions): Promise<Result<string, TmuxFailure>>;
}
