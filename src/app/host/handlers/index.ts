/** The handlers of all commands that no service implements. */

import { fail, ok, type Result } from '../../../lib/result.ts';
import type { CommandInput } from '../../../protocol/command.ts';
import type { ShellStatus } from '../../../protocol/shell.ts';
import type { HandlerContext, Handlers } from '../handler.ts';
import { draftHandlers } from './draft.ts';
import { outboxHandlers } from './outbox.ts';

/** Marks hunks as seen, or as not seen, and tells every client. */
export function markViewed(
  write: HandlerContext['write'],
  { hunks, viewed }: CommandInput<'review/mark-viewed'>,
): Result<{ viewed: boolean }> {
  return write((writer) => {
    writer.viewed.mark(hunks, viewed);
    writer.emit({ type: 'review/viewed', hunks, viewed });
    return ok({ viewed });
  });
}

export const handlers: Handlers = {
  ...outboxHandlers,
  ...draftHandlers,
  'host/status': (_input, context) => ok(context.status()),
  'sandbox/new': (input, { reviews }) => reviews.sandboxes.create(input),
  'review/viewed': ({ hunks }, { store }) => ok({ hunks: [...store.viewed.of(hunks)] }),
  'review/mark-viewed': (marks, { write }) => markViewed(write, marks),
  'review/report': (report, { write }) =>
    write((writer) => {
      writer.emit({ type: 'review/reported', report });
      return ok({ sent: true });
    }),
  'review/claim-feedback': ({ pane, seq }, { client, write }) => {
    const first = write((writer) => writer.once(`feedback ${seq} ${pane}`, () => ok(client)));
    return first.ok ? ok({ mine: first.value === client }) : first;
  },
  'shell/status': (_input, context) => after(context, () => undefined),
  'shell/private': ({ on }, context) => after(context, (service) => service.setPrivate(on)),
  'shell/forget': ({ line }, context) => after(context, (service) => service.forget(line)),
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

/** Calls the worker, if there is one, and returns its state afterwards. */
async function after(
  { completion }: HandlerContext,
  act: (service: NonNullable<HandlerContext['completion']['service']>) => void,
): Promise<Result<ShellStatus>> {
  const { service, refusal } = completion;
  if (service === null)
    return ok(
      refusal === null
        ? { state: 'none' }
        : { state: 'refused', message: refusal.message, hint: refusal.hint ?? null },
    );
  act(service);
  const status = await service.status();
  return status === null
    ? fail(
        'internal',
        'The completion worker does not answer.',
        'The log in the state folder has the details.',
      )
    : ok({ state: 'running', status });
}
