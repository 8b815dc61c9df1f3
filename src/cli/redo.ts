/** `copane redo`: redoes a decision that was undone. */
import type { Command } from 'commander';
import type { CliContext } from './cli-context.ts';
import { step } from './undo.ts';

export function command(context: CliContext): Command {
  return step(context, 'redo', 'redo a decision that was undone');
}
