/** Replies to a plan with the changes that the user wants. The reply is on disk before its first byte is typed. */
import { fail, ok, type Result } from '../../lib/result.ts';
import { randomId, sha256 } from '../../platform/crypto.ts';
import type { Client } from '../../protocol/client.ts';
import type { Dialog } from '../../protocol/dialog.ts';
import type { OutboxEntry } from '../../protocol/outbox.ts';
import { planRefusal } from '../../responses/core/dialog.ts';
import type { PaneListing } from '../../tmux/panes.ts';
import type { TmuxPort } from '../../tmux/port.ts';
import { answerDialog } from './answer-dialog.ts';

export interface PlanReply {
  readonly dialog: Dialog | null;
  /** When it appeared, ms since the epoch; null when unknown. */
  readonly since: number | null;
  readonly text: string;
  /** Sends the text as a prompt, for programs that take no text with the answer that refuses a plan. */
  readonly send: () => Promise<Result<OutboxEntry>>;
}

/** Returns the id of the outbox record whatever the outcome, which is in the record's state. */
export async function replyToPlan(
  { tmux, client }: { readonly tmux: TmuxPort; readonly client: Client },
  listing: PaneListing,
  { dialog, since, text, send }: PlanReply,
): Promise<Result<string>> {
  const refusal = planRefusal(dialog);
  if (dialog === null || refusal === null)
    return fail(
      'refused',
      'the AI asks for no changes to a plan now; nothing was sent',
      'Look at the AI pane.',
    );
  const wanted = { seen: dialog.seen, option: refusal.option, since };
  if (refusal.words === 'behind') {
    const refused = await answerDialog(tmux, listing, { ...wanted, words: null });
    const sent = refused.ok ? await send() : refused;
    return sent.ok ? ok(sent.value.id) : sent;
  }
  const id = randomId();
  const pane = listing.facts.identity;
  const recorded = await client.request('outbox/record', {
    id,
    pane,
    text,
    hash: sha256(text),
    marked: false,
  });
  if (!recorded.ok) return recorded;
  const answered = await answerDialog(tmux, listing, { ...wanted, words: text });
  const end: Pick<OutboxEntry, 'state' | 'reason' | 'proof'> = answered.ok
    ? { state: 'delivered', reason: null, proof: 'screen' }
    : {
        state: answered.error.code === 'unconfirmed' ? 'unconfirmed' : 'refused',
        reason: answered.error.message,
        proof: null,
      };
  const updated = await client.request('outbox/update', { id, ...end });
  return updated.ok ? ok(id) : updated;
}
