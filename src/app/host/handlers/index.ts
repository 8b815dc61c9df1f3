/** All handlers of the product. */
import type { Handlers } from '../handler.ts';
import { agentHandlers } from './agent.ts';
import { draftHandlers } from './draft.ts';
import { hostHandlers } from './host.ts';
import { outboxHandlers } from './outbox.ts';
import { reviewHandlers } from './review.ts';
import { sandboxHandlers } from './sandbox.ts';
import { shellHandlers } from './shell.ts';

export const handlers: Handlers = {
  ...hostHandlers,
  ...outboxHandlers,
  ...draftHandlers,
  ...reviewHandlers,
  ...shellHandlers,
  ...sandboxHandlers,
  ...agentHandlers,
};
