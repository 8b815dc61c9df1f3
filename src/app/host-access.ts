/** The client of the host for this process: found, or led by ourselves. */
import type { Result } from '../lib/result.ts';
import { VERSION } from '../lib/version.ts';
import { copanePaths, type Env } from '../platform/paths.ts';
import type { Client } from '../protocol/client.ts';
import type { OutboxEntry } from '../protocol/outbox.ts';
import type { PaneIdentity } from '../protocol/pane.ts';
import { type ConnectOptions, connectHost } from './client/connect.ts';
import type { HostConnection } from './client/host-connection.ts';

/** Connects; a command that finds no host leads one for as long as it runs. */
export function openHost(env: Env, options: Partial<ConnectOptions> = {}): Promise<Result<HostConnection>> {
  return connectHost({ paths: copanePaths(env), version: VERSION, ...options });
}

/** Prompts sent to a pane, newest first; none when the host cannot say. */
export async function sentTo(client: Client, pane: PaneIdentity): Promise<readonly OutboxEntry[]> {
  const listed = await client.request('outbox/list', { pane, limit: 20 });
  return listed.ok ? listed.value : [];
}
