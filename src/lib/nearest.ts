/** "Did you mean": the known word that a mistyped one is closest to. */

/** Edits that still count as a typo: a third of the word, at least one. */
const tolerance = (word: string): number => Math.max(1, Math.floor(word.length / 3));

/** The closest word in `known`; null if none is close enough. */
export function nearest(word: string, known: Iterable<string>): string | null {
  let best: string | null = null;
  let bestDistance = tolerance(word) + 1;
  for (const candidate of known) {
    const costs = { limit: bestDistance - 1, replace: () => 1, swap: 1 };
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase(), costs);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

interface EditCosts {
  /** Beyond this, the exact distance is not computed. */
  readonly limit: number;
  readonly replace: (one: string, other: string) => number;
  /** Cost of swapping two neighbours. */
  readonly swap: number;
}

/** Optimal string alignment distance; insertions and deletions cost 1. `limit + 1` once it must exceed `limit`. */
export function editDistance(a: string, b: string, { limit, replace, swap }: EditCosts): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= b.length; column += 1) {
      const x = a[row - 1] ?? '';
      const y = b[column - 1] ?? '';
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (x === y ? 0 : replace(x, y)),
      );
      if (row > 1 && column > 1 && x === b[column - 2] && a[row - 2] === y)
        cost = Math.min(cost, (beforePrevious[column - 2] ?? 0) + (x === y ? 0 : swap));
      current.push(cost);
      least = Math.min(least, cost);
    }
    if (least > limit) return limit + 1;
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length] ?? limit + 1;
}
