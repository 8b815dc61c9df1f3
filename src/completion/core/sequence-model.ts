/** Predicts the next whole line at an empty prompt, by the last lines, their names, the folder, and overall. */
import { likeliest } from './likeliest.ts';
import { Ppm } from './ppm.ts';

const JOINT = '\u0000';
const DECAY = 0.97;
const SLOW_DECAY = 0.99;
/** Limit of lines after one context: beyond it the rarest are useless as predictions. */
const FOLLOWERS_MAX = 400;

/** The previous commands, and the folder. */
export interface Situation {
  /** The last line of the session, and the previous one; empty: unknown. */
  readonly last: string;
  readonly beforeLast: string;
  readonly cwd: string;
}

export interface NextLine {
  readonly line: string;
  readonly probability: number;
}

export class SequenceModel {
  readonly #ppm = new Ppm();

  learn(line: string, situation: Situation): void {
    for (const context of contextsOf(situation))
      this.#ppm.count(context, line, {
        decay: context === '' ? SLOW_DECAY : DECAY,
        followersMax: FOLLOWERS_MAX,
      });
  }

  /** The possible next lines that start with `prefix`, likeliest first. */
  next(situation: Situation, prefix: string, count: number): readonly NextLine[] {
    const { scores, unseen } = this.#ppm.blend(contextsOf(situation), prefix);
    let total = unseen;
    for (const score of scores.values()) total += score;
    return likeliest(scores, count).map(({ text, score }) => ({ line: text, probability: score / total }));
  }
}

const nameOf = (line: string): string => /^\S*/.exec(line)?.[0] ?? '';

function* contextsOf({ last, beforeLast, cwd }: Situation): Iterable<string> {
  if (last !== '') {
    if (beforeLast !== '') yield ['2', beforeLast, last].join(JOINT);
    yield ['1', last].join(JOINT);
    if (beforeLast !== '') yield ['n2', nameOf(beforeLast), nameOf(last)].join(JOINT);
    yield ['n1', nameOf(last)].join(JOINT);
  }
  if (cwd !== '') yield ['d', cwd].join(JOINT);
  yield '';
}
