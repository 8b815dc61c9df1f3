/** Judges a record left by a crash from the current screen. Never types: in doubt the user decides. */
import { type Failure, fail } from '../../lib/result.ts';
import type { OutboxEntry } from '../../protocol/outbox.ts';
import { isSamePane } from './formats.ts';
import { type Look, NO_BASELINE, standingOf } from './send-evidence.ts';
import type { ProofKind, ProofSignal, SendOutcome } from './send-model.ts';

/** What to do with a record left by a crash. Never includes typing. */
export type ResumeVerdict =
  /** Nothing was typed: it may be sent. */
  { readonly kind: 'unsent' } | { readonly kind: 'settled'; readonly outcome: SendOutcome };

/** Judges an unfinished record by one look (null: the pane is not visible), and by transcript and hook. */
export function resumeSend(entry: OutboxEntry, now: Look | null, proof: ProofSignal | null): ResumeVerdict {
  if (entry.state === 'recorded') return { kind: 'unsent' };
  const settled = (state: SendOutcome['state'], failure: Failure | null, by: ProofKind | null = null) =>
    ({ kind: 'settled', outcome: { state, proof: by, failure } }) as const;
  if (proof !== null) return settled(proof.kind, null, proof.by);
  const here = now?.pane != null && !now.pane.dead && isSamePane(now.pane, entry.pane);
  // The screen before the crash is unknown: only our own opening marker or the composer counts.
  const baseline = { ...NO_BASELINE, count: Number.POSITIVE_INFINITY };
  const standing = here && now !== null ? standingOf(entry, now, baseline) : 'unknown';
  if (standing === 'held' || standing === 'fused') {
    const hint = 'Press Enter in the AI pane, or clear it there';
    return settled(
      'staged',
      fail('staged', 'copane stopped after typing; the text is in the composer', hint).error,
    );
  }
  if (standing === 'above' && entry.marked) return settled('delivered', null, 'marker');
  const message =
    standing === 'absent' && entry.state === 'pasted'
      ? 'copane stopped while typing; the text is not visible in the pane'
      : 'copane stopped before the delivery was confirmed';
  return settled(
    'unconfirmed',
    fail('unconfirmed', message, 'Look at the AI pane before you send it again').error,
  );
}
