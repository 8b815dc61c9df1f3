/**
 * The host for the tools of an AI that run in a process of their own: one connection per request. Such a process leads
 * only for one command, since it ends with its AI CLI and has that program's environment.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Result } from '../../lib/result.ts';
import type { Env } from '../../platform/paths.ts';
import type { Client } from '../../protocol/client.ts';
import type { CommandName } from '../../protocol/command.ts';
import type { CommandHost } from '../../server/suggestions/port.ts';
import { openHost, openHostNow } from '../host-access.ts';

/** Without a host there are no events: how often to check for changes, and for a host. */
const LOOK_INTERVAL_MS = 1_000;

/** Runs commands on the leading host, or on a temporary host in this process. */
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

/** Calls `listener` on each change of a review while a host runs, and at intervals otherwise. */
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
  // Covers changes before the subscription.
  listener();
  // While the leader is away, a command that leads briefly may decide.
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

/** Waits for a host and returns a client; null once aborted. */
async function findHost(env: Env, listener: () => void, signal: AbortSignal): Promise<Client | null> {
  while (!signal.aborted) {
    const found = await openHost(env, { lead: false });
    if (found.ok) return found.value;
    listener();
    await sleep(LOOK_INTERVAL_MS);
  }
  return null;
}
