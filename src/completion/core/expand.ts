/**
 * Grows a line word by word along a model of words: the first word branches, every further one is taken only
 * while the model is sure. Used for the user's own habits and for the shipped prior alike.
 */
import { LINE_END, type NextWord } from './token-model.ts';
import { tokenize } from './tokens.ts';

export interface Growth {
  /** The whole line left of the cursor, grown. */
  readonly left: string;
  readonly probability: number;
  /** The model expects more. */
  readonly partial: boolean;
}

/** What knows which word may come next. */
export interface WordModel {
  next(words: readonly string[], prefix: string, count: number): readonly NextWord[];
}

export interface GrowthOptions {
  /** How many first words to try. */
  readonly branches: number;
  /** A further word is taken while it is at least this likely. */
  readonly sure: number;
  readonly maxWords: number;
}

/** Words and operators of a line, as the token model learns them. */
export function modelWords(line: string): readonly string[] {
  return tokenize(line).map((token) => token.text);
}

/** A word after which more is at least this likely brings the blank along: it is one key less. */
const BLANK_FROM = 0.6;

/** Continuations of `left` by the model, the likeliest first. */
export function growLine(model: WordModel, left: string, options: GrowthOptions): readonly Growth[] {
  const tokens = tokenize(left);
  const last = tokens.at(-1);
  const inWord = last !== undefined && last.end === left.length && left !== '';
  const before = (inWord ? tokens.slice(0, -1) : tokens).map((token) => token.text);
  const current = inWord ? last.text : '';
  const base = left.slice(0, left.length - current.length);
  const growths: Growth[] = [];
  for (const { word, probability } of model.next(before, current, options.branches)) {
    if (word === LINE_END) continue;
    if (word !== current)
      growths.push(...extend(model, [...before, word], base + word, probability, options));
    // The word may be whole: then the next one begins.
    else
      for (const next of model.next([...before, word], '', options.branches))
        if (next.word !== LINE_END)
          growths.push(
            ...extend(
              model,
              [...before, word, next.word],
              `${base}${word} ${next.word}`,
              probability * next.probability,
              options,
            ),
          );
  }
  return growths.sort((a, b) => b.probability - a.probability);
}

/** The line with its first new word, and each longer one while the model is sure of more. */
function extend(
  model: WordModel,
  words: string[],
  start: string,
  probability: number,
  options: GrowthOptions,
): readonly Growth[] {
  const growths: Growth[] = [];
  let left = start;
  let likelihood = probability;
  for (let added = 1; added <= options.maxWords; added += 1) {
    const followers = model.next(words, '', 3);
    const [next] = followers;
    const ends = followers.find(({ word }) => word === LINE_END)?.probability ?? 0;
    growths.push(endOf(left, likelihood, next === undefined ? 1 : ends));
    if (next === undefined || next.word === LINE_END || next.probability < options.sure) break;
    words.push(next.word);
    left = `${left} ${next.word}`;
    likelihood *= next.probability;
  }
  return growths;
}

function endOf(left: string, probability: number, ends: number): Growth {
  if (1 - ends >= BLANK_FROM)
    return { left: `${left} `, probability: probability * (1 - ends), partial: true };
  return { left, probability, partial: ends < 0.5 };
}
