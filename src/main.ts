/** argv → one lazily loaded subcommand. Knows every command's name and summary, and nothing of their insides. */
import type { CliContext } from './cli/cli-context.ts';
import { COMMANDS, usage } from './cli/commands.ts';
import { runCommand } from './cli/run-command.ts';
import { errorMessage } from './lib/result.ts';
import { sanitize } from './lib/sanitize.ts';
import { VERSION } from './lib/version.ts';

async function dispatch(argv: readonly string[], context: CliContext): Promise<number> {
  const [first, ...others] = argv;
  // "copane help up" asks for what "copane up --help" says.
  const [name, ...rest] = first === 'help' && others[0] !== undefined ? [others[0], '--help'] : argv;
  if (name === '--help' || name === '-h' || name === 'help') {
    context.out(usage());
    return 0;
  }
  if (name === '--version' || name === '-V' || name === '-v') {
    context.out(`${VERSION}\n`);
    return 0;
  }
  const entry = COMMANDS[name ?? (context.env.TMUX ? 'split' : 'up')];
  if (entry === undefined) {
    const { nearest } = await import('./lib/nearest.ts');
    const meant = nearest(name ?? '', Object.keys(COMMANDS));
    const next = meant === null ? '"copane --help" lists them.' : `Did you mean "${meant}"?`;
    context.say(`copane: There is no command "${name}". ${next}`);
    return 2;
  }
  // What tmux, ps and a session that is restored after a reboot call a process that stays in its pane.
  if (name === 'tui' || name === 'tour') process.title = `copane ${name}`;
  const done = await entry.quick?.(rest, context);
  if (done !== null && done !== undefined) return done;
  const { command } = await entry.load();
  return runCommand(command(context), rest);
}

/** Waits until everything written has left: `process.exit` would cut a pipe short. */
function drained(stream: NodeJS.WriteStream): Promise<void> {
  return stream.writableLength === 0
    ? Promise.resolve()
    : new Promise((resolve) => stream.write('', () => resolve()));
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that went away (`copane pull | head`) is not an error.
  if (error.code === 'EPIPE') process.exit(0);
  // Nor is a terminal that went away: the SIGHUP that comes with it ends us in order.
  if (process.stdout.isTTY) return;
  process.stderr.write(`copane: The output could not be written (${error.message}).\n`);
  process.exit(1);
});

/** Null when it was deleted below us. */
function currentFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}

const cwd = currentFolder();
if (cwd === null) {
  process.stderr.write('copane: The current folder is gone. Change to one that is there, then try again.\n');
  process.exit(2);
}

let hasSaid = false;
const context: CliContext = {
  env: process.env,
  cwd,
  pid: process.pid,
  // Made only where it is used, as Node itself does: a stream costs milliseconds.
  get stdin() {
    return process.stdin;
  },
  out: (text) => void process.stdout.write(process.stdout.isTTY ? sanitize(text) : text),
  show: (text) => void process.stdout.write(sanitize(text)),
  say: (line) => {
    hasSaid = true;
    process.stderr.write(`${sanitize(line)}\n`);
  },
};

let exitCode: number;
try {
  exitCode = await dispatch(process.argv.slice(2), context);
} catch (thrown) {
  context.say(`copane: Internal error: ${errorMessage(thrown)}`);
  if (context.env.COPANE_DEBUG && thrown instanceof Error) context.say(thrown.stack ?? '');
  exitCode = 1;
}
await Promise.all([drained(process.stdout), hasSaid ? drained(process.stderr) : undefined]);
// A file that could not be written is told in the next turn.
await new Promise(setImmediate);
process.exit(exitCode);
