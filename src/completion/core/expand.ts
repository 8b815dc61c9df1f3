/**
 * Grows a line piece by piece along a model of words: the first one branches, every further one is taken only
 * while the model is sure. Used for the user's own habits and for the shipped prior alike.
 */
import { append, isPlain, mayFollow, openConstructs, type Piece, textOf, typedPieces } from './pieces.ts';
import { LINE_END, type NextWord } from './token-model.ts';

export interface Growth {
  /** The whole line left of the cursor, grown. */
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
  /** A further word is taken while it is at least this likely. */
  readonly sure: number;
  readonly maxWords: number;
  /** Whether `left`, which ends in `piece` behind `pieces`, may be offered at all. Left out: everything. */
  readonly accepts?: (left: string, pieces: readonly Piece[], piece: Piece) => boolean;
}

/** A word after which more is at least this likely brings the blank along: it is one key less. */
const BLANK_FROM = 0.6;

/** Of so many times the words that are wanted, those are chosen that may be offered. */
const LOOKED_AT = 3;

interface Start {
  readonly pieces: readonly Piece[];
  readonly left: string;
  readonly probability: number;
}

/** Continuations of `left` by the model, the likeliest first. None of them leaves a construct open, or closes one that is not. */
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
    // The piece may be whole: then the next one begins.
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

/** The line with its first new piece, and each longer one while the model is sure of more. */
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
  /** The probability that the line ends here. */
  readonly ends: number;
  readonly next: NextWord | undefined;
}

function endOf({ left, probability, ends, next }: End): Growth {
  const brings = 1 - ends >= BLANK_FROM && next !== undefined && isPlain(next.word);
  return brings
    ? { left: `${left} `, probability: probability * (1 - ends), partial: true }
    : { left, probability, partial: ends < 0.5 };
}
