/** Handlers of the review: what its service does not do by itself. */
import { fail, ok } from '../../../lib/result.ts';
import type { Handlers } from '../handler.ts';

type ReviewCommand = Extract<keyof Handlers, `review/${string}`>;

export const reviewHandlers: Pick<Handlers, ReviewCommand> = {
  'review/show': async (input, { reviews, agent, desk }) => {
    const found = await reviews.show(input);
    const isLater = found.ok && found.value.write === 'on-save';
    const shown = isLater ? await (await agent()).withConflicts(found.value) : found;
    if (shown.ok) desk.saw(shown.value);
    return shown;
  },
  'review/intend': (input, { desk, client, once, early }) =>
    desk.intend({ ...input, client, name: once, paint: early }),
  'review/undo': (input, { reviews }) => reviews.step(input, 'undo'),
  'review/redo': (input, { reviews }) => reviews.step(input, 'redo'),
  'review/split': ({ first, last, ...ref }, { reviews }) =>
    last < first ? fail('invalid', 'The last line is before the first.') : reviews.cut(ref, { first, last }),
  'review/join': (input, { reviews }) => reviews.cut(input, null),
  'review/conflict': async (input, { reviews, agent }) =>
    reviews.proposals.has(input.suggestion)
      ? (await agent()).sides(input.suggestion, input.hunk)
      : reviews.conflict(input),
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
