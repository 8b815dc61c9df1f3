/** `copane redo`: puts a decision in again that was taken back. */
import type { Command } from 'commander';
import type { CliContext } from './cli-context.ts';
import { step } from './undo.ts';

export function command(context: CliContext): Command {
  return step(context, 'redo', 'put a decision in again that was taken back');
}
