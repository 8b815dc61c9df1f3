/** Handlers of the outbox: a prompt is recorded before its first byte is sent, and at each state change. */

import { fail, ok, type Result } from '../../../lib/result.ts';
import type { DeliveryState, OutboxEntry } from '../../../protocol/outbox.ts';
import type { StoreWriter } from '../../../store/store.ts';
import type { Handlers } from '../handler.ts';

/** The limit of one prompt, as UTF-8. */
export const OUTBOX_MAX_TEXT_BYTES = 4 * 1024 * 1024;

/** Final states: nothing reopens a prompt that was delivered, refused or abandoned. */
const CLOSED: ReadonlySet<DeliveryState> = new Set(['delivered', 'refused', 'abandoned']);

export const outboxHandlers: Pick<Handlers, 'outbox/record' | 'outbox/update' | 'outbox/list'> = {
  'outbox/record': (input, context) =>
    context.write<OutboxEntry>((writer) => {
      const bytes = Buffer.byteLength(input.text);
      if (bytes > OUTBOX_MAX_TEXT_BYTES) {
        return fail('invalid', `The prompt has ${bytes} bytes; the limit is ${OUTBOX_MAX_TEXT_BYTES}.`);
      }
      const known = writer.outbox.get(input.id);
      if (known !== null) return recordAgain(known, input.hash);
      const now = context.now();
      const entry: OutboxEntry = {
        ...input,
        state: 'recorded',
        reason: null,
        proof: null,
        createdAt: now,
        updatedAt: now,
      };
      return put(writer, entry);
    }),

  'outbox/update': (input, context) =>
    context.write<OutboxEntry>((writer) => {
      const known = writer.outbox.get(input.id);
      if (known === null) return fail('not_found', `No prompt ${input.id} is in the outbox.`);
      const { state, reason, proof } = input;
      if (known.state === state && known.reason === reason && known.proof === proof) return ok(known);
      if (CLOSED.has(known.state)) {
        return fail('refused', `The prompt ${input.id} is ${known.state}; it cannot become ${state}.`);
      }
      const entry: OutboxEntry = { ...known, state, reason, proof, updatedAt: context.now() };
      return put(writer, entry);
    }),

  'outbox/list': (input, context) => ok([...context.store.outbox.list(input.pane, input.limit)]),
};

function put(writer: StoreWriter, entry: OutboxEntry): Result<OutboxEntry> {
  writer.outbox.put(entry);
  writer.emit({ type: 'outbox/changed', entry });
  return ok(entry);
}

/** Recording the same prompt again (after a lost answer) creates no second record. */
function recordAgain(known: OutboxEntry, hash: string): Result<OutboxEntry> {
  if (known.hash === hash) return ok(known);
  return fail('refused', `The outbox holds another prompt under the id ${known.id}.`);
}
