/** What a command handler receives and returns. A handler decides and writes; it never touches a socket. */
import type { CompletionService } from '../../completion/start.ts';
import type { Failure, Result } from '../../lib/result.ts';
import type { CommandInput, CommandName, CommandResult, CommandsBy } from '../../protocol/command.ts';
import type { HostStatus } from '../../protocol/commands/host.ts';
import type { ReviewService } from '../../review/review-service.ts';
import type { LoggedEvent } from '../../store/event-table.ts';
import type { Commit } from '../../store/sqlite.ts';
import type { Store, StoreWriter } from '../../store/store.ts';

/** The state of shell completions while this process runs them; `refusal`: why they could not start. */
export interface CompletionState {
  readonly service: CompletionService | null;
  readonly refusal: Failure | null;
}

export interface HostParts {
  readonly store: Store;
  readonly reviews: ReviewService;
  /** One transaction: changes and events happen together, or not at all. */
  readonly write: <T>(change: (writer: StoreWriter) => Result<T>, commit?: Commit) => Result<T>;
  /** Calls `listener` for every event, right after its commit. */
  readonly onEvent: (listener: (event: LoggedEvent) => void) => void;
}

export interface HandlerContext {
  readonly client: string;
  readonly now: () => number;
  readonly status: () => HostStatus;
  /** Read access outside a transaction. */
  readonly store: Pick<Store, 'outbox' | 'drafts' | 'viewed' | 'reviews'>;
  readonly reviews: ReviewService;
  readonly completion: CompletionState;
  /** One transaction. A resent request gets the result of the first one. */
  readonly write: <T>(change: (writer: StoreWriter) => Result<T>) => Result<T>;
}

export type Handler<C extends CommandName> = (
  input: CommandInput<C>,
  context: HandlerContext,
) => Result<CommandResult<C>> | Promise<Result<CommandResult<C>>>;

type ServiceCommand = CommandsBy<'reviews' | 'desk' | 'sandboxes' | 'agent' | 'changes'>;

export type Handlers = { readonly [C in Exclude<CommandName, ServiceCommand>]: Handler<C> };
