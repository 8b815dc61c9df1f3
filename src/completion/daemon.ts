/** The completion daemon: knowledge, sources, engine, socket, heartbeat. Yields its socket path to another process. */

import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import os from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { ok, type Result } from '../lib/result.ts';
import { Scheduler } from '../lib/scheduler.ts';
import { createCompaction, releaseMemory } from '../platform/release-memory.ts';
import {
  type PublishedSocket,
  publishSocket,
  socketAtName,
  withdrawSocket,
} from '../platform/socket-file.ts';
import { systemTimers } from '../platform/timers.ts';
import type { TypedMessage } from '../protocol/completion.ts';
import type { CompletionStatus } from '../protocol/shell.ts';
import { type AskModel, createCommandWriter, type WriteCommand } from './command-writer.ts';
import { isBuiltin } from './core/builtins.ts';
import { Knowledge } from './core/knowledge.ts';
import type { Query } from './core/suggestion.ts';
import { createEngine, type Engine } from './engine.ts';
import { loadPrior, loadSpecs } from './load-shipped.ts';
import { Memory } from './memory.ts';
import { AskedModel } from './models/asked-model.ts';
import { createModel } from './models/create.ts';
import type { CompletionModel } from './models/model.ts';
import { Presence } from './presence.ts';
import { type CompletionServer, createCompletionServer } from './server.ts';
import { createSources, pureSources } from './sources/all.ts';
import { createRefs } from './sources/git-refs.ts';
import { Statistics } from './statistics.ts';
import { warmUp } from './warm-up.ts';
import type { WorkerSettings } from './worker-protocol.ts';
import { HiddenShell } from './zsh/hidden-shell.ts';

/** Shells do not connect if the heartbeat is four seconds old. */
const HEARTBEAT_MS = 2_000;
/** While nobody types. Such a beat gets a later date, so that shells consider it fresh until the next one. */
const CALM_HEARTBEAT_MS = 30_000;
/** How long an answer waits for slow sources. */
const REPLY_DEADLINE_MS = 80;
const REPLY_GRACE_MS = 6;
/** The beat at which memory that only the start needed is released. */
const RELEASE_MEMORY_BEAT = 5;
/** Beats without a request after which nobody counts as typing. */
const CALM_BEATS = 3;

export interface Daemon {
  status(): CompletionStatus;
  setPrivate(on: boolean): void;
  forget(line: string): void;
  /** Candidates without the socket, for `copane complete`. */
  complete(query: Query): ReturnType<Engine['complete']>;
  stop(): Promise<void>;
}

type Defect = (where: string, error: unknown) => void;

/** The heartbeat file of a socket: its age tells a shell whether anyone would answer. */
const heartbeatFile = (socketFile: string): string => `${socketFile}.beat`;

interface Parts {
  /** While on, nothing is answered, learned or sent to a model. */
  readonly privacy: { on: boolean };
  readonly settings: WorkerSettings;
  readonly asked: AskedModel | null;
  readonly memory: Memory;
  /** Reads new history, one run at a time. */
  readonly looks: Scheduler;
  readonly engine: Engine;
  /** Answers from learned knowledge only. */
  readonly pureEngine: Engine;
  readonly knowledge: Knowledge;
  readonly presence: Presence;
  readonly statistics: Statistics;
}

/** Helpers that are slow, may be missing, and run elsewhere. */
export interface Helpers {
  readonly hidden: HiddenShell | null;
  readonly model: CompletionModel | null;
}

export const NO_HELPERS: Helpers = { hidden: null, model: null };

const TIMERS = { ...systemTimers, now: () => performance.now() };

/** Past commands in a model's prompt. */
const TOLD_HABITS = 24;

function askedModel(model: CompletionModel, knowledge: Knowledge): AskedModel {
  return new AskedModel({
    model,
    timers: TIMERS,
    factsFor: ({ cwd, session }) => {
      const saved = knowledge.recent(session).filter(({ isUnsaved }) => isUnsaved !== true);
      const recent = saved.map(({ line }) => line);
      const { matches } = knowledge.history.match({
        prefix: '',
        cwd,
        previous: recent.at(-1) ?? '',
        limit: TOLD_HABITS,
      });
      return { habits: matches.map(({ line }) => line).reverse(), recent };
    },
  });
}

/** How long an answer waits to find out whether files exist. */
const DISK_PATIENCE_MS = 15;

/** The same after an answer of a model, which takes longer anyway. */
const COMMAND_PATIENCE_MS = 2_000;

