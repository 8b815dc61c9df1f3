/** Commands that ran, and an index filled with them. */
import type { HistoryIndex } from '../../src/completion/core/history-index.ts';
import type { Executed } from '../../src/completion/core/suggestion.ts';

/** A command that ran and succeeded. */
export function ran(line: string, more: Partial<Executed> = {}): Executed {
  return { line, cwd: '/', session: 's', at: 0, exit: 0, ...more };
}

/** A command of a history file, which has only the line. */
export function filed(line: string): Executed {
  return ran(line, { cwd: '', session: '', exit: null });
}

/** Adds the commands, oldest first, each after the one before it. */
export function addAll(index: HistoryIndex, commands: readonly Parameters<HistoryIndex['add']>[0][]): void {
  for (const [at, command] of commands.entries()) index.add(command, commands[at - 1]?.line ?? '');
}
