/** `1 line`, `2 lines`. */
export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}

/** `3`, `3-5`. */
export function rangeWords({ first, last }: { readonly first: number; readonly last: number }): string {
  return first === last ? String(first) : `${first}-${last}`;
}
