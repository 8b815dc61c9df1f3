/** Every command of copane: what a user, an editor, an AI or a script can do. One row each, here and in `command-table.ts`. */
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
/** What a caller gives: defaults may be left out. */
export type CommandParams<C extends CommandName> = z.input<(typeof commands)[C]['params']>;
/** What a handler receives: validated, defaults filled in. */
export type CommandInput<C extends CommandName> = z.output<(typeof commands)[C]['params']>;
export type CommandResult<C extends CommandName> = z.output<(typeof commands)[C]['result']>;

/** What `command-table.ts` says of a command. */
export function traitsOf(command: CommandName): CommandTraits {
  return commandTable[command];
}

type CamelCase<S extends string> = S extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

/** The method of a service that does a command: `agent/forget-checkpoint` is `forgetCheckpoint`. */
export type MethodOf<C extends CommandName> = C extends `${string}/${infer Verb}` ? CamelCase<Verb> : never;

/** The name of that method. */
export function methodOf<C extends CommandName>(command: C): MethodOf<C> {
  const verb = command.slice(command.indexOf('/') + 1);
  return verb.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()) as MethodOf<C>;
}

/** The commands that the table gives to a service. */
export type CommandsBy<S extends NonNullable<CommandTraits['by']>> = {
  [C in CommandName]: (typeof commandTable)[C] extends { readonly by: S } ? C : never;
}[CommandName];

/** The caller of a command. */
export interface Caller {
  /** The client's name, as it stands in events. */
  readonly client: string;
  /** Names this one request, so that it is not done twice when it is sent again; null: it is sent once. */
  readonly once: string | null;
  /** Tells what the command will lead to, before that is written; left out: nobody listens. */
  readonly onEarly?: (value: unknown) => void;
  /** Aborts when the client is gone; left out: it stays. */
  readonly signal?: AbortSignal;
}

/** The client's name of programs that speak HTTP, WebSocket or MCP. */
export const SERVER_CLIENT = 'suggestion-server';

/** A service that does these commands: one method each. A missing one does not compile. */
export type ServiceOf<C extends CommandName> = {
  readonly [Name in C as MethodOf<Name>]: (
    input: CommandInput<Name>,
    caller: Caller,
  ) => Result<CommandResult<Name>> | Promise<Result<CommandResult<Name>>>;
};
