/** The upper limit of savings: predictors that know the intended line, and take the longest prefix of it that they have. */
import { wordsOf } from '../../src/completion/core/vocabulary.ts';
import { createOurs, type OursOptions } from './ours.ts';
import type { Prediction, Predictor } from './replay.ts';

/** The longest of `lines` that `target` starts with; nothing if it is no longer than the typed text. */
function longest(lines: Iterable<string>, target: string, typed: string): readonly Prediction[] {
  let best = typed;
  for (const line of lines) if (line.length > best.length && target.startsWith(line)) best = line;
  return best === typed ? [] : [{ line: best, confidence: 1, source: 'oracle' }];
}

/** The best of all source suggestions, before ranking. */
export function bestProposal(options: OursOptions): Predictor {
  const ours = createOurs(options);
  return {
    ...ours,
    predict: (typed, cwd, target) =>
      longest(
        ours.propose(typed, cwd).map(({ line }) => line),
        target,
        typed,
      ),
  };
}

/** The best line of the history. */
export function bestLine(): Predictor {
  const lines = new Set<string>();
  return {
    predict: (typed, _cwd, target) => longest(lines, target, typed),
    learn: ({ line }) => void lines.add(line),
  };
}

/** Every earlier argument, and every part of one, once its command is typed. */
export function bestWord(): Predictor {
  const known = new Set<string>();
  return {
    predict(typed, _cwd, target) {
      const start = typed.search(/\S*$/);
      if (typed.slice(0, start).trim() === '') return [];
      const ends = [...target.slice(typed.length).matchAll(/$|(?=\s)|(?=[/@:=,._-])|(?<=\/)/g)];
      const starts = [
        start,
        ...[...typed.slice(start).matchAll(/[/@:=,._-]/g)].map(({ index }) => start + index + 1),
      ];
      const words = ends.flatMap(({ index }) => starts.map((from) => ({ from, to: typed.length + index })));
      return longest(
        words
          .filter(({ from, to }) => known.has(target.slice(from, to)))
          .map(({ to }) => target.slice(0, to)),
        target,
        typed,
      );
    },
    learn({ line }) {
      for (const { text } of wordsOf(line)) known.add(text);
    },
  };
}
