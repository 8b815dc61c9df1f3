/** The door to the host: gives a client that is connected, or the reason why there is none. */
import { lazy } from '../../lib/lazy.ts';
import { type Failure, ok, type Result } from '../../lib/result.ts';
import { uniqueName } from '../../platform/crypto.ts';
import type { CopanePaths } from '../../platform/paths.ts';
import type { ClientState } from '../../protocol/client.ts';
import type { SocketServerOptions } from '../../server/socket-server.ts';
import type { Handlers } from '../host/handler.ts';
import type { Host } from '../host/host.ts';
import type { LeaderService } from '../host/leader.ts';
import type { OpenAgent } from '../host/open-agent.ts';
import type { Log } from '../log/log.ts';
import { HostConnection } from './host-connection.ts';

/** How long to wait for a leader that comes or goes. */
const CONNECT_TIMEOUT_MS = 5_000;

/** Services that a leader runs beside the host, unless it leads for one command only. */
export interface LeaderEquipment {
  readonly services: readonly LeaderService[];
  readonly onOther: NonNullable<SocketServerOptions['onOther']>;
}

export interface ConnectOptions {
  readonly paths: CopanePaths;
  readonly version: string;
  /** False: never lead (`copane status`). */
  readonly lead?: boolean;
  /** What runs only while this process leads. */
  readonly services?: readonly LeaderService[];
  /** The services and `onOther`, loaded when this process leads. */
  readonly equip?: () => Promise<LeaderEquipment>;
  /** Left out: the handlers of `app/host/handlers`. */
  readonly makeHandlers?: (host: Host) => Handlers;
  readonly log?: Log;
  /** Left out: the agent of the user's configuration. */
  readonly openAgent?: OpenAgent;
  readonly now?: () => number;
  /** Told, once, what the user must know about the store that this process begins to lead with. */
  readonly onNotice?: (sentence: string) => void;
  /** Takes connections to the host's socket that do not speak JSON lines. */
  readonly onOther?: SocketServerOptions['onOther'];
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
