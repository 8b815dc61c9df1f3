/** The few best of many, without sorting them all. Deterministic: of two equal scores, the one that sorts first. */

export interface Scored {
  readonly text: string;
  readonly score: number;
}

/** The `count` highest scores, highest first. */
export function likeliest(scores: Iterable<readonly [string, number]>, count: number): readonly Scored[] {
  const best: Scored[] = [];
  for (const [text, score] of scores) {
    const last = best.at(-1);
    if (best.length >= count && last !== undefined && !isBetter(text, score, last)) continue;
    let at = best.length;
    for (
      let before = best[at - 1];
      before !== undefined && isBetter(text, score, before);
      before = best[at - 1]
    )
      at -= 1;
    best.splice(at, 0, { text, score });
    if (best.length > count) best.pop();
  }
  return best;
}

const isBetter = (text: string, score: number, than: Scored) =>
  score > than.score || (score === than.score && text < than.text);
