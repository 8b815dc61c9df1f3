/** The sender with its ports: the host's outbox, the process table, screen rules, session files. */
import { setTimeout as sleep } from 'node:timers/promises';
import { randomId, sha256 } from '../../platform/crypto.ts';
import { canonicalLineMaxBytes } from '../../platform/tty.ts';
import type { CliId } from '../../protocol/cli-id.ts';
import type { Client } from '../../protocol/client.ts';
import type { ScreenReading } from '../../protocol/screen.ts';
import { stateOfTitle } from '../../responses/core/ai-state.ts';
import type { PaneResponses } from '../../responses/pane-responses.ts';
import type { Screen } from '../../responses/screens/port.ts';
import { screenRulesFor } from '../../responses/screens/registry.ts';
import type { Panes } from '../../tmux/panes.ts';
import type { TmuxPort } from '../../tmux/port.ts';
import { createSender, type ProofPort, type SenderPorts, type SendPane } from '../../tmux/sender.ts';
import type { PaneHooks } from './pane-hooks.ts';

export interface SenderAccess {
  readonly tmux: TmuxPort;
  readonly panes: Panes;
  readonly client: Client;
  readonly hooks: PaneHooks;
  /** The turns of the target pane: its session file confirms the delivery. */
  readonly responsesOf: (pane: SendPane) => PaneResponses | null;
}

/** Creates the sender of this process. */
export function openSender(access: SenderAccess) {
  return createSender({
    tmux: access.tmux,
    outbox: outboxOf(access.client),
    inspector: {
      foreground: (pane) => access.panes.foreground(pane),
      lineMaxBytes: (tty) => canonicalLineMaxBytes(tty, process.platform),
    },
    readScreen: readWithTitle,
    proof: proofOf(access),
    clock: { now: Date.now, sleep: interruptibleSleep },
    newId: randomId,
    sha256,
  });
}

/** While Codex streams, only its title shows that it is working. */
function readWithTitle(screen: Screen, cli: CliId): ScreenReading {
  const reading = screenRulesFor(cli).read(screen);
  const isAtWork =
    reading.state !== 'waiting' && cli !== 'generic' && stateOfTitle(screen.title) === 'working';
  return isAtWork ? { ...reading, state: 'working' } : reading;
}

function outboxOf(client: Client): SenderPorts['outbox'] {
  return {
    record: (entry) => client.request('outbox/record', entry),
    update: (change) => client.request('outbox/update', change),
  };
}

/** The CLI's own hook is the better proof, so it is named if both have it. */
function proofOf({ responsesOf, hooks }: SenderAccess): ProofPort {
  return {
    begin: async (pane, text) => {
      const [file, hook] = await Promise.all([
        responsesOf(pane)?.watchSent(text),
        hooks.watchPrompt(pane, text),
      ]);
      if (!file) return null;
      return {
        poll: async () => {
          if (await hook.poll()) return { kind: 'delivered', by: 'hook' };
          const kind = await file.poll();
          return kind === null ? null : { kind, by: 'transcript' };
        },
        close: () => undefined,
      };
    },
  };
}

async function interruptibleSleep(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (thrown) {
    if (!signal?.aborted) throw thrown;
  }
}
