/** The companion: creates all its parts, and closes them whatever happens. */

import { flushCompileCache } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage, exitCodeOf, type Failure, formatFailure, ok } from '../../lib/result.ts';
import { copanePaths, type Env } from '../../platform/paths.ts';
import { systemTimers } from '../../platform/timers.ts';
import type { Config } from '../../protocol/config.ts';
import { FileWatcher } from '../../responses/transcripts/watch.ts';
import { probeTmux } from '../../tmux/command.ts';
import { connectControlClient } from '../../tmux/control-client.ts';
import { createPaneFeed } from '../../tmux/feed.ts';
import { Panes } from '../../tmux/panes.ts';
import type { TmuxPort } from '../../tmux/port.ts';
import type { UiPorts } from '../../ui/app/ports.ts';
import { Surface } from '../../ui/app/surface.ts';
import { detectTheme } from '../../ui/kit/theme/detect.ts';
import type { ThemeOptions } from '../../ui/kit/theme/theme.ts';
import { paneKey } from '../../ui/responses/port.ts';
import { LiveAgent } from '../agent/live-agent.ts';
import { agentNotReady } from '../agent/not-ready.ts';
import { firstOutcome } from '../client/connect.ts';
import type { HostConnection } from '../client/host-connection.ts';
import { unconfigured } from '../config/unconfigured.ts';
import { type Shutdown, shutdownOf } from '../host/shutdown.ts';
import { openHostSoon } from '../host-access.ts';
import { createLog } from '../log/create-log.ts';
import type { Log } from '../log/log.ts';
import { noteRuns } from '../log/note-runs.ts';
import { projectOf } from '../responses/ai-pane.ts';
import { LiveResponses } from '../responses/live-responses.ts';
import { openPaneHooks, prepareHookFolder } from '../responses/pane-hooks.ts';
import { Colors } from '../review/colors.ts';
import { createKeptLook } from '../review/kept-look.ts';
import { LiveReview } from '../review/live-review.ts';
import type { OpenFront } from '../services.ts';
import { LiveShell } from '../shell/live-shell.ts';
import { terminalInTmux } from '../terminal-background.ts';
import { openTmux, type TmuxAccess } from '../tmux.ts';
import { createDraftPort } from './draft-port.ts';
import { firstWord } from './first-word.ts';
import { LiveNotices } from './live-notices.ts';
import { PaneFeedback } from './pane-feedback.ts';
import type { Recording } from './record-session.ts';
import { createSystemPort } from './system-port.ts';

export interface TuiOptions {
  readonly env: Env;
  readonly cwd: string;
  /** The pane of `--pane`; null for the AI pane of this window. */
  readonly pane: string | null;
  readonly plain: boolean;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly say: (line: string) => void;
  /** Loads the command runner for `bin/copane` while this process leads. */
  readonly openFront: OpenFront;
}

/** Runs the companion until the user quits, or until it proves impossible; ends the process itself. */
export async function runTui(options: TuiOptions): Promise<never> {
  const { env, say } = options;
  const paths = copanePaths(env);
  const { config, problems } = await readConfig(paths.configFile, env);
  const log = createLog({ stateDir: paths.stateDir, level: config.log_level });
  for (const problem of problems) log.warn(problem);
  const shutdown = shutdownOf({ what: 'the companion', stateDir: paths.stateDir, log, say });
  const calm = Promise.withResolvers<void>();
  const live = Promise.withResolvers<TmuxPort>();
  const access = openTmux(env, 'live', (tmux) => noted(tmux, config, log));
  const host = openHostSoon(env, {
    log,
    equip: async () => {
      await calm.promise;
      const { leaderServices } = await import('../client/lead.ts');
      const openFront = async () => options.openFront({ server: access.server, tmux: await live.promise });
      // Notices arrive through the host's status, whoever leads.
      return leaderServices({ env, config, log, onNotice: () => undefined, openFront });
    },
  });
  shutdown.add('host', 'host', () => host.close());
  return show(
    { ...options, plain: options.plain || config.glyphs === 'plain' },
    {
      access,
      host,
      config,
      log,
      shutdown,
      problems,
      greeting: firstWord(paths.stateDir),
      calm,
      shown: Promise.withResolvers(),
      onTmux: live.resolve,
    },
  );
}

