/** Extends a line word by word with a word model: branches at the first word, then continues while confident. */
import { append, isPlain, mayFollow, openConstructs, type Piece, textOf, typedPieces } from './pieces.ts';
import { LINE_END, type NextWord } from './token-model.ts';

export interface Growth {
  /** The extended line left of the cursor. */
  readonly left: string;
  readonly probability: number;
  /** The model expects more. */
  readonly partial: boolean;
}

/** Predicts the next piece of a line. */
export interface WordModel {
  next(pieces: readonly Piece[], prefix: string, count: number): readonly NextWord[];
}

export interface GrowthOptions {
  /** How many first words to try. */
  readonly branches: number;
  /** A further word is added while it is at least this likely. */
  readonly sure: number;
  readonly maxWords: number;
  /** Whether `left`, which ends in `piece` after `pieces`, may be offered. Default: everything may. */
  readonly accepts?: (left: string, pieces: readonly Piece[], piece: Piece) => boolean;
}

/** A word that is continued with at least this probability includes the space after it, which saves a key. */
const BLANK_FROM = 0.6;

/** Offerable words are chosen from this many times the wanted number. */
const LOOKED_AT = 3;

interface Start {
  readonly pieces: readonly Piece[];
  readonly left: string;
  readonly probability: number;
}

/** The model's continuations of `left`, likeliest first. None leaves a construct open or closes one that is not. */
export function growLine(model: WordModel, left: string, options: GrowthOptions): readonly Growth[] {
  const { before, current, base, gap } = typedPieces(left);
  const open = openConstructs(before);
  const isFit = (left: string, pieces: readonly Piece[], piece: Piece) =>
    (open === null || openConstructs([...pieces, piece]) !== null) &&
    options.accepts?.(left, pieces, piece) !== false;
  const growths: Growth[] = [];
  const grow = (start: Start) => growths.push(...extend(model, start, { ...options, open, accepts: isFit }));
  const nextOf = (pieces: readonly Piece[], prefix: string, leftOf: (word: Piece) => string) =>
    model
      .next(pieces, prefix, options.branches * LOOKED_AT)
      .filter(({ word }) => word !== LINE_END)
      .filter(({ word }) => word === prefix || isFit(leftOf(word), pieces, word))
      .slice(0, options.branches);
  for (const { word, probability } of nextOf(before, current, (word) => base + textOf(word))) {
    const pieces = [...before, word];
    if (word !== current) {
      if (current !== '' || mayFollow(gap, word)) grow({ pieces, left: base + textOf(word), probability });
      continue;
    }
    // The piece may be complete: then the next one begins.
    const behind = (next: Piece) => append(base + textOf(word), next);
    for (const next of nextOf(pieces, '', behind))
      grow({
        pieces: [...pieces, next.word],
        left: behind(next.word),
        probability: probability * next.probability,
      });
  }
  return growths.sort((a, b) => b.probability - a.probability);
}

/** The line with its first new piece, then each longer line while the model is confident. */
function extend(
  model: WordModel,
  start: Start,
  { sure, maxWords, open, accepts }: GrowthOptions & { readonly open: number | null },
): readonly Growth[] {
  const growths: Growth[] = [];
  const pieces = [...start.pieces];
  let { left, probability } = start;
  for (let added = 1; added <= maxWords; added += 1) {
    const followers = model.next(pieces, '', 3);
    const [next] = followers;
    const ends = followers.find(({ word }) => word === LINE_END)?.probability ?? 0;
    const stillOpen = openConstructs(pieces) ?? 0;
    if (open === null || stillOpen <= open) {
      const growth = endOf({ left, probability, ends: next === undefined ? 1 : ends, next });
      growths.push(stillOpen > 0 ? { ...growth, partial: true } : growth);
    }
    if (next === undefined || next.word === LINE_END || next.probability < sure) break;
    const longer = append(left, next.word);
    if (accepts?.(longer, pieces, next.word) === false) break;
    pieces.push(next.word);
    left = longer;
    probability *= next.probability;
  }
  return growths;
}

interface End {
  readonly left: string;
  readonly probability: number;
  readonly ends: number;
  readonly next: NextWord | undefined;
}

function endOf({ left, probability, ends, next }: End): Growth {
  const brings = 1 - ends >= BLANK_FROM && next !== undefined && isPlain(next.word);
  return brings
    ? { left: `${left} `, probability: probability * (1 - ends), partial: true }
    : { left, probability, partial: ends < 0.5 };
}
