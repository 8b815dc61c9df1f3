/** Every subcommand: its name, its summary and how it is loaded. Help, man page and shell completions are read from here. */
import type { CliContext, CliModule } from './cli-context.ts';

export interface Entry {
  readonly summary: string;
  readonly load: () => Promise<CliModule>;
  /** Does what most calls ask for, without a parser; gives the exit code, or null where it is not one of those. */
  readonly quick?: (argv: readonly string[], context: CliContext) => Promise<number | null>;
}

/** The headings of the help, by the command that comes first below each. */
export const HEADINGS: Readonly<Record<string, string>> = {
  up: 'Every day',
  review: 'Review',
  agent: 'Agent',
  init: 'Set-up',
  tui: 'For editors, AI CLIs and service managers',
};

/** The order is the order of the help. */
export const COMMANDS: Readonly<Record<string, Entry>> = {
  up: { summary: 'open the AI CLI and the companion side by side in tmux', load: () => import('./up.ts') },
  down: { summary: 'close what "copane up" made for this folder', load: () => import('./down.ts') },
  split: { summary: 'open the companion in a split beside the AI pane', load: () => import('./split.ts') },
  send: { summary: 'type a prompt into the AI pane and submit it', load: () => import('./send.ts') },
  pull: { summary: 'print what the AI answered', load: () => import('./pull.ts') },
  changes: { summary: 'what a turn of the AI changed in files', load: () => import('./changes.ts') },
  sessions: {
    summary: 'earlier sessions of the AI CLIs in this folder',
    load: () => import('./sessions.ts'),
  },
  append: { summary: "add text to the companion's draft", load: () => import('./append.ts') },
  jump: { summary: 'go to the AI pane that waits for you', load: () => import('./jump.ts') },
  status: { summary: 'show what every AI pane is doing', load: () => import('./status.ts') },
  review: { summary: 'review changes hunk by hunk', load: () => import('./review.ts') },
  publish: { summary: 'offer a change for review', load: () => import('./publish.ts') },
  suggestions: { summary: 'what waits for a review', load: () => import('./suggestions.ts') },
  show: { summary: 'one suggestion, hunk by hunk', load: () => import('./show.ts') },
  decide: { summary: 'accept, reject or modify a hunk', load: () => import('./decide.ts') },
  undo: { summary: 'take a decision back', load: () => import('./undo.ts') },
  redo: { summary: 'put a decision in again', load: () => import('./redo.ts') },
  finish: { summary: 'end a suggestion', load: () => import('./finish.ts') },
  reopen: { summary: 'reopen a suggestion that has ended', load: () => import('./reopen.ts') },
  sandbox: { summary: 'working copies for an AI, apart from yours', load: () => import('./sandbox.ts') },
  agent: {
    summary: 'let a model propose edits of a project, to be reviewed',
    load: () => import('./agent.ts'),
  },
  trace: { summary: 'what a job of the agent did', load: () => import('./trace.ts') },
  map: { summary: 'the outline of a file, with line ranges', load: () => import('./map.ts') },
  eval: { summary: 'how well the agent does the tasks of this repository', load: () => import('./eval.ts') },
  init: { summary: 'set zsh, Neovim or an AI CLI up to work with copane', load: () => import('./init.ts') },
  completion: {
    summary: 'completions of copane itself, for zsh, bash and fish',
    load: () => import('./completion.ts'),
  },
  uninstall: { summary: 'undo every "copane init"', load: () => import('./uninstall.ts') },
  state: {
    summary: 'show what is kept, how large it is, and delete by kind and age',
    load: () => import('./state.ts'),
  },
  doctor: { summary: 'check the set-up and say what to fix', load: () => import('./doctor.ts') },
  tour: { summary: 'a scripted AI to try copane with', load: () => import('./tour.ts') },
  complete: {
    summary: 'what the shell would be offered for a line, and why',
    load: () => import('./complete.ts'),
  },
  model: {
    summary: 'the language model beside the completions of the shell',
    load: () => import('./model.ts'),
  },
  token: { summary: 'what opens the suggestion server on TCP', load: () => import('./token.ts') },
  tui: {
    summary: 'the companion itself, in this terminal',
    load: () => import('./tui.ts'),
    quick: async (argv, context) => (await import('./quick-tui.ts')).quickTui(argv, context),
  },
  notes: { summary: 'for editors: tell notes from pulled lines', load: () => import('./notes.ts') },
  mcp: { summary: 'what an AI CLI starts to publish and to hear the review', load: () => import('./mcp.ts') },
  serve: { summary: 'lead without a screen, for a service manager', load: () => import('./serve.ts') },
};

/** What `copane --help` prints. */
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
