/** Connects to the host: returns a connected client, or the reason why there is none. */
import { lazy } from '../../lib/lazy.ts';
import { type Failure, ok, type Result } from '../../lib/result.ts';
import { uniqueName } from '../../platform/crypto.ts';
import type { ClientState } from '../../protocol/client.ts';
import type { LeaderEquipment, LeaderService } from '../host/leader.ts';
import { HostConnection } from './host-connection.ts';
import type { LeadOptions } from './lead.ts';

/** How long to wait while a leader starts or stops. */
const CONNECT_TIMEOUT_MS = 5_000;

export interface ConnectOptions extends LeadOptions {
  /** False if this process must never lead (`copane status`). */
  readonly lead?: boolean;
  /** Services that run only while this process leads. */
  readonly services?: readonly LeaderService[];
  /** `services` and `onOther`, loaded when this process leads. */
  readonly equip?: () => Promise<LeaderEquipment>;
  /** Called once with a user-visible notice about the store, when this process begins to lead. */
  readonly onNotice?: (sentence: string) => void;
}

/** A connected client, or one whose leader is stopped (see its state). Fails if nobody leads and we cannot. */
export async function connectHost(options: ConnectOptions): Promise<Result<HostConnection>> {
  const connection = openConnection(options);
  const failure = await firstOutcome(connection);
  if (failure === null) return ok(connection);
  await connection.close();
  return { ok: false, error: failure };
}

/** Like `connectHost` without waiting: requests wait for a host, and `firstOutcome` tells whether one was found. */
export function openConnection(options: ConnectOptions): HostConnection {
  const { paths, lead = true, equip } = options;
  const equipment = lazy(async () => equip?.());
  const startLeading = async () => {
    const equipped = await equipment();
    const leading = await import('./lead.ts');
    return leading.startLeading({ ...options, ...equipped });
  };
  return new HostConnection({
    paths,
    clientId: `c-${uniqueName()}`,
    lead: lead ? startLeading : null,
    onNotice: options.onNotice,
  });
}

/** Resolves with null once the connection can be used. */
export function firstOutcome(connection: HostConnection): Promise<Failure | null> {
  return new Promise((resolve) => {
    const finish = (failure: Failure | null) => {
      clearTimeout(timer);
      stop();
      resolve(failure);
    };
    const decide = (state: ClientState) => {
      if (state.kind !== 'searching') finish(null);
      else if (state.problem !== undefined) finish(state.problem);
    };
    const giveUp = async () => {
      // Opening the store takes long on a loaded machine: wait for a process that is about to lead.
      if (!(await connection.isStarting())) finish(await connection.whyUnreachable());
      else if (connection.state.kind === 'searching') timer.refresh();
    };
    const timer = setTimeout(() => void giveUp(), CONNECT_TIMEOUT_MS);
    const stop = connection.onStateChange(decide);
    decide(connection.state);
  });
}
