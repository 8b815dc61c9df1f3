/** The client of the host, in-process or over a Unix socket. Callers see no difference and keep it across leaders. */
import type { Failure, Result } from '../lib/result.ts';
import type { CommandName, CommandParams, CommandResult } from './command.ts';
import type { CopaneEvent } from './event.ts';

/** `connected`: to a leader, maybe us. `searching`: commands wait. `suspended`: the leader is stopped (SIGSTOP). */
export type ClientState =
  | { readonly kind: 'connected'; readonly leader: boolean }
  | { readonly kind: 'searching'; readonly problem?: Failure }
  | { readonly kind: 'suspended'; readonly pid: number };

export interface SubscribeOptions {
  /** The last event that the caller has seen; omitted: only new events. */
  readonly since?: number;
  /** Events after `since` are gone: load the state again; the stream continues after `seq`. */
  readonly onGap?: (seq: number) => void;
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** Called with the expected outcome before it is written. Only some commands do so. */
  readonly onEarly?: (value: unknown) => void;
}

export interface Client {
  /** This client's id in the events that it causes, so that it can ignore them. */
  readonly id: string;
  /** Runs a command. Rejects only on a defect; a refusal or bad input is a `Failure`. */
  request<C extends CommandName>(
    command: C,
    params: CommandParams<C>,
    options?: RequestOptions,
  ): Promise<Result<CommandResult<C>>>;
  /** Passes on each event from now on (or after `since`) once, in order, across leaders. Returns the unsubscriber. */
  subscribe(listener: (event: CopaneEvent) => void, options?: SubscribeOptions): () => void;
  readonly state: ClientState;
  onStateChange(listener: (state: ClientState) => void): () => void;
  close(): Promise<void>;
}
