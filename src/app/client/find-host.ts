/** One attempt to connect to the leader, or to lead. Never replaces a stopped leader: it still holds the lock. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Failure, ok, type Result } from '../../lib/result.ts';
import type { CopanePaths } from '../../platform/paths.ts';
import { processState } from '../../platform/process-state.ts';
import type { ServerMessage } from '../../protocol/wire.ts';
import { databaseFileOf } from '../../store/database-file.ts';
import type { LeaderRecord } from '../../store/leader-record.ts';
import type { Leader } from '../host/leader.ts';
import { openLocalPipe, openPipe, type Pipe, type PipeEvents } from './pipe.ts';

/** How long to wait for an answer before checking whether the leader is stopped or busy. */
export const ANSWER_TIMEOUT_MS = 300;
/** How long a busy leader may take to send its welcome before the attempt is repeated. */
const WELCOME_TIMEOUT_MS = 5_000;

type Welcome = Extract<ServerMessage, { type: 'welcome' }>;

/** A pipe to a host that sent its welcome. `leader` is set if the host is this process. */
export interface FoundHost {
  readonly pipe: Pipe;
  readonly welcome: Welcome;
  readonly leader: Leader | null;
}

export type Attempt =
  | { readonly kind: 'found'; readonly host: FoundHost }
  | { readonly kind: 'suspended'; readonly pid: number }
  | { readonly kind: 'none' }
  /** A leader is starting or stopping. */
  | { readonly kind: 'again' }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** Takes the lead if it is free, else returns null. Only this loads the code of a leader. */
export type StartLeading = () => Promise<Result<Leader | null>>;

export interface FindOptions {
  readonly paths: CopanePaths;
  readonly clientId: string;
  readonly lead: StartLeading | null;
  /** False while the leader is known to be stopped: it accepts connections until its backlog is full, then blocks. */
  readonly knock: boolean;
  readonly events: PipeEvents;
}

/** Looks for a leader once, and leads if there is none. */
export async function findHost(options: FindOptions): Promise<Attempt> {
  const { paths, lead } = options;
  if (options.knock) {
    const direct = await tryPath(options, paths.socketFile);
    if (direct.kind !== 'again') return direct;
  }
  if (lead !== null) {
    const led = await tryLeading(options, lead);
    if (led.kind !== 'again') return led;
  }
  return followRecord(options);
}

/** Another process holds the lock, or we may not take it: the leader's record names its socket and its process. */
async function followRecord(options: FindOptions): Promise<Attempt> {
  const { paths } = options;
  const fruitless = { kind: options.lead === null ? 'none' : 'again' } as const;
  const card = await readCard(paths);
  const state = card === null ? 'gone' : await processState(card.pid);
  if (card === null || state === 'gone') return fruitless;
  if (state === 'stopped') return { kind: 'suspended', pid: card.pid };
  // Another environment (no XDG_RUNTIME_DIR over ssh) gives another socket for the same state folder.
  if (card.socketPath !== paths.socketFile) return tryPath(options, card.socketPath);
  return fruitless;
}

/** The leader's record; null if there was no leader yet, or if it cannot be read now. */
async function readCard({ stateDir }: CopanePaths): Promise<LeaderRecord | null> {
  const { peekLeader } = await import('../../store/leader-record.ts');
  return peekLeader(databaseFileOf(stateDir));
}

async function tryLeading(options: FindOptions, lead: StartLeading): Promise<Attempt> {
  const started = await lead();
  if (!started.ok) return { kind: 'failed', failure: started.error };
  const leader = started.value;
  if (leader === null) return { kind: 'again' };
  const { welcomed, pipe } = await greet(options, async (events) => ok(openLocalPipe(leader.host, events)));
  const welcome = await welcomed;
  if (pipe === null || welcome === null) return { kind: 'again' };
  return { kind: 'found', host: { pipe, welcome, leader } };
}

async function tryPath(options: FindOptions, socketPath: string): Promise<Attempt> {
  const greeting = await greet(options, (events) => openPipe(socketPath, events));
  const { pipe, welcomed } = greeting;
  if (greeting.failure !== null) return { kind: 'failed', failure: greeting.failure };
  if (pipe === null) return { kind: 'again' };
  const deadline = performance.now() + WELCOME_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const welcome = await Promise.race([welcomed, sleep(ANSWER_TIMEOUT_MS, 'late' as const)]);
    if (welcome === null) return { kind: 'again' };
    if (welcome !== 'late') return { kind: 'found', host: { pipe, welcome, leader: null } };
    const other = await insteadOfWaiting(options);
    if (other === null) continue;
    pipe.close();
    return other;
  }
  pipe.close();
  return { kind: 'again' };
}

/** The leader accepts but does not answer: it is stopped, lost its lock, or is busy (null: keep waiting). */
async function insteadOfWaiting(options: FindOptions): Promise<Attempt | null> {
  if (options.lead !== null) {
    const led = await tryLeading(options, options.lead);
    if (led.kind !== 'again') return led;
  }
  const card = await readCard(options.paths);
  if (card === null || (await processState(card.pid)) !== 'stopped') return null;
  return { kind: 'suspended', pid: card.pid };
}

interface Greeting {
  readonly pipe: Pipe | null;
  readonly failure: Failure | null;
  /** Null if the pipe closed first. */
  readonly welcomed: Promise<Welcome | null>;
}

/** Opens a pipe, sends hello, and passes everything after the welcome to the client. */
async function greet(
  options: FindOptions,
  open: (events: PipeEvents) => Promise<Result<Pipe | null>>,
): Promise<Greeting> {
  const { promise: welcomed, resolve } = Promise.withResolvers<Welcome | null>();
  let isWelcome = false;
  const opened = await open({
    onMessage: (message) => {
      if (isWelcome) options.events.onMessage(message);
      else if ('type' in message && message.type === 'welcome') {
        isWelcome = true;
        resolve(message);
      }
    },
    onClosed: () => {
      resolve(null);
      if (isWelcome) options.events.onClosed();
    },
  });
  if (!opened.ok) return { pipe: null, failure: opened.error, welcomed };
  opened.value?.send({ hello: { client: options.clientId } });
  return { pipe: opened.value, failure: null, welcomed };
}
