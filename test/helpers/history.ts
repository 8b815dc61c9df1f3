/** Fills an index of history lines. */
import type { HistoryIndex } from '../../src/completion/core/history-index.ts';

/** Adds the commands, oldest first, each after the one before it. */
export function addAll(index: HistoryIndex, commands: readonly Parameters<HistoryIndex['add']>[0][]): void {
  for (const [at, command] of commands.entries()) index.add(command, commands[at - 1]?.line ?? '');
}
