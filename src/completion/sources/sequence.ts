/** Proposes the line that usually follows the last two, while at most two letters are typed. */
import type { Knowledge } from '../core/knowledge.ts';
import type { Query, Suggestion } from '../core/suggestion.ts';
import type { Source } from './source.ts';

const PROPOSALS_MAX = 6;
/** With more letters the history source predicts better. */
const TYPED_MAX = 2;

export function createSequenceSource(knowledge: Knowledge): Source {
  return {
    name: 'sequence',
    suggest({ line, cursor, cwd, session }: Query): readonly Suggestion[] {
      if (line.length > TYPED_MAX || cursor !== line.length) return [];
      const situation = knowledge.situation(session, cwd);
      const lines = knowledge.sequences
        .next(situation, line, PROPOSALS_MAX)
        .filter(({ line: next }) => knowledge.history.usesOf(next) > 0);
      return lines.map(({ line: next, probability }) => ({
        line: next,
        cursor: null,
        source: 'sequence',
        probability,
        partial: false,
        why: 'follows what ran before',
      }));
    },
  };
}
