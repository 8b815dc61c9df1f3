/** Leading: takes lock and epoch, opens store, socket and services, closes them in reverse. The lock makes the leader. */
import path from 'node:path';
import { errorMessage, fail, ok, type Result } from '../../lib/result.ts';
import { type CopanePaths, type Env, homeFolder } from '../../platform/paths.ts';
import { inspectSocket, isServed } from '../../platform/socket-file.ts';
import { secretRule } from '../../review/core/secret-files.ts';
import type { ReviewSettings } from '../../review/finishing/settings.ts';
import { SocketServer, type SocketServerOptions } from '../../server/socket-server.ts';
import { knownDamage } from '../../store/damage.ts';
import { peekLeader } from '../../store/leader-record.ts';
import { databaseFileOf, openStore, type Store } from '../../store/store.ts';
import { hostsHere } from '../client/pipe.ts';
import { loadConfig } from '../config/load-config.ts';
import type { Log } from '../log/log.ts';
import type { Handlers } from './handler.ts';
import { Host } from './host.ts';
import { acquireHostLock, type HostLock } from './lock.ts';
import type { OpenAgent } from './open-agent.ts';

/** How often an idle leader checks whether its store was removed or replaced, or its socket removed. */
const CHECK_INTERVAL_MS = 10_000;
/** A service that does not stop within this time is abandoned: clients wait for the next leader. */
const STOP_TIMEOUT_MS = 500;

/** How long a quitting leader keeps running the commands of other clients; slower ones fail with that reason. */
const QUIET_TIMEOUT_MS = 1_000;

/** A service that runs only in the leader: the completion worker, the TCP server. */
export interface LeaderService {
  readonly name: string;
  /** If it fails to start, the error is logged and the host leads without it. */
  start(host: Host): Promise<void> | void;
  stop(): Promise<void> | void;
}

/** What a leader runs beside the host, unless it leads only for one command. */
export interface LeaderEquipment {
  readonly services: readonly LeaderService[];
  readonly onOther: NonNullable<SocketServerOptions['onOther']>;
}

export interface LeaderOptions {
  readonly paths: CopanePaths;
  readonly version: string;
  readonly makeHandlers: (host: Host) => Handlers;
  readonly services: readonly LeaderService[];
  readonly now: () => number;
  readonly newClientName: () => string;
  readonly log: Log;
  readonly openAgent?: OpenAgent;
  /** Handles connections to the host's socket that do not speak JSON lines. */
  readonly onOther?: SocketServerOptions['onOther'];
}

interface ClosingHow {
  /** Stop answering, and leave the socket to the next leader. */
  readonly replaced?: boolean;
  /** Whether running jobs are left to the next leader. Default: if a client could become it. */
  readonly leaveJobs?: boolean;
}

export class Leader {
  readonly host: Host;
  /** A user-visible notice: what happened to a damaged database. */
  readonly notice: string | null;
  readonly #options: LeaderOptions;
  readonly #lock: HostLock;
  readonly #store: Store;
  readonly #server: SocketServer;
  readonly #services: Promise<readonly LeaderService[]>;
  readonly #check: NodeJS.Timeout;
  #closing: Promise<void> | null = null;

