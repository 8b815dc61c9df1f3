/**
 * Runs commands in a host for `bin/copane`, which saves starting Node. Arguments, environment and folder come from the
 * process table, not from the caller's claims. A call whose result could differ is left to its own process.
 */
import { existsSync, realpathSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { ownProgram } from '../app/self.ts';
import { type LiveTmux, tmuxFor } from '../app/tmux.ts';
import { errorMessage } from '../lib/result.ts';
import { sanitize } from '../lib/sanitize.ts';
import type { Env } from '../platform/paths.ts';
import { systemProcesses } from '../platform/process-tree.ts';
import type { FrontCall, FrontSink, RunFront } from '../server/suggestions/port.ts';
import type { TmuxPort } from '../tmux/port.ts';
import type { CliContext, CliModule } from './cli-context.ts';
import { runCommand } from './run-command.ts';

interface Entry {
  readonly load: () => Promise<CliModule>;
  /** Whether the command reads stdin or asks on a terminal. */
  readonly mayAsk?: (argv: readonly string[], terminals: string) => boolean;
}

/** The commands that a host may run; `bin/copane` lists the same names. */
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

/** Help is formatted to the width of the caller's terminal. */
const isHelp = (argv: readonly string[]) => argv.includes('--help') || argv.includes('-h');

/** Runs the commands in this process. `live` is its open connection to tmux. */
export function createFront(live: LiveTmux | null): RunFront {
  const built = buildOf();
  return async (call, sink) => {
    const caller = await callerOf(call);
    if (caller === null || !isOwn(built) || !isSame(built, buildOf())) return null;
    const [name = '', ...argv] = caller.argv;
    const entry = IN_HOST.get(name);
    if (entry === undefined || isHelp(argv) || entry.mayAsk?.(argv, call.terminals) === true) return null;
    sink.begin();
    const { command } = await entry.load();
    const context = contextOf(caller, call, { sink, tmux: tmuxFor(caller.env, live) });
    try {
      return await runCommand(command(context), argv);
    } catch (thrown) {
      context.say(`copane: Internal error: ${errorMessage(thrown)}`);
      return 1;
    }
  };
}

/** Stat of the bundle on disk, which an update replaces while a host runs. */
function buildOf(): Stats | undefined {
  return statSync(new URL('main.js', import.meta.url), { throwIfNoEntry: false });
}

/** Whether this process started from the build, and not from one that it replaced. */
function isOwn(build: Stats | undefined): boolean {
  return build !== undefined && build.ctimeMs < performance.timeOrigin;
}

function isSame(one: Stats | undefined, other: Stats | undefined): boolean {
  return one !== undefined && one.ino === other?.ino && one.mtimeMs === other.mtimeMs;
}

interface Caller {
  readonly argv: readonly string[];
  readonly env: Env;
  readonly cwd: string;
}

/** Null unless the process is the front of this same copane and a new Node would see the same environment. */
async function callerOf({ pid }: FrontCall): Promise<Caller | null> {
  const [, program, ...argv] = (await systemProcesses.words(pid)) ?? [];
  const env = await systemProcesses.environ(pid);
  const cwd = await systemProcesses.cwd(pid);
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
    // A command that reads stdin does not run here.
    stdin: Object.assign(Readable.from([]), { isTTY: false }) as unknown as NodeJS.ReadStream,
    out: (text) => sink.write('stdout', isTerminal ? sanitize(text) : text),
    show: (text) => sink.write('stdout', sanitize(text)),
    say: (line) => sink.write('stderr', `${sanitize(line)}\n`),
  };
}
