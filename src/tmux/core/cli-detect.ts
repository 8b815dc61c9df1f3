/** Recognizes AI CLIs and shells by their argument list. Pure: processes come in as data. */
import type { CliId } from '../../protocol/cli-id.ts';

type KnownCli = Exclude<CliId, 'generic'>;

export interface PaneProcess {
  readonly pid: number;
  readonly ppid: number;
  readonly argv: readonly string[];
  /** In the foreground process group of its terminal. */
  readonly foreground: boolean;
  /** Stopped (Ctrl-Z). */
  readonly stopped: boolean;
}

const INTERPRETERS = /^(?:node|nodejs|bun|deno|tsx|python[\d.]*|pypy[\d.]*|uv|uvx|npx|npm|pnpm|bunx|env)$/;

/** The name of the program, or part of its script's path. A Homebrew or npm wrapper keeps one of the two. */
const CLIS: readonly (readonly [KnownCli, name: RegExp, script: RegExp])[] = [
  ['claude', /^claude(?:-code)?$/, /(?:^|\/)claude-code(?:\/|$)|\/claude(?:\.exe)?$|\/claude\/versions\//],
  [
    'codex',
    /^codex(?:-(?:x86_64|aarch64|linux|darwin)[\w-]*)?$/,
    /@openai\/codex(?:\/|@|$)|\/codex(?:\.js)?$/,
  ],
  ['gemini', /^gemini(?:-cli)?$/, /@google\/gemini-cli(?:\/|@|$)|\/gemini(?:\.js)?$/],
  ['opencode', /^\.?opencode(?:-ai)?$/, /(?:^|\/)opencode-ai(?:\/|@|$)|\/\.?opencode(?:\.js)?$/],
  ['pi', /^pi$/, /\/pi-coding-agent(?:\/|@|$)|\/pi$/],
  ['aider', /^aider$/, /\/aider(?:\/__main__\.py)?$/],
];

const baseOf = (word: string): string => word.slice(word.lastIndexOf('/') + 1).replace(/^-/, '');

/** The script or module that an interpreter runs; empty if none is visible. */
function scriptOf(argv: readonly string[]): string {
  for (let at = 1; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (word === '-m') return argv[at + 1] ?? '';
    if (!word.startsWith('-') && !(baseOf(argv[0] ?? '') === 'env' && word.includes('='))) return word;
  }
  return '';
}

/** Our own scripted AI: by the title that it sets, or before that by its arguments. */
function isTour([program = '', script = '', command]: readonly string[]): boolean {
  return program === 'copane tour' || (/\/copane(?:\.js)?$/.test(script) && command === 'tour');
}

/** The AI CLI that this argument list starts, or null. A file named after one (`vim claude.md`) does not count. */
export function detectCli(argv: readonly string[]): KnownCli | null {
  const program = argv[0] ?? '';
  // A program that renames itself may leave its whole title in the first word.
  const name = baseOf(program.split(' ')[0] ?? '');
  const interpreted = INTERPRETERS.test(name);
  if (isTour(argv)) return 'tour';
  const script = interpreted ? scriptOf(argv) : program;
  for (const [cli, byName, byScript] of CLIS) {
    if (!interpreted && byName.test(name)) return cli;
    if (interpreted && byName.test(script)) return cli;
    if (byScript.test(script)) return cli;
  }
  return null;
}

const SHELLS = /^(?:ba|z|da|a|k|mk|c|tc|fi|rba|ya|o)?sh$|^(?:nu|pwsh|elvish|xonsh)$/;
/** Options of shells that take the next word as their value. */
const SHELL_VALUE_OPTIONS = /^(?:--rcfile|--init-file|--config|--env-config|[-+][oO])$/;

/** A shell that waits for commands, not one that runs a script or a `-c` command. */
export function isInteractiveShell(argv: readonly string[]): boolean {
  const words = baseOf(argv[0] ?? '') === 'busybox' ? argv.slice(1) : argv;
  if (!SHELLS.test(baseOf(words[0] ?? ''))) return false;
  return words.every((word, index) => {
    if (index === 0 || SHELL_VALUE_OPTIONS.test(words[index - 1] ?? '')) return true;
    return /^[-+]/.test(word) && !/^-[a-z]*c/.test(word);
  });
}

/** The program that holds the terminal of a pane. */
export type Foreground =
  | { readonly kind: 'cli'; readonly cli: KnownCli; readonly pid: number }
  | { readonly kind: 'shell'; readonly name: string; readonly pid: number }
  | { readonly kind: 'program'; readonly name: string; readonly pid: number };

/** Parents before children, to find the CLI before the tools that it runs. */
function depthOf(process: PaneProcess, byPid: ReadonlyMap<number, PaneProcess>): number {
  let depth = 0;
  const maxDepth = byPid.size;
  for (let at = byPid.get(process.ppid); at !== undefined && depth < maxDepth; at = byPid.get(at.ppid))
    depth++;
  return depth;
}

/** The process that reads the keys of the pane; null if the table shows none. */
export function findForeground(processes: readonly PaneProcess[]): Foreground | null {
  const byPid = new Map(processes.map((process) => [process.pid, process]));
  const front = processes
    .filter((process) => process.foreground && !process.stopped)
    .toSorted((a, b) => depthOf(a, byPid) - depthOf(b, byPid));
  for (const process of front) {
    const cli = detectCli(process.argv);
    if (cli !== null) return { kind: 'cli', cli, pid: process.pid };
  }
  const program = front.find((process) => !isInteractiveShell(process.argv));
  const chosen = program ?? front[0];
  if (chosen === undefined) return null;
  const name = baseOf(chosen.argv[0] ?? '');
  return { kind: program === undefined ? 'shell' : 'program', name, pid: chosen.pid };
}

/** The AI CLI of a pane, in the foreground or not (stopped, or behind an editor that it opened). */
export function findCli(
  processes: readonly PaneProcess[],
): { readonly cli: KnownCli; readonly pid: number } | null {
  const byPid = new Map(processes.map((process) => [process.pid, process]));
  const ordered = processes.toSorted((a, b) => depthOf(a, byPid) - depthOf(b, byPid));
  for (const process of ordered) {
    const cli = detectCli(process.argv);
    if (cli !== null) return { cli, pid: process.pid };
  }
  return null;
}