  constructor(options: LeaderOptions, parts: LeaderParts) {
    this.#options = options;
    this.#lock = parts.lock;
    this.#store = parts.store;
    this.#server = parts.server;
    this.host = parts.host;
    this.notice = parts.store.notice;
    this.#services = startServices(options, parts.host);
    this.#check = setInterval(() => {
      parts.host.checkEpoch();
      void parts.server.ensureName();
    }, CHECK_INTERVAL_MS).unref();
  }

  close(reason: string, how: ClosingHow = {}): Promise<void> {
    this.#closing ??= this.#close(reason, how);
    return this.#closing;
  }

  async #close(reason: string, { replaced = false, leaveJobs }: ClosingHow): Promise<void> {
    clearInterval(this.#check);
    // A replaced leader must stop answering; one that quits serves until its services are down.
    if (replaced) this.host.close(reason, false);
    const stop = (service: LeaderService) =>
      attempt(this.#options.log, `stopping ${service.name}`, () => within(STOP_TIMEOUT_MS, service.stop()));
    await Promise.all((await this.#services).map(stop));
    if (!replaced) {
      const quiet = () => within(QUIET_TIMEOUT_MS, this.host.quiet());
      await attempt(this.#options.log, 'finishing the last commands', quiet);
    }
    const { socketFile } = this.#options.paths;
    if (hostsHere.get(socketFile) === this.host) hostsHere.delete(socketFile);
    this.host.close(reason, leaveJobs);
    await this.#server.close({ keepName: replaced });
    this.#store.close();
    this.#lock.release();
  }
}

interface LeaderParts {
  readonly lock: HostLock;
  readonly store: Store;
  readonly server: SocketServer;
  readonly host: Host;
}

/** Begins to lead; null if another process leads. Closes itself when it sees a newer leader. */
export async function startLeader(options: LeaderOptions): Promise<Result<Leader | null>> {
  const lock = acquireHostLock(options.paths.stateDir);
  if (!lock.ok || lock.value === null) return lock as Result<null>;
  const led = await lead(options, lock.value);
  if (!led.ok) lock.value.release();
  return led;
}

async function lead(options: LeaderOptions, lock: HostLock): Promise<Result<Leader>> {
  const { paths } = options;
  const free = await checkSocketIsFree(paths);
  if (!free.ok) return free;
  const opened = await openAndServe(options);
  if (!opened.ok) return opened;
  const { store, served, stale } = opened.value;
  if (store.notice !== null) options.log.warn(store.notice);
  const leader = new Leader(options, { ...served, lock, store });
  hostsHere.set(paths.socketFile, served.host);
  void stale.then((why) => leader.close(why, { replaced: true }));
  return ok(leader);
}

interface Opened {
  readonly store: Store;
  readonly served: Served;
  /** Resolves with the reason when this process no longer leads. */
  readonly stale: Promise<string>;
}

/** Opens the store and serves it. Reopens a store that turns out to be damaged at its first use. */
async function openAndServe(options: LeaderOptions, isRetry = false): Promise<Result<Opened>> {
  const { stateDir } = options.paths;
  const store = openStore({ stateDir, now: options.now });
  if (!store.ok) return store;
  const stale = Promise.withResolvers<string>();
  const served = await serve(options, store.value, stale.resolve);
  if (served.ok) return ok({ store: store.value, served: served.value, stale: stale.promise });
  store.value.close();
  const isMarked = knownDamage(databaseFileOf(stateDir)) !== null;
  return isMarked && !isRetry ? openAndServe(options, true) : served;
}

interface Served {
  readonly host: Host;
  readonly server: SocketServer;
}

async function serve(
  options: LeaderOptions,
  store: Store,
  onStale: (why: string) => void,
): Promise<Result<Served>> {
  const { paths, version, now, log } = options;
  const begun = store.beginEpoch({
    pid: process.pid,
    startedAt: now(),
    version,
    socketPath: paths.socketFile,
  });
  if (!begun.ok) return begun;
  const host = new Host({
    ...options,
    store,
    stateDir: paths.stateDir,
    leader: begun.value,
    settings: () => reviewSettings(paths.configFile),
    isSecret: () => secretRule(loadConfig(paths.configFile, process.env).config.agent_secret_files),
    feedbackLog: () => feedbackLogFile(paths.configFile, process.env),
    onStale,
  });
  const server = await SocketServer.start({
    socketPath: paths.socketFile,
    host,
    onOther: options.onOther,
    onWarning: (message) => log.warn(message),
  });
  if (!server.ok) return server;
  log.info('leading', { epoch: begun.value.epoch });
  return ok({ host, server: server.value });
}

/** The user's current settings: a change applies from the next decision. */
function reviewSettings(file: string): ReviewSettings {
  const { config } = loadConfig(file, process.env);
  return {
    revertOnReject: config.revert_on_reject,
    stageOnAccept: config.stage_on_accept,
    commitOnFinalize: config.commit_on_finalize,
    autoSync: config.auto_sync,
    jjFinalize: config.jj_finalize,
  };
}

/** Null if the user has set none. */
function feedbackLogFile(file: string, env: Env): string | null {
  const { feedback_log: wanted } = loadConfig(file, env).config;
  if (wanted === null || !wanted.startsWith('~/')) return wanted;
  return path.join(homeFolder(env), wanted.slice(2));
}

/** We hold the lock: a socket that answers belongs to a leader that lost its lock file, or to another state folder. */
async function checkSocketIsFree(paths: CopanePaths): Promise<Result<void>> {
  const found = inspectSocket(paths.socketFile);
  if (!found.ok) return found;
  if (found.value === 'absent') return ok(undefined);
  if (peekLeader(databaseFileOf(paths.stateDir))?.socketPath === paths.socketFile) return ok(undefined);
  if (!(await isServed(paths.socketFile))) return ok(undefined);
  return fail(
    'refused',
    `The socket ${paths.socketFile} is served by a copane that uses another state folder than ${paths.stateDir}.`,
    'Use the same XDG_STATE_HOME for both, or give this one its own COPANE_SOCKET.',
  );
}

async function startServices(options: LeaderOptions, host: Host): Promise<readonly LeaderService[]> {
  const started: LeaderService[] = [];
  for (const service of options.services) {
    if (await attempt(options.log, `starting ${service.name}`, () => service.start(host)))
      started.push(service);
  }
  return started;
}

/** Rejects if `work` takes longer than `timeoutMs`. */
async function within(timeoutMs: number, work: Promise<void> | void): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function attempt(log: Log, what: string, work: () => Promise<void> | void): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (thrown) {
    log.error(`${what} failed`, { error: errorMessage(thrown) });
    return false;
  }
}
