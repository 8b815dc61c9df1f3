/** Turns selected by `pull -r START:END`. Turns count from 1, the newest; both ends are included. */
import { fail, ok, type Result } from '../../lib/result.ts';

export interface TurnRange {
  readonly start: number;
  /** `Infinity`: to the oldest. */
  readonly end: number;
}

const NUMBER = /^[1-9]\d{0,8}$/;

/** `START:END`: either end may be left out (`2:`, `:3`), and the ends may be swapped. */
export function parseTurnRange(text: string): Result<TurnRange> {
  const [from = '', to = '', ...more] = text.split(':');
  const isEnd = (end: string) => end === '' || NUMBER.test(end);
  if (!text.includes(':') || more.length > 0 || !isEnd(from) || !isEnd(to) || (from === '' && to === '')) {
    const got = JSON.stringify(text);
    return fail(
      'invalid',
      `-r takes START:END, turns counted from 1, the newest; got ${got}`,
      'For example: -r 1:3',
    );
  }
  const start = from === '' ? 1 : Number(from);
  const end = to === '' ? Number.POSITIVE_INFINITY : Number(to);
  return ok({ start: Math.min(start, end), end: Math.max(start, end) });
}

/** The `turns` (newest first) in the range, in the same order; the range is clamped. */
export function selectTurns<T>(turns: readonly T[], { start, end }: TurnRange): readonly T[] {
  return turns.slice(start - 1, end);
}

/** The failure when the n-th newest turn is requested and there are fewer. */
export const noTurn = (wanted: number, there: number) =>
  fail('not_found', `there is no turn ${wanted}: there ${there === 1 ? 'is 1 turn' : `are ${there} turns`}`);
