/**
 * The host as the tools of an AI reach it from a process of their own: each request by a connection that is closed
 * again. Such a process never leads for longer, since it ends with its AI CLI, and lives in that one's environment.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Result } from '../../lib/result.ts';
import type { Env } from '../../platform/paths.ts';
import type { Client } from '../../protocol/client.ts';
import type { CommandName } from '../../protocol/command.ts';
import type { CommandHost } from '../../server/suggestions/port.ts';
import { openHost, openHostNow } from '../host-access.ts';

/** Without a host there are no events: how often a waiter looks again, and looks for a host. */
const LOOK_INTERVAL_MS = 1_000;

/** Runs commands on the leading host, or on a host of this process while a command runs. */
export function authorHost(env: Env): CommandHost {
  return {
    dispatch: async (command, params): Promise<Result<unknown>> => {
      const client = await openHostNow(env);
      if (!client.ok) return client;
      try {
        return await client.value.request(command as CommandName, params as never);
      } finally {
        await client.value.close();
      }
    },
  };
}

/** Calls back at each change of a review while a host runs, and at intervals while none does. */
export function watchReviews(env: Env, listener: () => void): () => void {
  const ended = new AbortController();
  void follow(env, listener, ended.signal);
  return () => ended.abort();
}

async function follow(env: Env, listener: () => void, signal: AbortSignal): Promise<void> {
  const client = await findHost(env, listener, signal);
  if (client === null) return;
  client.subscribe(
    ({ body }) => {
      if (body.type.startsWith('review/')) listener();
    },
    { onGap: listener },
  );
  // What came before the subscription stood.
  listener();
  // While the leader is away, someone may decide by a command that leads for a moment.
  const looking = setInterval(() => {
    if (client.state.kind !== 'connected') listener();
  }, LOOK_INTERVAL_MS);
  const close = () => {
    clearInterval(looking);
    void client.close();
  };
  if (signal.aborted) close();
  else signal.addEventListener('abort', close, { once: true });
}

/** A client of the host, once there is one; null when nobody waits for it any more. */
async function findHost(env: Env, listener: () => void, signal: AbortSignal): Promise<Client | null> {
  while (!signal.aborted) {
    const found = await openHost(env, { lead: false });
    if (found.ok) return found.value;
    listener();
    await sleep(LOOK_INTERVAL_MS);
  }
  return null;
}
