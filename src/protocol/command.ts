/** Every copane command that a user, editor, AI or script can run: one row here and one in `command-table.ts`. */
import type * as z from 'zod';
import type { Result } from '../lib/result.ts';
import { type CommandTraits, commandTable } from './command-table.ts';
import { agentCommands } from './commands/agent.ts';
import { changesCommands } from './commands/changes.ts';
import { draftCommands } from './commands/draft.ts';
import { hostCommands } from './commands/host.ts';
import { outboxCommands } from './commands/outbox.ts';
import { reviewCommands } from './commands/review.ts';
import { sandboxCommands } from './commands/sandbox.ts';
import { shellCommands } from './commands/shell.ts';
import { stateCommands } from './commands/state.ts';

/** The schemas of each command's parameters and result. */
export const commands = {
  ...hostCommands,
  ...outboxCommands,
  ...draftCommands,
  ...reviewCommands,
  ...shellCommands,
  ...sandboxCommands,
  ...agentCommands,
  ...stateCommands,
  ...changesCommands,
} as const satisfies Readonly<
  Record<keyof typeof commandTable, { readonly params: z.ZodType; readonly result: z.ZodType }>
>;

export type CommandName = keyof typeof commands & keyof typeof commandTable;
/** The parameters that a caller passes; defaults may be omitted. */
export type CommandParams<C extends CommandName> = z.input<(typeof commands)[C]['params']>;
/** The parameters that a handler receives: validated, with defaults filled in. */
export type CommandInput<C extends CommandName> = z.output<(typeof commands)[C]['params']>;
export type CommandResult<C extends CommandName> = z.output<(typeof commands)[C]['result']>;

export const traitsOf = (command: CommandName): CommandTraits => commandTable[command];

type CamelCase<S extends string> = S extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

/** The service method for a command: `forgetCheckpoint` for `agent/forget-checkpoint`. */
export type MethodOf<C extends CommandName> = C extends `${string}/${infer Verb}` ? CamelCase<Verb> : never;

/** The name of that method. */
export function methodOf<C extends CommandName>(command: C): MethodOf<C> {
  const verb = command.slice(command.indexOf('/') + 1);
  return verb.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()) as MethodOf<C>;
}

/** A service's commands, from the table. */
export type CommandsBy<S extends NonNullable<CommandTraits['by']>> = {
  [C in CommandName]: (typeof commandTable)[C] extends { readonly by: S } ? C : never;
}[CommandName];

export interface Caller {
  readonly client: string;
  /** The request's id, so that a resent request is not done twice; null: sent only once. */
  readonly once: string | null;
  /** Called with the expected outcome before it is written. */
  readonly onEarly?: (value: unknown) => void;
  /** Aborts when the client disconnects. */
  readonly signal?: AbortSignal;
}

/** The client id of all programs that use HTTP, WebSocket or MCP. */
export const SERVER_CLIENT = 'suggestion-server';

export type ServiceOf<C extends CommandName> = {
  readonly [Name in C as MethodOf<Name>]: (
    input: CommandInput<Name>,
    caller: Caller,
  ) => Result<CommandResult<Name>> | Promise<Result<CommandResult<Name>>>;
};
