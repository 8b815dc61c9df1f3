/** Which turns a `START:END` names. Turns count from 1, the newest. Pure. */
import { fail, ok, type Result } from '../../lib/result.ts';

/** Both ends belong to it; `start` ≤ `end`. */
export interface TurnRange {
  readonly start: number;
  /** `Infinity`: as far back as there are turns. */
  readonly end: number;
}

/** Reads `2:4`, `4:2` (the same), `3:` (from the third to the oldest), `:3` (the newest three), `2`. */
export function parseTurnRange(text: string): Result<TurnRange> {
  const match = /^(\d*)(?:(:)(\d*))?$/.exec(text.trim());
  const [, first = '', colon, last = ''] = match ?? [];
  if (match === null || (first === '' && last === '')) return badRange(text);
  const start = first === '' ? 1 : Number(first);
  const end = colon === undefined ? start : last === '' ? Number.POSITIVE_INFINITY : Number(last);
  if (start < 1 || end < 1) return badRange(text);
  return ok({ start: Math.min(start, end), end: Math.max(start, end) });
}

function badRange(text: string): Result<never> {
  return fail(
    'invalid',
    `"${text}" is no range of turns`,
    'Turns count from 1, the newest: 1:3 is the newest three, 2: all but the newest.',
  );
}

/** The named ones of `turns` (newest first), newest first. */
export function selectTurns<T>(turns: readonly T[], { start, end }: TurnRange): readonly T[] {
  return turns.slice(start - 1, end);
}
