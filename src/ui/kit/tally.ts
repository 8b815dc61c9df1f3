/** Hunk states as signs and counts. Pure. */
import type { Hunk } from '../../protocol/review.ts';
import { type Row, span } from './row.ts';
import type { Role } from './theme/role.ts';
import type { Glyphs, Theme } from './theme/theme.ts';

export type HunkStatus = Hunk['status'];

export type Tally = Readonly<Record<'accepted' | 'rejected' | 'open' | 'conflict', number>>;

const STATUS_ROLES: Readonly<Record<HunkStatus, Role>> = {
  pending: 'dim',
  accepted: 'ok',
  rejected: 'error',
  modified: 'ok',
  conflict: 'warn',
  already_applied: 'dim',
};

export const STATUS_WORDS: Readonly<Record<HunkStatus, string>> = {
  pending: 'open',
  conflict: 'conflict',
  accepted: 'accepted',
  modified: 'modified',
  rejected: 'rejected',
  already_applied: 'there already',
};

/** A state's sign. */
export function statusSpan(status: HunkStatus, theme: Theme): Row[number] {
  return span(glyphOf(status, theme.glyphs), STATUS_ROLES[status]);
}

/** A status's sign in a theme. */
export function glyphOf(status: HunkStatus, glyphs: Glyphs): string {
  return status === 'already_applied' ? glyphs.applied : glyphs[status];
}

/** `✓1 ✗1 ◌3 !0`. */
export function tallyRow(tally: Tally, theme: Theme, which: 'all' | 'nonzero'): Row {
  const parts = [
    ['accepted', tally.accepted],
    ['rejected', tally.rejected],
    ['pending', tally.open],
    ['conflict', tally.conflict],
  ] as const;
  if (theme.options.plain) {
    const counted = parts.filter(([, amount]) => amount > 0);
    return [span(counted.map(([status, amount]) => `${amount} ${status}`).join(', '))];
  }
  return parts
    .filter(([, amount]) => which === 'all' || amount > 0)
    .flatMap(([status, amount], index) => {
      const sign = statusSpan(status, theme);
      return [span(index === 0 ? '' : ' '), span(`${sign.text}${amount}`, amount === 0 ? 'dim' : sign.role)];
    });
}