function noted<T extends TmuxPort>(tmux: T, config: Config, log: Log): T {
  return config.log_level === 'debug' ? noteRuns(tmux, log, () => performance.now()) : tmux;
}

/** Problems are reported as sentences. */
async function readConfig(
  file: string,
  env: Env,
): Promise<{ readonly config: Config; readonly problems: readonly string[] }> {
  const defaults = unconfigured(file, env);
  if (defaults !== null) return { config: defaults, problems: [] };
  const { loadConfig, formatProblem } = await import('../config/load-config.ts');
  const { config, problems } = loadConfig(file, env);
  return { config, problems: problems.map(formatProblem) };
}

interface Parts {
  readonly access: TmuxAccess;
  readonly host: HostConnection;
  readonly config: Config;
  readonly log: Log;
  readonly shutdown: Shutdown;
  readonly problems: readonly string[];
  readonly greeting: string | null;
  /** Settles when the content that the user waits for is shown: the rest of the start would only delay it. */
  readonly calm: PromiseWithResolvers<void>;
  /** Settles when the host's notices are shown as well. */
  readonly shown: PromiseWithResolvers<void>;
  /** Called with the port to tmux to use from now on. */
  readonly onTmux: (tmux: TmuxPort) => void;
}

/** Turns and states of the AI panes, over a control client that ends with this process. */
function openResponses(
  { env, pane, cwd }: TuiOptions,
  { access, host, config, log, shutdown }: Parts,
): LiveResponses {
  const { stateDir } = copanePaths(env);
  try {
    prepareHookFolder(stateDir);
  } catch (thrown) {
    // The host also needs the state folder and reports the problem to the user.
    log.warn(errorMessage(thrown));
  }
  const responses = new LiveResponses({
    client: host,
    hooks: openPaneHooks({ stateDir, processes: access.processes }),
    openPanes: (tmux) => new Panes({ tmux, processes: access.processes, env }),
    timers: systemTimers,
    markers: config.markers,
    requested: pane,
    sessions: {
      list: async (words, running) => {
        const { listSessions } = await import('../sessions/past-sessions.ts');
        return listSessions(env, { cwd: responses.selected?.facts.cwd ?? cwd, words, running });
      },
      read: async (session) => {
        const { readSession } = await import('../sessions/past-sessions.ts');
        return readSession(session);
      },
    },
    onProblem: (message) => log.warn(message),
    openFeed: (listener) =>
      createPaneFeed({
        fallback: access.tmux,
        panes: access.panes,
        connect: async (sessionId) => {
          const client = await connectControlClient({ server: access.server, env, sessionId });
          return client.ok ? ok(noted(client.value, config, log)) : client;
        },
        timers: systemTimers,
        listener,
      }),
  });
  return shutdown.closing('responses', responses);
}

/** Suggestions and their hunks; `project` is where a patch of an answer belongs. */
function openReview(
  { env, plain }: TuiOptions,
  { host, log, shutdown }: Parts,
  project: () => string,
): LiveReview {
  const look = createKeptLook(copanePaths(env).stateDir, (message) => log.warn(message));
  const files = new FileWatcher({
    timers: systemTimers,
    onError: (error) => log.warn(errorMessage(error)),
  });
  shutdown.add('work', 'files', () => files.close());
  const review = new LiveReview({
    client: host,
    timers: systemTimers,
    target: project,
    watch: (file, onChange) => files.watch(file, onChange),
    onProblem: (message) => log.warn(message),
    // Plain mode starts with whole lines, whatever the stored setting.
    look: plain ? { ...look, read: () => ({ ...look.read(), isWrapped: true }) } : look,
  });
  return shutdown.closing('review', review);
}

