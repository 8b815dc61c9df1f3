/** The client of the host, in-process or by Unix socket; callers cannot tell which, and keep it when the leader changes. */
import type { Failure, Result } from '../lib/result.ts';
import type { CommandName, CommandParams, CommandResult } from './command.ts';
import type { CopaneEvent } from './event.ts';

/** `connected` to a leader (maybe ourselves) · `searching` for one, commands wait · `suspended`: the leader is stopped (SIGSTOP). */
export type ClientState =
  | { readonly kind: 'connected'; readonly leader: boolean }
  | { readonly kind: 'searching'; readonly problem?: Failure }
  | { readonly kind: 'suspended'; readonly pid: number };

export interface SubscribeOptions {
  /** The last event that the caller knows; omitted: only new events. */
  readonly since?: number;
  /** Events after `since` are no longer kept: load the state again; the stream continues after `seq`. */
  readonly onGap?: (seq: number) => void;
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** Called with the expected outcome before it is written; only some commands do. */
  readonly onEarly?: (value: unknown) => void;
}

export interface Client {
  /** The id of this client in events that it caused, so that it can ignore them. */
  readonly id: string;
  /** Runs a command. Rejects only on a defect; refusals and bad input are `Failure`s. */
  request<C extends CommandName>(
    command: C,
    params: CommandParams<C>,
    options?: RequestOptions,
  ): Promise<Result<CommandResult<C>>>;
  /** Every event from now on (or after `since`), in order, each once, across changes of leader. Returns the unsubscriber. */
  subscribe(listener: (event: CopaneEvent) => void, options?: SubscribeOptions): () => void;
  readonly state: ClientState;
  onStateChange(listener: (state: ClientState) => void): () => void;
  close(): Promise<void>;
}
