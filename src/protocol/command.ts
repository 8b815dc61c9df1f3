/** Every command of copane: what a user, an editor, an AI or a script can do. One schema pair each. */
import type * as z from 'zod';
import { agentCommands } from './commands/agent.ts';
import { draftCommands } from './commands/draft.ts';
import { hostCommands } from './commands/host.ts';
import { outboxCommands } from './commands/outbox.ts';
import { reviewCommands } from './commands/review.ts';
import { sandboxCommands } from './commands/sandbox.ts';
import { shellCommands } from './commands/shell.ts';

export const commands = {
  ...hostCommands,
  ...outboxCommands,
  ...draftCommands,
  ...reviewCommands,
  ...shellCommands,
  ...sandboxCommands,
  ...agentCommands,
} as const;

export type CommandName = keyof typeof commands;
/** What a caller gives: defaults may be left out. */
export type CommandParams<C extends CommandName> = z.input<(typeof commands)[C]['params']>;
/** What a handler receives: validated, defaults filled in. */
export type CommandInput<C extends CommandName> = z.output<(typeof commands)[C]['params']>;
export type CommandResult<C extends CommandName> = z.output<(typeof commands)[C]['result']>;