/** Creates everything but the socket. */
export function createEngineParts(
  settings: WorkerSettings,
  onDefect: Defect,
  helpers: Helpers,
  deadlineMs = REPLY_DEADLINE_MS,
): Parts {
  const knowledge = new Knowledge();
  const asked = helpers.model === null ? null : askedModel(helpers.model, knowledge);
  const memory = new Memory(knowledge, settings, onDefect);
  const looks = new Scheduler({
    minGapMs: 0,
    run: () => memory.refresh(),
    onError: (error) => onDefect('history', error),
    timers: TIMERS,
  });
  const prior = loadPrior();
  const now = () => performance.now();
  const refsAt = createRefs(now);
  const specs = loadSpecs();
  const presence = new Presence({
    home: settings.home,
    now,
    patienceMs: DISK_PATIENCE_MS,
    refsAt,
    isUnknown: (command) => knowledge.isUnknown(command),
    isSlip: (line) => knowledge.history.hasOnlyFailed(line) && specs?.lacksSubcommand(line) === true,
  });
  const common = {
    deadlineMs,
    graceMs: REPLY_GRACE_MS,
    habits: () => knowledge.habits,
    isForgotten: (line: string) => knowledge.history.isForgotten(line),
    timers: TIMERS,
    onSourceError: onDefect,
  };
  const sources = createSources(knowledge, {
    home: settings.home,
    now,
    refsAt,
    kubeconfig: settings.env.KUBECONFIG,
    prior,
    specs,
    zsh: helpers.hidden,
  });
  const engine = createEngine({
    ...common,
    presence,
    sources: asked === null ? sources : [...sources, asked.source],
    onRanked: (query, candidates) => asked?.consider(query, candidates),
  });
  const pureEngine = createEngine({ ...common, presence: null, sources: pureSources(knowledge, prior) });
  return {
    settings,
    memory,
    looks,
    engine,
    pureEngine,
    knowledge,
    presence,
    asked,
    privacy: { on: false },
    statistics: new Statistics(),
  };
}

/** Starts the daemon; refuses if the socket's path is not ours. */
export async function startDaemon(
  settings: WorkerSettings,
  { onDefect, askModel }: { readonly onDefect: Defect; readonly askModel: AskModel },
): Promise<Result<Daemon>> {
  const hidden =
    settings.env.COPANE_HIDDEN_SHELL === '0'
      ? null
      : new HiddenShell({ env: settings.env, now: () => performance.now() });
  const model = createModel(settings.model, { dataDir: settings.dataDir, env: settings.env });
  const parts = createEngineParts(settings, onDefect, { hidden, model });
  const { privacy } = parts;
  const warmer = createWarmer(parts, onDefect);
  const learned = Promise.withResolvers<unknown>();
  const engine = amendedBy(learned.promise, parts.engine);
  const discreet: Engine = {
    complete: (query, signal, onMore) =>
      privacy.on ? Promise.resolve([]) : engine.complete(query, signal, onMore),
    warm: (cwd) => engine.warm(cwd),
  };
  const service = createCompletionServer(discreet, {
    answered(request, candidates, ms) {
      heartbeat.quicken();
      if (!privacy.on) parts.statistics.answered(request, candidates, ms, Date.now());
    },
    cancelled: () => {
      parts.statistics.cancelled += 1;
    },
    told: (message) => {
      // A shell has started: its first key will come soon.
      if (message.type === 'context') warmer.begin();
      return hear(parts, message);
    },
    warnings: () => parts.memory.warnings,
    modelProblem: () => parts.asked?.problem ?? null,
    writeCommand: commandWriter(parts, askModel),
  });
  const place = { file: settings.socketFile, variable: 'ASHLET_SOCKET', name: 'shared' } as const;
  const published = await publishSocket(service.server, place);
  if (!published.ok) return published;
  service.server.on('error', (error) => onDefect('socket', error));
  const heartbeat = startHeartbeat(parts, published.value, onDefect);
  // Not awaited: the first keystroke gets an answer from the data loaded so far.
  learned.resolve(parts.memory.load().catch((error: unknown) => onDefect('history', error)));
  warmer.after(learned.promise);
  return ok({
    status: () => statusOf(parts, service),
    setPrivate(on) {
      parts.privacy.on = on;
      parts.statistics.clear();
    },
    forget: (line) => parts.memory.forget(line),
    complete: (query) => parts.engine.complete(query, new AbortController().signal),
    async stop() {
      warmer.stop();
      heartbeat.stop();
      parts.looks.stop();
      await hidden?.close();
      parts.asked?.close();
      service.disconnectAll();
      withdrawSocket(published.value);
      await new Promise<void>((resolve) => service.server.close(() => resolve()));
      await unlink(heartbeatFile(settings.socketFile)).catch(() => undefined);
      await parts.memory.flush();
    },
  });
}

