/** Proposes past lines with the typed start; on an empty line, those that followed the last command. */
import type { Knowledge } from '../core/knowledge.ts';
import type { Query, Suggestion } from '../core/suggestion.ts';
import type { Source } from './source.ts';

const MATCHES_MAX = 24;
/** Weight of a new line: the fewer letters are typed and the less evidence there is, the likelier. */
const NOVELTY = 1.2;
const NOVELTY_AT_EMPTY = 4;

const RAN_ONCE = {
  uses: 1,
  weight: 1,
  inThisDirectory: false,
  afterPrevious: false,
  failureShare: 0,
} as const;

export function createHistorySource(knowledge: Knowledge): Source {
  return {
    name: 'history',
    suggest(query: Query): readonly Suggestion[] {
      const left = query.line.slice(0, query.cursor);
      const right = query.line.slice(query.cursor);
      const { matches, total } = knowledge.history.match({
        prefix: left,
        cwd: query.cwd,
        previous: knowledge.recent(query.session).at(-1)?.line ?? '',
        limit: MATCHES_MAX,
      });
      const unsaved = knowledge.unsaved(query.session, left).map((line) => ({ ...RAN_ONCE, line }));
      const whole = total + unsaved.length + (left === '' ? NOVELTY_AT_EMPTY : NOVELTY);
      return [...unsaved, ...matches]
        .filter(({ line }) => right === '' || line.endsWith(right))
        .map((match) => ({
          line: match.line,
          cursor: right === '' ? null : match.line.length - right.length,
          source: 'history',
          probability: match.weight / whole,
          partial: false,
          signals: [
            Math.log1p(match.uses),
            match.afterPrevious ? 1 : 0,
            (match.inThisDirectory ? 1 : 0) - match.failureShare,
          ],
          why: describe(match.uses, match.inThisDirectory, match.afterPrevious),
        }));
    },
  };
}

function describe(uses: number, here: boolean, after: boolean): string {
  const where = here ? ', here too' : '';
  const when = after ? ', after the same command' : '';
  return `ran ${uses === 1 ? 'once' : `${uses} times`}${where}${when}`;
}
