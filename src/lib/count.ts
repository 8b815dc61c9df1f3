/** `1 line`, `2 lines`. */
export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}

/** `a, b and 3 more`: the first names of many. */
export function firstFew(names: readonly string[], most = 5): string {
  const more = names.length > most ? ` and ${names.length - most} more` : '';
  return names.slice(0, most).join(', ') + more;
}

/** `3`, `3-5`. */
export function rangeWords({ first, last }: { readonly first: number; readonly last: number }): string {
  return first === last ? String(first) : `${first}-${last}`;
}
