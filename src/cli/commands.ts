/** Every subcommand with its summary and module. Help, man page and shell completions are built from this table. */
import type { CliContext, CliModule } from './cli-context.ts';

export interface Entry {
  readonly summary: string;
  readonly load: () => Promise<CliModule>;
  /** Runs the most common calls without a parser; returns the exit code, or null for any other call. */
  readonly quick?: (argv: readonly string[], context: CliContext) => Promise<number | null>;
}

/** The headings of the help, each keyed by the first command below it. */
export const HEADINGS: Readonly<Record<string, string>> = {
  up: 'Every day',
  review: 'Review',
  agent: 'Agent',
  init: 'Set-up',
  tui: 'For editors, AI CLIs and service managers',
};

/** In the order of the help. */
export const COMMANDS: Readonly<Record<string, Entry>> = {
  up: { summary: 'open the AI CLI and the companion side by side in tmux', load: () => import('./up.ts') },
  down: { summary: 'close what "copane up" made for this folder', load: () => import('./down.ts') },
  split: { summary: 'open the companion in a split beside the AI pane', load: () => import('./split.ts') },
  send: { summary: 'type a prompt into the AI pane and submit it', load: () => import('./send.ts') },
  pull: { summary: 'print what the AI answered', load: () => import('./pull.ts') },
  changes: { summary: 'show what a turn of the AI changed in files', load: () => import('./changes.ts') },
  sessions: {
    summary: 'list the sessions of the AI CLIs in this folder',
    load: () => import('./sessions.ts'),
  },
  append: { summary: "add text to the companion's draft", load: () => import('./append.ts') },
  jump: { summary: 'go to the AI pane that waits for you', load: () => import('./jump.ts') },
  status: { summary: 'show what every AI pane is doing', load: () => import('./status.ts') },
  review: { summary: 'review changes hunk by hunk', load: () => import('./review.ts') },
  publish: { summary: 'offer a change for review', load: () => import('./publish.ts') },
  suggestions: { summary: 'list the suggestions waiting for review', load: () => import('./suggestions.ts') },
  show: { summary: 'show a suggestion, hunk by hunk', load: () => import('./show.ts') },
  decide: { summary: 'accept, reject or modify a hunk', load: () => import('./decide.ts') },
  undo: { summary: 'undo a decision', load: () => import('./undo.ts') },
  redo: { summary: 'redo a decision that was undone', load: () => import('./redo.ts') },
  reply: { summary: 'reply to a comment, as the author', load: () => import('./reply.ts') },
  finish: { summary: 'end a suggestion', load: () => import('./finish.ts') },
  reopen: { summary: 'reopen a suggestion that has ended', load: () => import('./reopen.ts') },
  sandbox: { summary: 'make and remove working copies for an AI', load: () => import('./sandbox.ts') },
  agent: {
    summary: 'let a model propose edits, for you to review',
    load: () => import('./agent.ts'),
  },
  trace: { summary: 'show what a job of the agent did', load: () => import('./trace.ts') },
  map: { summary: 'print the outline of a file, with line ranges', load: () => import('./map.ts') },
  eval: { summary: 'measure how well the agent does a set of tasks', load: () => import('./eval.ts') },
  init: { summary: 'set up zsh, Neovim or an AI CLI for copane', load: () => import('./init.ts') },
  completion: {
    summary: 'print completions of copane itself for zsh, bash or fish',
    load: () => import('./completion.ts'),
  },
  uninstall: { summary: 'undo every "copane init"', load: () => import('./uninstall.ts') },
  state: {
    summary: 'show what copane keeps and its size; delete by kind and age',
    load: () => import('./state.ts'),
  },
  doctor: { summary: 'check the set-up and say what to fix', load: () => import('./doctor.ts') },
  tour: { summary: 'try copane with a scripted AI', load: () => import('./tour.ts') },
  complete: {
    summary: 'print completions of a command line, and their sources',
    load: () => import('./complete.ts'),
  },
  model: {
    summary: 'manage the language model for shell completions',
    load: () => import('./model.ts'),
  },
  token: { summary: 'print the access token of the suggestion server', load: () => import('./token.ts') },
  tui: {
    summary: 'run the companion in this terminal',
    load: () => import('./tui.ts'),
    quick: async (argv, context) => (await import('./quick-tui.ts')).quickTui(argv, context),
  },
  notes: {
    summary: 'separate your notes from pulled lines, for an editor',
    load: () => import('./notes.ts'),
  },
  mcp: { summary: 'run an MCP server for an AI CLI to publish through', load: () => import('./mcp.ts') },
  serve: { summary: 'run the background service without a screen', load: () => import('./serve.ts') },
};

/** The text of `copane --help`. */
export function usage(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const rows = Object.entries(COMMANDS).flatMap(([name, { summary }]) => {
    const heading = HEADINGS[name];
    return [...(heading === undefined ? [] : ['', heading]), `  ${name.padEnd(width)}  ${summary}`];
  });
  return `copane - the companion pane for your AI CLI in tmux

Usage: copane [command] [options]
${rows.join('\n')}

Without a command: in tmux, a split with the companion; elsewhere the same as "copane up".
"copane help COMMAND" tells more.
`;
}
