/** Connects this process to the host, or makes it the leader. */
import { fail, type Result } from '../lib/result.ts';
import { sanitize } from '../lib/sanitize.ts';
import { VERSION } from '../lib/version.ts';
import { copanePaths, type Env } from '../platform/paths.ts';
import { type ConnectOptions, connectHost, openConnection } from './client/connect.ts';
import type { HostConnection } from './client/host-connection.ts';

/** Connects; without a host, this process leads until it ends. The leader may be stopped: see the client's state. */
export function openHost(env: Env, options: Partial<ConnectOptions> = {}): Promise<Result<HostConnection>> {
  return connectHost({ paths: copanePaths(env), version: VERSION, ...options });
}

/** Like `openHost` without waiting, for data that can be shown before there is a host. */
export function openHostSoon(env: Env, options: Partial<ConnectOptions>): HostConnection {
  return openConnection({ paths: copanePaths(env), version: VERSION, ...options });
}

/** The host for a command that does not wait; fails with the pid if the leader is stopped. */
export async function openHostNow(env: Env): Promise<Result<HostConnection>> {
  const connected = await openHost(env, {
    onNotice: (sentence) => process.stderr.write(`copane: ${sanitize(sentence)}\n`),
  });
  if (!connected.ok || connected.value.state.kind !== 'suspended') return connected;
  const { pid } = connected.value.state;
  await connected.value.close();
  return fail(
    'refused',
    `the leader is suspended (pid ${pid})`,
    `"fg" in its terminal, or "kill -CONT ${pid}", continues it.`,
  );
}
