/** What hooks report about panes: session, state, accepted prompts. Matches by pid, as CLIs can start one another. */
import { ensurePrivateFolder } from '../../platform/private-files.ts';
import { isAlive } from '../../platform/process-state.ts';
import type { ProcessSource } from '../../platform/process-tree.ts';
import type { CliId } from '../../protocol/cli-id.ts';
import { isSameText } from '../../responses/core/same-text.ts';
import { hookBellOf, hookFolderOf } from '../../responses/hooks/folder.ts';
import { HookSpool, type HookState, type TimedPrompt } from '../../responses/hooks/spool.ts';
import type { HookSession } from '../../responses/transcripts/port.ts';

/** Limit of cached lookups in the process table. */
const MAX_REPORTERS = 64;

/** The AI CLI of a pane. */
export interface HookReporter {
  readonly cli: CliId;
  readonly cliPid: number | null;
}

export interface PaneHooks {
  /** The file that changes with every report. */
  readonly bell: string;
  /** The session that the pane's CLI reported; null if none. */
  sessionOf(pane: HookReporter): Promise<HookSession | null>;
  /** The state of a pane by its session's last report, or null. `tied`: its session as known by other means. */
  stateOf(pane: HookReporter, tied: string | null): Promise<HookState | null>;
  /** The newest prompt that its session accepted; null if none was reported. */
  promptOf(pane: HookReporter, tied: string | null): Promise<TimedPrompt | null>;
  /** Watches for a prompt that the pane's CLI accepts; one accepted before is not proof. */
  watchPrompt(pane: HookReporter, text: string): Promise<{ poll(): Promise<boolean> }>;
}

export interface PaneHooksOptions {
  readonly stateDir: string;
  readonly processes: ProcessSource;
}

/** Opens the spool of this user. */
export function openPaneHooks({ stateDir, processes }: PaneHooksOptions): PaneHooks {
  const folder = hookFolderOf(stateDir);
  const spool = new HookSpool({ folder, isAlive });
  const tellers = new Map<string, number | null>();
  /** The process whose events belong to the pane's CLI: itself, or the nearest descendant with reports. */
  const tellerOf = async ({ cli, cliPid }: HookReporter): Promise<number | null> => {
    if (cliPid === null) return null;
    const pids = new Set(
      spool.events().flatMap((event) => (event.own && event.cli === cli ? event.pid : [])),
    );
    if (pids.has(cliPid)) return cliPid;
    if (pids.size === 0) return null;
    const key = `${cliPid} ${[...pids].join(' ')}`;
    const known = tellers.get(key);
    if (known !== undefined) return known;
    const below = (await processes.snapshot([cliPid])).below(cliPid);
    const found = below.find(({ pid, argv }) => pids.has(pid) && !isServer(argv));
    if (tellers.size >= MAX_REPORTERS) tellers.clear();
    tellers.set(key, found?.pid ?? null);
    return found?.pid ?? null;
  };
  const sessionOf = async (pane: HookReporter): Promise<HookSession | null> => {
    // No pane could have reported anything, so nothing is read.
    if (pane.cliPid === null) return null;
    await spool.poll();
    const pid = await tellerOf(pane);
    const last = spool.events().findLast((event) => event.own && event.pid === pid);
    return last === undefined ? null : { sessionId: last.sessionId, path: last.path };
  };
  const idOf = async (pane: HookReporter, tied: string | null): Promise<string | null> => {
    const session = await sessionOf(pane);
    if (session === null && tied !== null) await spool.poll();
    return session?.sessionId ?? tied;
  };
  return {
    bell: hookBellOf(stateDir),
    sessionOf,
    async stateOf(pane, tied) {
      const session = await idOf(pane, tied);
      return session === null ? null : spool.stateOf(session);
    },
    async promptOf(pane, tied) {
      const session = await idOf(pane, tied);
      return session === null ? null : spool.promptOf(session);
    },
    async watchPrompt(pane, text) {
      await spool.poll();
      const { seq } = spool;
      return {
        poll: async () => {
          await spool.poll();
          const pid = await tellerOf(pane);
          return spool
            .events()
            .some((event) => event.pid === pid && event.seq > seq && isSameText(event.prompt, text));
        },
      };
    },
  };
}

/** Codex's server handles the sessions of every pane, and runs below the first of them. */
const isServer = (argv: readonly string[]): boolean => argv.includes('app-server');

/** Creates the folder for hook events: without it, hooks write nothing. */
export function prepareHookFolder(stateDir: string): void {
  ensurePrivateFolder(hookFolderOf(stateDir));
}
