/** The door to the host: gives a client that is connected, or the reason why there is none. */
import { lazy } from '../../lib/lazy.ts';
import { type Failure, ok, type Result } from '../../lib/result.ts';
import { uniqueName } from '../../platform/crypto.ts';
import type { ClientState } from '../../protocol/client.ts';
import type { SocketServerOptions } from '../../server/socket-server.ts';
import type { LeaderService } from '../host/leader.ts';
import { HostConnection } from './host-connection.ts';
import type { LeadOptions } from './lead.ts';

/** How long to wait for a leader that comes or goes. */
const CONNECT_TIMEOUT_MS = 5_000;

/** Services that a leader runs beside the host, unless it leads for one command only. */
export interface LeaderEquipment {
  readonly services: readonly LeaderService[];
  readonly onOther: NonNullable<SocketServerOptions['onOther']>;
}

export interface ConnectOptions extends LeadOptions {
  /** False: never lead (`copane status`). */
  readonly lead?: boolean;
  /** Services that run only while this process leads. */
  readonly services?: readonly LeaderService[];
  /** `services` and `onOther`, loaded when this process leads. */
  readonly equip?: () => Promise<LeaderEquipment>;
  /** Called once with what the user must know about the store when this process starts to lead. */
  readonly onNotice?: (sentence: string) => void;
}

/**
 * A client that is connected, or whose leader is stopped (its state says which). Fails when nobody leads and
 * this process may not, or when leading is impossible: a state folder that cannot be written, a foreign socket.
 */
export async function connectHost(options: ConnectOptions): Promise<Result<HostConnection>> {
  const connection = openConnection(options);
  const failure = await firstOutcome(connection);
  if (failure === null) return ok(connection);
  await connection.close();
  return { ok: false, error: failure };
}

/** The same without waiting: requests wait until a host is found, and `firstOutcome` tells whether one was. */
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

/** Null when the connection can be used. */
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
    const giveUp = () => void connection.whyUnreachable().then(finish);
    const timer = setTimeout(giveUp, CONNECT_TIMEOUT_MS);
    const stop = connection.onStateChange(decide);
    decide(connection.state);
  });
}
