/** argv → one lazily loaded subcommand. Knows every command's name and summary, and nothing of their insides. */
import type { CliContext, CliModule } from './cli/cli-context.ts';
import { runCommand } from './cli/run-command.ts';
import { errorMessage } from './lib/result.ts';
import { sanitize } from './lib/sanitize.ts';
import { VERSION } from './lib/version.ts';

interface Entry {
  readonly summary: string;
  readonly load: () => Promise<CliModule>;
  /** Does what most calls ask for, without a parser; gives the exit code, or null where it is not one of those. */
  readonly quick?: (argv: readonly string[], context: CliContext) => Promise<number | null>;
}

/** The headings of the help, by the command that comes first below each. */
const HEADINGS: Readonly<Record<string, string>> = {
  up: 'Every day',
  review: 'Review',
  agent: 'Agent',
  init: 'Set-up',
  tui: 'For editors, AI CLIs and service managers',
};

/** The order is the order of the help. */
const COMMANDS: Readonly<Record<string, Entry>> = {
  up: {
    summary: 'open the AI CLI and the companion side by side in tmux',
    load: () => import('./cli/up.ts'),
  },
  down: { summary: 'close what "copane up" made for this folder', load: () => import('./cli/down.ts') },
  split: {
    summary: 'open the companion in a split beside the AI pane',
    load: () => import('./cli/split.ts'),
  },
  send: { summary: 'type a prompt into the AI pane and submit it', load: () => import('./cli/send.ts') },
  pull: { summary: 'print what the AI answered', load: () => import('./cli/pull.ts') },
  changes: { summary: 'what a turn of the AI changed in files', load: () => import('./cli/changes.ts') },
  append: { summary: "add text to the companion's draft", load: () => import('./cli/append.ts') },
  status: { summary: 'show what every AI pane is doing', load: () => import('./cli/status.ts') },
  review: {
    summary: 'review changes hunk by hunk',
    load: () => import('./cli/review.ts'),
  },
  publish: { summary: 'offer a change for review', load: () => import('./cli/publish.ts') },
  suggestions: { summary: 'what waits for a review', load: () => import('./cli/suggestions.ts') },
  show: { summary: 'one suggestion, hunk by hunk', load: () => import('./cli/show.ts') },
  decide: { summary: 'accept, reject or modify a hunk', load: () => import('./cli/decide.ts') },
  undo: { summary: 'take a decision back', load: () => import('./cli/undo.ts') },
  redo: { summary: 'put a decision in again', load: () => import('./cli/redo.ts') },
  finish: { summary: 'end a suggestion', load: () => import('./cli/finish.ts') },
  reopen: { summary: 'reopen a suggestion that has ended', load: () => import('./cli/reopen.ts') },
  sandbox: {
    summary: 'working copies for an AI, apart from yours',
    load: () => import('./cli/sandbox.ts'),
  },
  agent: {
    summary: 'let a model propose edits of a project, to be reviewed',
    load: () => import('./cli/agent.ts'),
  },
  trace: { summary: 'what a job of the agent did', load: () => import('./cli/trace.ts') },
  map: { summary: 'the outline of a file, with line ranges', load: () => import('./cli/map.ts') },
  eval: {
    summary: 'how well the agent does the tasks of this repository',
    load: () => import('./cli/eval.ts'),
  },
  init: {
    summary: 'set zsh, Neovim or an AI CLI up to work with copane',
    load: () => import('./cli/init.ts'),
  },
  uninstall: { summary: 'undo every "copane init"', load: () => import('./cli/uninstall.ts') },
  state: {
    summary: 'show what is kept, how large it is, and delete by kind and age',
    load: () => import('./cli/state.ts'),
  },
  doctor: { summary: 'check the set-up and say what to fix', load: () => import('./cli/doctor.ts') },
  tour: { summary: 'a scripted AI to try copane with', load: () => import('./cli/tour.ts') },
  complete: {
    summary: 'what the shell would be offered for a line, and why',
    load: () => import('./cli/complete.ts'),
  },
  model: {
    summary: 'the language model beside the completions of the shell',
    load: () => import('./cli/model.ts'),
  },
  token: { summary: 'what opens the suggestion server on TCP', load: () => import('./cli/token.ts') },
  tui: {
    summary: 'the companion itself, in this terminal',
    load: () => import('./cli/tui.ts'),
    quick: async (argv, context) => (await import('./cli/quick-tui.ts')).quickTui(argv, context),
  },
  notes: { summary: 'for editors: tell notes from pulled lines', load: () => import('./cli/notes.ts') },
  mcp: {
    summary: 'what an AI CLI starts to publish and to hear the review',
    load: () => import('./cli/mcp.ts'),
  },
  serve: { summary: 'lead without a screen, for a service manager', load: () => import('./cli/serve.ts') },
};

function usage(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const rows = Object.entries(COMMANDS).flatMap(([name, { summary }]) => {
    const heading = HEADINGS[name];
    return [...(heading === undefined ? [] : ['', heading]), `  ${name.padEnd(width)}  ${summary}`];
  });
  return `copane - the companion pane for your AI CLI in tmux

Usage: copane [command] [options]
${rows.join('\n')}

Without a command: in tmux, a split with the companion; elsewhere the same as "copane up".
"copane <command> --help" tells more.
`;
}

async function dispatch(argv: readonly string[], context: CliContext): Promise<number> {
  const [name, ...rest] = argv;
  if (name === '--help' || name === '-h' || name === 'help') {
    context.out(usage());
    return 0;
  }
  if (name === '--version' || name === '-V') {
    context.out(`${VERSION}\n`);
    return 0;
  }
  const entry = COMMANDS[name ?? (context.env.TMUX ? 'split' : 'up')];
  if (entry === undefined) {
    const { nearest } = await import('./lib/nearest.ts');
    const meant = nearest(name ?? '', Object.keys(COMMANDS));
    const next = meant === null ? '"copane --help" lists them.' : `Did you mean "${meant}"?`;
    context.say(`copane: there is no command "${name}". ${next}`);
    return 2;
  }
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

// A reader that went away (`copane pull | head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

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
  process.stderr.write('copane: the current folder is gone. Change to one that is there, then try again.\n');
  process.exit(2);
}

let hasSaid = false;
const context: CliContext = {
  env: process.env,
  cwd,
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
  context.say(`copane: internal error: ${errorMessage(thrown)}`);
  if (context.env.COPANE_DEBUG && thrown instanceof Error) context.say(thrown.stack ?? '');
  exitCode = 1;
}
await Promise.all([drained(process.stdout), hasSaid ? drained(process.stderr) : undefined]);
process.exit(exitCode);
