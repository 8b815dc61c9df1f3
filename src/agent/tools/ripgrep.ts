/** Runs ripgrep: copane's own, or else the system's. By argument list; its configuration file is not read. */
import { fail, ok, type Result } from '../../lib/result.ts';
import { wordList } from '../../lib/word-list.ts';
import { findOnPath } from '../../platform/exec.ts';
import type { Env } from '../../platform/paths.ts';
import { type RunOutcome, run } from '../../platform/run.ts';
import { SEARCH_TIMEOUT_MS } from './limits.ts';

/** Files of operating systems and version controls, which nobody searches. */
const SYSTEM_FILES = wordList(`
  .git .jj .hg .svn .DS_Store ._* .Spotlight-V100 .Trashes .Trash-* .fseventsd .TemporaryItems .directory
  Thumbs.db desktop.ini
`);

export interface RipgrepOptions {
  readonly root: string;
  readonly env: Env;
  readonly skipIgnored: boolean;
  readonly signal: AbortSignal;
  readonly onOutput: (chunk: Buffer) => boolean;
  /** Searched instead of files. */
  readonly input?: Uint8Array;
}

/** The program; null if there is none. */
async function findRipgrep(env: Env): Promise<string | null> {
  try {
    const { rgPath } = await import('@vscode/ripgrep');
    const bundled = findOnPath(rgPath, env);
    if (bundled !== null) return bundled;
  } catch (thrown) {
    // The package throws if there is no binary for this platform.
    if (!(thrown instanceof Error)) throw thrown;
  }
  return findOnPath('rg', env);
}

/** Which files are searched: also hidden ones, but none of a system or a version control. */
function scopeArguments(skipIgnored: boolean): string[] {
  const ignore = skipIgnored ? ['--no-ignore-dot'] : ['--no-ignore'];
  return ['--hidden', ...ignore, ...SYSTEM_FILES.flatMap((name) => ['-g', `!${name}`])];
}

/** Runs it with `args` on the project; the output goes to `onOutput`. */
export async function ripgrep(args: readonly string[], options: RipgrepOptions): Promise<Result<RunOutcome>> {
  const program = await findRipgrep(options.env);
  if (program === null) {
    return fail('not_found', 'ripgrep is not installed.', 'Install it (the package is called ripgrep).');
  }
  let isSilent = true;
  const fixed = ['--no-config', '--color=never', '--no-messages', ...scopeArguments(options.skipIgnored)];
  const outcome = await run(program, [...fixed, ...args], {
    cwd: options.root,
    env: { PATH: options.env.PATH, HOME: options.env.HOME, LC_ALL: 'C.UTF-8' },
    timeoutMs: SEARCH_TIMEOUT_MS,
    signal: options.signal,
    onOutput: (chunk) => {
      isSilent = false;
      return options.onOutput(chunk);
    },
    ...(options.input === undefined ? {} : { input: options.input }),
  });
  options.signal.throwIfAborted();
  if (outcome.failure === 'timeout') {
    return fail(
      'refused',
      `The search took more than ${SEARCH_TIMEOUT_MS / 1000} s.`,
      'Narrow it by a glob.',
    );
  }
  if (outcome.failure !== null && outcome.failure !== 'enough') {
    return fail('internal', `ripgrep did not work (${outcome.failure}).`);
  }
  if ((outcome.code ?? 0) > 1 && isSilent && outcome.stderr.trim() !== '' && !isAboutPattern(outcome))
    return fail('internal', `ripgrep did not work: ${lastLine(outcome)}`);
  return ok(outcome);
}

const isAboutPattern = ({ stderr }: RunOutcome) => /regex|pattern/i.test(stderr);
const lastLine = ({ stderr }: RunOutcome) => stderr.trim().split('\n').at(-1) ?? '';

/** The error about a pattern that ripgrep did not understand; null for any other end. */
export const patternProblem = (outcome: RunOutcome): string | null =>
  outcome.code === 2 && isAboutPattern(outcome) ? lastLine(outcome) : null;