/** The agent's sessions in the followed pane's project. */
function openAgent(
  { env }: TuiOptions,
  { host, config, log, shutdown, problems }: Parts,
  project: () => string,
): LiveAgent {
  const { configFile: file } = copanePaths(env);
  // The current configuration: the user may have added what the Agent screen asked for.
  const current = () => readConfig(file, env);
  const agent = new LiveAgent({
    client: host,
    timers: systemTimers,
    project,
    rows: async () => {
      const { projectRows } = await import('../agent/project-rows.ts');
      return projectRows(env, (await current()).config.agent_secret_files);
    },
    mapFile: async (root, file) => {
      const { mapProjectFile } = await import('../file-maps.ts');
      return mapProjectFile({ env, root, file }, {});
    },
    notReady: agentNotReady(config, null, { file, problems }),
    lookReady: async () => {
      const { installedAgent } = await import('../agent/installed-agent.ts');
      const now = await current();
      return agentNotReady(now.config, installedAgent(env), { file, problems: now.problems });
    },
    takeOffer: async () => (await import('../agent/installed-agent.ts')).takeInstalledAgent(env),
    onProblem: (message) => log.warn(message),
  });
  shutdown.add('work', 'agent', () => agent.close());
  agent.start();
  return agent;
}

/** Notices from the leader and the authors. */
function openNotices({ host, config, shutdown }: Parts): LiveNotices {
  const notices = new LiveNotices({ client: host, timers: systemTimers, showProgress: config.on_status });
  shutdown.add('work', 'notices', () => notices.close());
  notices.start();
  return notices;
}

/** Sends decisions to the AI in the followed pane, if configured. */
function openPaneFeedback({ host, config, log, shutdown }: Parts, responses: LiveResponses): void {
  if (!config.feedback_to_pane) return;
  const feedback = new PaneFeedback({
    client: host,
    responses,
    pane: () => {
      const { selected } = responses;
      if (selected === null) return null;
      const { identity, cwd } = selected.facts;
      return { key: paneKey(identity), cli: selected.cli, project: projectOf(cwd) };
    },
    timers: systemTimers,
    onProblem: (message) => log.warn(message),
  });
  shutdown.add('work', 'feedback', () => feedback.close());
  feedback.start();
}

/** Alerts the user, if configured. */
async function openStateCalls(
  { env }: TuiOptions,
  { access, config, log, shutdown }: Parts,
  { responses, ring }: { readonly responses: LiveResponses; readonly ring: () => void },
): Promise<void> {
  const { notify, notify_command, on_state } = config;
  if (notify.length === 0 && notify_command === null && on_state === null) return;
  const onProblem = (message: string) => log.warn(message);
  const { StateCalls } = await import('./state-calls.ts');
  const calls = new StateCalls({ responses, tmux: access.tmux, env, config, ring, onProblem });
  shutdown.add('work', 'calls', () => calls.close());
  calls.start();
}

/** Draws the frame first; data from tmux and the host follows as it arrives. */
async function show(options: TuiOptions, parts: Parts): Promise<never> {
  const { shutdown, calm, shown } = parts;
  const responses = openResponses(options, parts);
  parts.onTmux(responses.tmux);
  const project = () => projectOf(responses.selected?.facts.cwd ?? options.cwd);
  const review = openReview(options, parts, project);
  openPaneFeedback(parts, responses);
  const recording = options.env.COPANE_RECORD_SESSION;
  const recorder = recording === undefined ? null : await import('./record-session.ts');
  const record =
    recording === undefined || recorder === null
      ? null
      : (ports: UiPorts) => recorder.recordSession(recording, ports, options);
  const app = openSurface(options, parts, { responses, review, project, record });
  const calls = openStateCalls(options, parts, { responses, ring: () => app.ring() });
  calls.catch((thrown: unknown) => parts.log.warn(errorMessage(thrown)));
  const left = app.waitUntilExit();
  const begun = Promise.all([responses.start(), review.start()]);
  // A failure is reported below if the companion can run; if it cannot run, this is not a defect.
  begun.catch((thrown: unknown) => parts.log.warn(errorMessage(thrown)));
  // The code that leads loads in one go: the answers are drawn before it.
  void Promise.race([responses.known, sleep(CALM_LATEST_MS)])
    .then(() => sleep(0))
    .then(calm.resolve);
  // Data that has arrived is drawn at the end of the event loop's turn.
  const drawn = begun.then(() => sleep(0));
  void Promise.race([Promise.allSettled([drawn]), sleep(SHOWN_LATEST_MS)]).then(() => shown.resolve());
  afterStart();
  // The parts wait for the host; the reason why there is none is known long before that.
  const able = whyNot(parts, options.env).then((why) => (why === null ? begun.then(() => null) : why));
  const failure = await Promise.race([able, left.then(() => null)]);
  if (failure !== null) {
    app.restoreTerminal();
    options.say(`copane: ${formatFailure(failure)}`);
    await shutdown.exit(exitCodeOf(failure));
  }
  await left;
  await shutdown.exit(0);
  // The process has ended by then; this satisfies the type.
  return new Promise<never>(() => undefined);
}

