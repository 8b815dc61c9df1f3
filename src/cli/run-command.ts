/** Runs one subcommand. Apart from its parser: who starts a command need not load that once more. */
import type { Command } from 'commander';

/**
 * Parses and runs it; gives the process's exit code. A defect is thrown on. `ExitWith` and commander's errors are known
 * by what they carry: their classes may be in the process twice.
 */
export async function runCommand(command: Command, argv: readonly string[]): Promise<number> {
  try {
    await command.parseAsync([...argv], { from: 'user' });
    return 0;
  } catch (thrown) {
    const exitCode = exitCodeIn(thrown);
    if (exitCode === null) throw thrown;
    return exitCode;
  }
}

/** An error with a `code` beside its exit code is commander's: help that was asked for, or wrong usage. */
function exitCodeIn(thrown: unknown): number | null {
  if (!(thrown instanceof Error && 'exitCode' in thrown && typeof thrown.exitCode === 'number')) return null;
  if (!('code' in thrown)) return thrown.exitCode;
  return thrown.exitCode === 0 ? 0 : 2;
}
