/**
 * Runs copane's subcommands in this process: starting Node for each is much slower. test/e2e/cli and one test of
 * test/e2e/review/scripts.test.ts check that the packed program passes on arguments, stdin and exit codes.
 */
import path from 'node:path';
import { Readable } from 'node:stream';
import type { CliContext } from '../../src/cli/cli-context.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { runCommand } from '../../src/cli/run-command.ts';
import { sanitize } from '../../src/lib/sanitize.ts';
import type { Env } from '../../src/platform/paths.ts';

export interface CliCall {
  readonly cwd: string;
  readonly env: Env;
  /** The content of stdin, which is not a terminal. */
  readonly input?: string | Buffer;
}

export interface CliRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The environment of a user with this home folder. */
export function envBelow(home: string): Env {
  return {
    PATH: process.env.PATH,
    HOME: home,
    XDG_RUNTIME_DIR: path.join(home, 'run'),
    XDG_STATE_HOME: path.join(home, 'state'),
    XDG_CONFIG_HOME: path.join(home, 'config'),
  };
}

export async function runCli(
  [name = '', ...argv]: readonly string[],
  { cwd, env, input = '' }: CliCall,
): Promise<CliRun> {
  const said = { out: '', err: '' };
  const write = (stream: 'out' | 'err', text: string) => {
    said[stream] += text;
  };
  const context: CliContext = {
    env,
    cwd,
    pid: process.pid,
    stdin: Object.assign(Readable.from([Buffer.from(input)]), {
      isTTY: false,
    }) as unknown as NodeJS.ReadStream,
    out: (text) => write('out', text),
    show: (text) => write('out', sanitize(text)),
    say: (line) => write('err', `${sanitize(line)}\n`),
  };
  const entry = COMMANDS[name];
  if (entry === undefined) throw new Error(`there is no command "${name}"`);
  const { command } = await entry.load();
  const code = await runCommand(command(context), argv);
  return { code, ...said };
}