/** A slow tmux delays everything else by at most this long. */
const CALM_LATEST_MS = 500;
/** A slow host delays Ink by at most this long. Loading Ink earlier would slow down the host. */
const SHOWN_LATEST_MS = 2_000;
/** By then this start is over. */
const KEEP_COMPILED_MS = 3_000;

/** By then the first keys have been handled too. */
const RELEASE_MEMORY_MS = 10_000;

/** Keeps the compiled code for the next start, even if this process is later killed. */
function afterStart(): void {
  setTimeout(flushCompileCache, KEEP_COMPILED_MS).unref();
  setTimeout(
    async () => (await import('../../platform/release-memory.ts')).releaseMemory(),
    RELEASE_MEMORY_MS,
  ).unref();
}

/** Why the companion cannot run here; null when it can. */
async function whyNot({ access, host, calm }: Parts, env: Env): Promise<Failure | null> {
  await calm.promise;
  const [tmux, hostless] = await Promise.all([probeTmux({ server: access.server, env }), firstOutcome(host)]);
  return tmux.ok ? hostless : tmux.error;
}

interface SurfaceParts {
  readonly responses: LiveResponses;
  readonly review: LiveReview;
  readonly project: () => string;
  /** Null for no recording. */
  readonly record: ((ports: UiPorts) => Recording) | null;
}

function openSurface(
  options: TuiOptions,
  parts: Parts,
  { responses, review, project, record }: SurfaceParts,
): Surface {
  const { access, host, config, shutdown, problems, greeting, calm, shown } = parts;
  const { env, stdin, stdout } = options;
  const theme = themeOf(options, config);
  const ports: UiPorts = {
    responses,
    draft: createDraftPort(host, responses, options.cwd),
    review,
    agent: openAgent(options, parts, project),
    // The state of shell completions, wherever they run.
    shell: shutdown.closing('shell', new LiveShell({ client: host, timers: systemTimers })),
    notices: openNotices(parts),
    system: createSystemPort({ env, tmux: access.tmux, editor: config.editor, host, project }),
    // A thread that starts with the first visible hunk.
    ...(theme.depth === 'none' ? {} : { colors: shutdown.closing('colors', new Colors()) }),
    clock: systemTimers,
    whenSeen: () => responses.whenShown(env.TMUX_PANE),
  };
  const recording = record?.(ports);
  const app = new Surface(recording?.ports ?? ports, {
    stdin,
    stdout,
    theme,
    askBackground: config.theme === 'auto',
    knownTerminal: () => terminalInTmux(access.tmux),
    problems,
    greeting,
    keys: config.keys,
    clearOnSend: config.clear_on_send,
    noteContext: config.note_context,
    mouse: config.mouse,
    whenCalm: calm.promise,
    whenShown: shown.promise,
  });
  app.start();
  shutdown.add('terminal', 'terminal', () => app.restoreTerminal());
  shutdown.add('work', 'recording', () => recording?.end(app.controller.model));
  shutdown.add('work', 'draft', () => app.controller.stop());
  return app;
}

function themeOf({ env, plain }: TuiOptions, config: Config): ThemeOptions {
  const ascii = config.glyphs === 'ascii';
  const background = config.theme === 'auto' ? {} : { background: config.theme };
  return detectTheme(env, { plain, ...(ascii ? { ascii } : {}), ...background });
}
