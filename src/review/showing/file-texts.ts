/** A whole file before and after its suggestion, as text: a part's meaning depends on what is around it. */
import type { FileTexts } from '../../protocol/review.ts';
import type { FileReview } from '../core/file-review.ts';

/** Nothing of a longer file is sent: nobody could colour it in time. */
export const TEXT_MAX_BYTES = 400 * 1024;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Both texts, regardless of decisions. */
export function fileTexts(review: FileReview): FileTexts {
  const whole = review.untouched();
  const all = whole.decide(new Set(whole.changes.map(({ id }) => id)), 'accept');
  return {
    before: textOf(review.table()?.bytes ?? null),
    after: all.ok ? textOf(all.value.image()?.bytes ?? null) : null,
  };
}

function textOf(bytes: Uint8Array | null): string | null {
  if (bytes === null || bytes.length > TEXT_MAX_BYTES || bytes.includes(0)) return null;
  return decoder.decode(bytes);
}
