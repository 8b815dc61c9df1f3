/** Lists panes with their AI CLI, the process that holds their terminal, and the folder of that CLI. */
import { ok, type Result } from '../lib/result.ts';
import type { Env } from '../platform/paths.ts';
import type { ProcessSource } from '../platform/process-tree.ts';
import type { CliId } from '../protocol/cli-id.ts';
import type { PaneIdentity } from '../protocol/pane.ts';
import { type Foreground, findCli, findForeground } from './core/cli-detect.ts';
import { PANE_FORMAT, type PaneFacts, parseEnvironmentLine, parsePanes } from './core/formats.ts';
import { resolveTarget, type TargetPane, type TargetResolution } from './core/target.ts';
import type { TmuxPort } from './port.ts';

/** A pane, and the AI CLI in it. */
export interface PaneListing extends TargetPane {
  /** Pid of the AI CLI; null if unknown. */
  readonly cliPid: number | null;
  readonly foreground: Foreground | null;
}

/** The AI CLI's folder and environment, for transcripts. */
interface CliPlace {
  readonly cwd: string;
  readonly pid: number | null;
  readonly env: Env;
  readonly startedAt: number | null;
  /** The same AI CLI in other panes, as last listed. */
  readonly others: readonly number[];
}

export interface PanesOptions {
  readonly tmux: TmuxPort;
  readonly processes: ProcessSource;
  readonly env: Env;
}

const LIST: readonly string[] = ['list-panes', '-a', '-F', PANE_FORMAT];

/** The panes of a tmux server. */
export class Panes {
  readonly #options: PanesOptions;
  #listed: readonly PaneListing[] = [];

  constructor(options: PanesOptions) {
    this.#options = options;
  }

  /** Every pane of the server, without reading processes. */
  async facts(): Promise<Result<readonly PaneFacts[]>> {
    const listed = await this.#options.tmux.run([LIST]);
    return listed.ok ? ok(parsePanes(listed.value)) : listed;
  }

  /** Every pane of the server with its AI CLI. */
  async list(): Promise<Result<readonly PaneListing[]>> {
    const panes = await this.facts();
    if (!panes.ok) return panes;
    const table = await this.#options.processes.snapshot(panes.value.map((pane) => pane.identity.panePid));
    const listings = panes.value.map((pane): PaneListing => {
      const below = table.below(pane.identity.panePid);
      const found = findCli(below);
      const cli: CliId = found?.cli ?? 'generic';
      return { facts: pane, cli, cliPid: found?.pid ?? null, foreground: findForeground(below) };
    });
    this.#listed = listings;
    return ok(listings);
  }

  /** The panes that run a known AI CLI or have `@copane_role` = ai. */
  async listAi(): Promise<Result<readonly PaneListing[]>> {
    const listed = await this.list();
    return listed.ok ? ok(listed.value.filter(isAiPane)) : listed;
  }

  /** The current reader of the pane's keys. */
  async foreground(identity: PaneIdentity): Promise<Foreground | null> {
    const table = await this.#options.processes.snapshot([identity.panePid]);
    return findForeground(table.below(identity.panePid));
  }

  /** Folder and environment of the AI CLI; if unknown, the folder of the pane and our environment. */
  async place({ cli, cliPid, facts: pane }: PaneListing): Promise<CliPlace> {
    const { processes, env } = this.#options;
    const cwd = cliPid === null ? null : await processes.cwd(cliPid);
    const own = cliPid === null ? null : await processes.environ(cliPid);
    const startedAt = cliPid === null ? null : await processes.startedAt(cliPid);
    const others = this.#listed.flatMap((other) =>
      other.cli === cli && other.cliPid !== null && other.cliPid !== cliPid ? [other.cliPid] : [],
    );
    return { cwd: cwd ?? pane.cwd, pid: cliPid, env: own ?? env, startedAt, others };
  }

  /** Which pane is the AI pane (see `resolveTarget`), of those just listed; omitted: lists again. */
  async resolve(
    requested: string | null,
    listed?: readonly PaneListing[],
  ): Promise<Result<TargetResolution<PaneListing>>> {
    const { env } = this.#options;
    const all = listed === undefined ? await this.list() : ok(listed);
    if (!all.ok) return all;
    const panes = all.value;
    // A pane id of another server is meaningless here, and ids collide.
    const ownPaneId = ownPane(env, panes);
    const facts = { requested, environment: env.AI_PANE ?? null, ownPaneId, panes };
    const early = resolveTarget({ ...facts, sessionEnvironment: null, globalEnvironment: null });
    // These take precedence over the variables of tmux, which then need not be read.
    const isSure = early.kind === 'found' && (early.via === 'environment' || early.via === 'role');
    if (requested !== null || isSure) return ok(early);
    const own = panes.find((pane) => pane.facts.identity.paneId === ownPaneId)?.facts.sessionId;
    const session = own ?? sessionOfEnvironment(env, panes);
    const [sessionEnvironment, globalEnvironment] = await Promise.all([
      session === undefined ? null : this.#variable(['-t', session]),
      this.#variable(['-g']),
    ]);
    return ok(resolveTarget({ ...facts, sessionEnvironment, globalEnvironment }));
  }

  /** `AI_PANE` of a session or of the server. tmux reports an unknown variable as an error; we treat it as unset. */
  async #variable(flags: readonly string[]): Promise<string | null> {
    const shown = await this.#options.tmux.run([['show-environment', ...flags, 'AI_PANE']]);
    return shown.ok ? parseEnvironmentLine(shown.value, 'AI_PANE') : null;
  }
}

/** Runs a known AI CLI, or is marked as an AI pane. */
export const isAiPane = ({ cli, facts }: PaneListing): boolean => cli !== 'generic' || facts.role === 'ai';

/** Its AI CLI runs, but a shell has the terminal: it was stopped with Ctrl+Z, or moved to the background. */
export function isSuspended({ cliPid, foreground }: PaneListing): boolean {
  return cliPid !== null && foreground?.kind === 'shell';
}

/** `$TMUX` also names the session: a program started without its own pane knows nothing else. */
function sessionOfEnvironment(env: Env, panes: readonly TargetPane[]): string | undefined {
  const [socket, , number] = env.TMUX?.split(',') ?? [];
  const isKnown = ({ facts }: TargetPane) =>
    facts.identity.socketPath === socket && facts.sessionId === `$${number}`;
  return panes.find(isKnown)?.facts.sessionId;
}

/** Our own pane, if it belongs to this server. */
function ownPane(env: Env, panes: readonly TargetPane[]): string | null {
  const socket = env.TMUX?.split(',')[0];
  const id = env.TMUX_PANE ?? null;
  const found = panes.find(({ facts }) => facts.identity.paneId === id);
  return found !== undefined && found.facts.identity.socketPath === socket ? id : null;
}