function commandWriter({ knowledge, presence, privacy }: Parts, askModel: AskModel): WriteCommand {
  return createCommandWriter({
    askModel,
    names: {
      exists: (name) => knowledge.exists(name) || isBuiltin(name),
      isUnknown: (name) => knowledge.isUnknown(name),
    },
    system: os.type() === 'Darwin' ? 'macOS' : os.type(),
    isPrivate: () => privacy.on,
    riskAt: async (line, query) => {
      const verdicts = await presence.judge(
        [{ line }],
        { ...query, line: '', cursor: 0 },
        COMMAND_PATIENCE_MS,
      );
      return verdicts.get(line)?.risk ?? null;
    },
  });
}

/** Makes the engine announce more results for answers that it gave before the history was read. */
function amendedBy(learned: Promise<unknown>, engine: Engine): Engine {
  let isLearning = true;
  void learned.then(() => {
    isLearning = false;
  });
  return {
    async complete(query, signal, onMore) {
      const isEarly = isLearning;
      const candidates = await engine.complete(query, signal, onMore);
      // Only after the answer is sent.
      if (isEarly && onMore !== undefined) void learned.then(() => setImmediate(onMore));
      return candidates;
    },
    warm: (cwd) => engine.warm(cwd),
  };
}

/** Warms up once, on request and after `after`. */
function createWarmer({ knowledge, pureEngine }: Parts, onDefect: Defect) {
  const ending = new AbortController();
  const ready = Promise.withResolvers<unknown>();
  let hasBegun = false;
  return {
    after: (done: Promise<unknown>) => ready.resolve(done),
    begin() {
      if (hasBegun) return;
      hasBegun = true;
      void ready.promise
        .then(() => warmUp({ knowledge, engine: pureEngine, signal: ending.signal, pause }))
        .catch((error: unknown) => onDefect('warm-up', error));
    },
    stop: () => ending.abort(),
  };
}

function hear(parts: Parts, message: TypedMessage): boolean {
  switch (message.type) {
    case 'context':
      if (message.cwd.trim() === '') return false;
      parts.memory.context(message);
      parts.engine.warm(message.cwd.trimEnd());
      return true;
    case 'event':
      if (parts.privacy.on) return true;
      if (message.event === 'executed') {
        parts.memory.executed(message, Math.floor(Date.now() / 1000));
        // The command may have edited the history: the next line must not offer deleted lines.
        parts.looks.request();
      } else if (message.event === 'accepted') parts.statistics.took(message.line);
      return true;
    case 'forget':
      parts.memory.forget(message.line);
      return true;
  }
}

function startHeartbeat(parts: Parts, socket: PublishedSocket, onDefect: Defect) {
  const file = heartbeatFile(parts.settings.socketFile);
  const compact = createCompaction();
  let [beats, calmBeats, everyMs] = [0, 0, HEARTBEAT_MS];
  let timer: NodeJS.Timeout;
  const pace = (ms: number) => {
    clearInterval(timer);
    everyMs = ms;
    timer = setInterval(safely, ms);
  };
  const beat = () => {
    beats += 1;
    calmBeats += 1;
    if (beats === RELEASE_MEMORY_BEAT) releaseMemory();
    else if (beats > RELEASE_MEMORY_BEAT && calmBeats >= CALM_BEATS) {
      compact();
      if (everyMs === HEARTBEAT_MS) pace(CALM_HEARTBEAT_MS);
    }
    // Another process took the path, or it was deleted: a heartbeat there would not be ours.
    if (socketAtName(socket) !== 'ours') return;
    touch(file, Date.now() + everyMs - HEARTBEAT_MS);
    parts.looks.request();
  };
  const safely = () => {
    try {
      beat();
    } catch (error) {
      onDefect('heartbeat', error);
    }
  };
  pace(HEARTBEAT_MS);
  safely();
  return {
    /** Beats at the usual pace again: somebody types. */
    quicken() {
      calmBeats = 0;
      if (everyMs === HEARTBEAT_MS) return;
      pace(HEARTBEAT_MS);
      safely();
    },
    stop: () => clearInterval(timer),
  };
}

/** Synchronous: a promise would wake threads of the pool every time. */
function touch(file: string, atMs: number): void {
  const at = new Date(atMs);
  if (!existsSync(file)) writeFileSync(file, '', { mode: 0o600 });
  utimesSync(file, at, at);
}

function statusOf(parts: Parts, service: CompletionServer): CompletionStatus {
  const { statistics, knowledge, settings, memory, asked } = parts;
  return {
    socketFile: settings.socketFile,
    connections: service.connections,
    requests: statistics.requests,
    cancelled: statistics.cancelled,
    accepted: statistics.accepted,
    latencyP50Ms: statistics.latencyMs(0.5),
    latencyP99Ms: statistics.latencyMs(0.99),
    historyLines: knowledge.history.size,
    shells: statistics.shells,
    recent: [...statistics.recent],
    shownBySource: { ...statistics.shownBySource },
    isPrivate: parts.privacy.on,
    acceptedBySource: { ...statistics.acceptedBySource },
    warnings: [...memory.warnings],
    model: asked?.status() ?? null,
  };
}
