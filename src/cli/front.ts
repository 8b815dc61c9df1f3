/**
 * Commands that a host runs for `bin/copane`, in place of a Node that would have to start. They see the caller's own
 * words, environment and folder, read from the process table: nothing that the caller says is believed. Whatever could
 * come out otherwise than in a process of its own is left to one.
 */
import { existsSync, realpathSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { ownProgram } from '../app/self.ts';
import { type LiveTmux, tmuxFor } from '../app/tmux.ts';
import { errorMessage } from '../lib/result.ts';
import { sanitize } from '../lib/sanitize.ts';
import type { Env } from '../platform/paths.ts';
import { createProcessSource, type ProcessSource } from '../platform/process-tree.ts';
import type { FrontCall, FrontSink, RunFront } from '../server/suggestions/port.ts';
import type { TmuxPort } from '../tmux/port.ts';
import type { CliContext, CliModule } from './cli-context.ts';
import { runCommand } from './run-command.ts';

interface Entry {
  readonly load: () => Promise<CliModule>;
  /** Reads input, or asks at a terminal. */
  readonly mayAsk?: (argv: readonly string[], terminals: string) => boolean;
}

/** What a host may run; `bin/copane` names the same commands. */
const IN_HOST: ReadonlyMap<string, Entry> = new Map<string, Entry>([
  ['status', { load: () => import('./status.ts') }],
  ['pull', { load: () => import('./pull.ts') }],
  [
    'decide',
    {
      load: () => import('./decide.ts'),
      mayAsk: (argv, terminals) =>
        argv.some((word) => /^--(?:diff|text)(?:=|$)/.test(word)) ||
        (terminals.includes('0') && argv.some((word) => word === 'all' || word === 'every')),
    },
  ],
]);

/** Help is as wide as the caller's terminal. */
const isHelp = (argv: readonly string[]) => argv.includes('--help') || argv.includes('-h');

/** Runs the commands of the front. `live`: what asks the tmux server of this process. */
export function createFront(live: LiveTmux | null): RunFront {
  const processes = createProcessSource(process.platform);
  const built = buildOf();
  return async (call, sink) => {
    const caller = await callerOf(processes, call);
    if (caller === null || !isSame(built, buildOf())) return null;
    const [name = '', ...argv] = caller.argv;
    const entry = IN_HOST.get(name);
    if (entry === undefined || isHelp(argv) || entry.mayAsk?.(argv, call.terminals) === true) return null;
    const { command } = await entry.load();
    sink.begin();
    const context = contextOf(caller, call, { sink, tmux: tmuxFor(caller.env, live) });
    try {
      return await runCommand(command(context), argv);
    } catch (thrown) {
      context.say(`copane: internal error: ${errorMessage(thrown)}`);
      return 1;
    }
  };
}

/** The bundle on disk: an update replaces it below a host that runs. */
function buildOf(): Stats | undefined {
  return statSync(new URL('main.js', import.meta.url), { throwIfNoEntry: false });
}

function isSame(one: Stats | undefined, other: Stats | undefined): boolean {
  return one !== undefined && one.ino === other?.ino && one.mtimeMs === other.mtimeMs;
}

interface Caller {
  readonly argv: readonly string[];
  readonly env: Env;
  readonly cwd: string;
}

/** Null for a process that is not the front of this very copane, or that a Node would see otherwise than we do. */
async function callerOf(processes: ProcessSource, { pid }: FrontCall): Promise<Caller | null> {
  const [, program, ...argv] = (await processes.words(pid)) ?? [];
  const env = await processes.environ(pid);
  const cwd = await processes.cwd(pid);
  if (program === undefined || env === null || cwd === null || !existsSync(cwd)) return null;
  const file = path.resolve(cwd, program);
  const isOurs = existsSync(file) && realpathSync(file) === realpathSync(ownProgram());
  const isAlike = env.NODE_OPTIONS === undefined && env.TZ === process.env.TZ;
  return isOurs && isAlike ? { argv, env, cwd } : null;
}

function contextOf(
  { env, cwd }: Caller,
  { pid, terminals }: FrontCall,
  { sink, tmux }: { readonly sink: FrontSink; readonly tmux: TmuxPort },
): CliContext {
  const isTerminal = terminals.includes('1');
  return {
    env,
    cwd,
    pid,
    tmux,
    // A command that reads from it is not run here.
    stdin: Object.assign(Readable.from([]), { isTTY: false }) as unknown as NodeJS.ReadStream,
    out: (text) => sink.write('stdout', isTerminal ? sanitize(text) : text),
    show: (text) => sink.write('stdout', sanitize(text)),
    say: (line) => sink.write('stderr', `${sanitize(line)}\n`),
  };
}
