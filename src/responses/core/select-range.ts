/** Which turns `pull` means: `-n N`, `-r START:END`, `--all`. Turns count from 1, the newest. */
import { fail, ok, type Result } from '../../lib/result.ts';

export type TurnSelection =
  | { readonly kind: 'one'; readonly index: number }
  /** Both ends included. `last` null: to the oldest. */
  | { readonly kind: 'range'; readonly first: number; readonly last: number | null }
  | { readonly kind: 'all' };

const NUMBER = /^[1-9]\d{0,8}$/;

/** `N` of `-n`. */
export function parseTurnNumber(text: string): Result<TurnSelection> {
  if (!NUMBER.test(text))
    return fail('invalid', `-n takes a number from 1 on, 1 for the newest turn; got ${JSON.stringify(text)}`);
  return ok({ kind: 'one', index: Number(text) });
}

/** `START:END` of `-r`: either end may be left out (`2:`, `:3`), and the ends may be swapped. */
export function parseTurnRange(text: string): Result<TurnSelection> {
  const [from = '', to = '', ...more] = text.split(':');
  const isEnd = (end: string) => end === '' || NUMBER.test(end);
  if (!text.includes(':') || more.length > 0 || !isEnd(from) || !isEnd(to) || (from === '' && to === '')) {
    return fail(
      'invalid',
      `-r takes START:END, turns counted from 1, the newest; got ${JSON.stringify(text)}`,
      'For example: -r 1:3',
    );
  }
  const first = from === '' ? 1 : Number(from);
  if (to === '') return ok({ kind: 'range', first, last: null });
  const last = Number(to);
  return ok({ kind: 'range', first: Math.min(first, last), last: Math.max(first, last) });
}

/** How many of the newest turns must be known; null for all. */
export function turnsNeeded(selection: TurnSelection): number | null {
  if (selection.kind === 'one') return selection.index;
  return selection.kind === 'range' ? selection.last : null;
}

/**
 * The selected ones of `turns` (newest first), in the order in which they were said: oldest first. A range is cut
 * to what there is; a selection that hits nothing is `not_found`, unless there are no turns at all.
 */
export function selectTurns<T>(turns: readonly T[], selection: TurnSelection): Result<readonly T[]> {
  if (turns.length === 0 || selection.kind === 'all') return ok(turns.toReversed());
  const first = selection.kind === 'one' ? selection.index : selection.first;
  const last = selection.kind === 'one' ? selection.index : (selection.last ?? turns.length);
  if (first > turns.length) {
    const known = turns.length === 1 ? 'there is 1 turn' : `there are ${turns.length} turns`;
    return fail('not_found', `No turn ${first}: ${known}`, 'Turns count from 1, the newest.');
  }
  return ok(turns.slice(first - 1, last).toReversed());
}
