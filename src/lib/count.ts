/** `1 line`, `2 lines`. */
export const count = (amount: number, noun: string): string => `${amount} ${noun}${amount === 1 ? '' : 's'}`;

/** `2 lines`, or `500+ lines` if there are more. */
export const countAtLeast = (amount: number, noun: string, more: boolean): string =>
  more ? `${amount}+ ${noun}s` : count(amount, noun);

/** `a, b and 3 more`: the first few of many names. */
export function firstFew(names: readonly string[], most = 5): string {
  const more = names.length > most ? ` and ${names.length - most} more` : '';
  return names.slice(0, most).join(', ') + more;
}

/** `a, b and 3 more: why`, for each reason. */
export function namesByReason(pairs: readonly (readonly [name: string, why: string])[]): string[] {
  const byReason = Map.groupBy(pairs, ([, why]) => why);
  return [...byReason].map(([why, some]) => `${firstFew(some.map(([name]) => name))}: ${why}`);
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** `3`, `3-5`. */
export function rangeWords({ first, last }: { readonly first: number; readonly last: number }): string {
  return first === last ? String(first) : `${first}-${last}`;
}
