/** Runs one subcommand. Kept apart from the parser, so that callers need not load it twice. */
import type { Command } from 'commander';

/** Parses and runs a command; returns the exit code. Recognizes errors by field: their classes may exist twice. */
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

/** An error with a `code` beside its exit code comes from commander: help, or a usage error. */
function exitCodeIn(thrown: unknown): number | null {
  if (!(thrown instanceof Error && 'exitCode' in thrown && typeof thrown.exitCode === 'number')) return null;
  if (!('code' in thrown)) return thrown.exitCode;
  return thrown.exitCode === 0 ? 0 : 2;
}
