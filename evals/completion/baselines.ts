/** What people use today, as predictors: whole lines of the user's history that start with the typed text. */
import type { Prediction, Predictor } from './replay.ts';
import type { TraceCommand } from './trace.ts';

const ROWS = 4;

function rows(lines: Iterable<string>, typed: string): readonly Prediction[] {
  const chosen = new Set<string>();
  for (const line of lines) {
    if (line !== typed && line.startsWith(typed)) chosen.add(line);
    if (chosen.size === ROWS) break;
  }
  return [...chosen].map((line) => ({ line, confidence: 0.5, source: 'history' }));
}

/** The `history` strategy of zsh-autosuggestions, in four rows. */
export function mostRecent(): Predictor {
  const lines: string[] = [];
  return {
    predict: (typed) => rows([...lines].reverse(), typed),
    learn: ({ line }) => void lines.push(line),
  };
}

export function mostFrequent(): Predictor {
  const counts = new Map<string, number>();
  return {
    predict: (typed) =>
      rows(
        [...counts].sort((a, b) => b[1] - a[1]).map(([line]) => line),
        typed,
      ),
    learn: ({ line }) => void counts.set(line, (counts.get(line) ?? 0) + 1),
  };
}

/** The `match_prev_cmd` strategy: lines that ran after the same command first. */
export function matchPreviousCommand(): Predictor {
  const lines: string[] = [];
  return {
    predict(typed) {
      const previous = lines.at(-1);
      const after = lines.filter((_, at) => at > 0 && lines[at - 1] === previous).reverse();
      return rows([...after, ...[...lines].reverse()], typed);
    },
    learn: ({ line }: TraceCommand) => void lines.push(line),
  };
}
