/** Review commands that neither the review service nor the desk implements. */
import { ok } from '../../../lib/result.ts';
import type { Handlers } from '../handler.ts';

type ReviewCommand = Extract<keyof Handlers, `review/${string}`>;

export const reviewHandlers: Pick<Handlers, ReviewCommand> = {
  'review/viewed': ({ hunks }, { store }) => ok({ hunks: [...store.viewed.of(hunks)] }),
  'review/mark-viewed': ({ hunks, viewed }, { write }) =>
    write((writer) => {
      writer.viewed.mark(hunks, viewed);
      writer.emit({ type: 'review/viewed', hunks, viewed });
      return ok({ viewed });
    }),
  'review/report': (report, { write }) =>
    write((writer) => {
      writer.emit({ type: 'review/reported', report });
      return ok({ sent: true });
    }),
  'review/claim-feedback': ({ pane, seq }, { client, write }) => {
    const first = write((writer) => writer.once(`feedback ${seq} ${pane}`, () => ok(client)));
    return first.ok ? ok({ mine: first.value === client }) : first;
  },
};
