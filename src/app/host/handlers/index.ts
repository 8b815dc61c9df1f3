/** The handlers of all commands that no service implements. */
import type { Handlers } from '../handler.ts';
import { draftHandlers } from './draft.ts';
import { hostHandlers } from './host.ts';
import { outboxHandlers } from './outbox.ts';
import { reviewHandlers } from './review.ts';
import { sandboxHandlers } from './sandbox.ts';
import { shellHandlers } from './shell.ts';
import { stateHandlers } from './state.ts';

export const handlers: Handlers = {
  ...hostHandlers,
  ...outboxHandlers,
  ...draftHandlers,
  ...reviewHandlers,
  ...shellHandlers,
  ...sandboxHandlers,
  ...stateHandlers,
};
