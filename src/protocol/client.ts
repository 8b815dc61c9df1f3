/**
 * The one way to speak to the host. In-process and Unix socket are two pipes under the same type; the caller
 * cannot tell which, and keeps its client when the leader changes.
 */
import type { Failure, Result } from '../lib/result.ts';
import type { CommandName, CommandParams, CommandResult } from './command.ts';
import type { CopaneEvent } from './event.ts';

/** `connected` to a leader (maybe ourselves) · `searching` for one, commands wait · `suspended`: the leader is stopped (SIGSTOP). */
export type ClientState =
  | { readonly kind: 'connected'; readonly leader: boolean }
  | { readonly kind: 'searching'; readonly problem?: Failure }
  | { readonly kind: 'suspended'; readonly pid: number };

export interface SubscribeOptions {
  /** The last event that the caller knows; left out: from now on. */
  readonly since?: number;
  /** Events after `since` are no longer kept: load the state again; the stream goes on after `seq`. */
  readonly onGap?: (seq: number) => void;
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** Told what the request will lead to, before that is written; only for commands that say so. */
  readonly onEarly?: (value: unknown) => void;
}

export interface Client {
  /** Names this client in events that it caused, so that it can tell its own echo. */
  readonly id: string;
  /** Runs a command. Rejects only on a defect; refusals and bad input are `Failure`s. */
  request<C extends CommandName>(
    command: C,
    params: CommandParams<C>,
    options?: RequestOptions,
  ): Promise<Result<CommandResult<C>>>;
  /** Every event from now on (or after `since`), in order, none twice, over a change of leader too. Returns the unsubscriber. */
  subscribe(listener: (event: CopaneEvent) => void, options?: SubscribeOptions): () => void;
  readonly state: ClientState;
  onStateChange(listener: (state: ClientState) => void): () => void;
  close(): Promise<void>;
}
