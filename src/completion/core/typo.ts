/** Finds the known word that a mistyped one should be. Knows distances and frequencies, no file system. */
import { editDistance } from '../../lib/nearest.ts';

/** Letters side by side on a QWERTY keyboard; hitting a neighbour is the likeliest slip. */
const ROWS = ['1234567890-=', 'qwertyuiop[]', "asdfghjkl;'", 'zxcvbnm,./'];
const SHORT_WORD = 4;

function isNeighbour(a: string, b: string): boolean {
  for (const [rowIndex, row] of ROWS.entries()) {
    const at = row.indexOf(a);
    if (at === -1) continue;
    if (row[at - 1] === b || row[at + 1] === b) return true;
    const below = ROWS[rowIndex + 1] ?? '';
    const above = ROWS[rowIndex - 1] ?? '';
    return below[at] === b || below[at - 1] === b || above[at] === b || above[at + 1] === b;
  }
  return false;
}

/** The distance of two letters swapped. */
export const LIKELY_SLIP = 0.7;
/** The distance of a letter typed once instead of twice, or vice versa. */
const DOUBLED = 0.4;

const withoutDoubles = (word: string): string => word.replaceAll(/(.)\1+/g, '$1');

/** Distance of two words as typed on a keyboard: a slip to the next key, a swap, or a doubled letter count less. */
export function slipDistance(a: string, b: string, limit: number): number {
  if (a !== b && withoutDoubles(a) === withoutDoubles(b)) return DOUBLED;
  return editDistance(a, b, { limit, replace: (x, y) => (isNeighbour(x, y) ? 0.8 : 1), swap: LIKELY_SLIP });
}

/** Which letters a word has, as bits; two letters may share one. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/** A slip removes and adds at most one letter each: words whose letters differ more are farther apart than `limit`. */
const mayBeNear = (a: number, b: number, limit: number) => countBits(a ^ b) <= 2 * limit;

export interface KnownWord {
  readonly word: string;
  /** How often it was used; 0 for a command that only exists. */
  readonly uses: number;
}

export interface Correction {
  readonly word: string;
  readonly distance: number;
  /** Share of this word among all corrections, by use and distance. */
  readonly share: number;
}

/** The largest distance of a correction: one slip in a short word, two in a longer one; for two letters only a swap. */
const typoLimit = (word: string): number => (word.length <= SHORT_WORD ? 1 : 2);

/** Uses that a longer word needs before a two-letter word counts as a slip of it. */
const SHORT_SLIP_USES = 3;

/** Half of all two-letter words are one slip apart: only a swap, or a letter missing from a used word, is evidence. */
function isShortSlip(word: string, candidate: KnownWord, distance: number): boolean {
  if (distance <= LIKELY_SLIP) return true;
  return candidate.uses >= SHORT_SLIP_USES && candidate.word.length === 3 && candidate.word[0] === word[0];
}

/** The factor by which a correction is less likely per unit of distance. */
const DISTANCE_DECAY = 9;
/** Few people mistype the first letter, except by a swap. */
const FIRST_LETTER_FACTOR = 0.4;
/** A command that exists but was never used still counts for something. */
const UNUSED_WEIGHT = 0.15;

/** Known words that `word` may stand for, the likeliest first. */
export function corrections(word: string, known: Iterable<KnownWord>, count: number): readonly Correction[] {
  if (word.length < 2) return [];
  const limit = typoLimit(word);
  const letters = lettersOf(word);
  const found: { word: string; distance: number; weight: number }[] = [];
  for (const candidate of known) {
    if (candidate.word === word || candidate.word.length < 2) continue;
    if (Math.abs(candidate.word.length - word.length) > limit) continue;
    if (!mayBeNear(letters, lettersOf(candidate.word), limit)) continue;
    const distance = slipDistance(word, candidate.word, limit);
    if (distance > limit || (word.length === 2 && !isShortSlip(word, candidate, distance))) continue;
    const isMissed = candidate.word[0] !== word[0] && distance > LIKELY_SLIP;
    const likelihood = (isMissed ? FIRST_LETTER_FACTOR : 1) * DISTANCE_DECAY ** -distance;
    found.push({ word: candidate.word, distance, weight: (candidate.uses + UNUSED_WEIGHT) * likelihood });
  }
  const total = found.reduce((sum, one) => sum + one.weight, 0);
  return found
    .sort((a, b) => b.weight - a.weight || a.word.localeCompare(b.word))
    .slice(0, count)
    .map(({ word: corrected, distance, weight }) => ({ word: corrected, distance, share: weight / total }));
}
