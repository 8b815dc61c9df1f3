import { ok } from '../../../lib/result.ts';
import type { HandlerContext, Handlers } from '../handler.ts';

export const stateHandlers: Pick<Handlers, 'state/purge'> = {
  'state/purge': async (input, context) => {
    if (input.kind === 'reviews' && input.unfinished) await discardOpen(context, input.before);
    return context.write((writer) => ok(writer.purge(input)));
  },
};

/** Ends open reviews first, so that every client that shows them is notified. */
async function discardOpen({ store, reviews }: HandlerContext, before: number): Promise<void> {
  for (const { id, createdAt, write } of store.reviews.openSuggestions()) {
    if (createdAt >= before || write === 'on-save') continue;
    await reviews.finish({
      suggestion: id,
      how: 'discard',
      commit: false,
      hooks: false,
      message: null,
      push: false,
      sandbox: 'keep',
    });
  }
}
