/** Proposes the next words by the user's habits, for lines that never ran as a whole. */
import { growLine } from '../core/expand.ts';
import type { Knowledge } from '../core/knowledge.ts';
import type { Piece } from '../core/pieces.ts';
import type { Query, Suggestion } from '../core/suggestion.ts';
import type { Source } from './source.ts';

const GROWTH = { branches: 6, sure: 0.55, maxWords: 8 } as const;

export function createTokensSource(knowledge: Knowledge): Source {
  return {
    name: 'tokens',
    suggest(query: Query): readonly Suggestion[] {
      const left = query.line.slice(0, query.cursor);
      const right = query.line.slice(query.cursor);
      if (left.trim() === '' || (right !== '' && !/^\s/.test(right))) return [];
      // Words from a single line could only repeat that line.
      const accepts = (grown: string, pieces: readonly Piece[], piece: Piece) =>
        knowledge.tokens.isHabit(pieces, piece) || knowledge.history.hasStart(grown);
      return growLine(knowledge.tokens, left, { ...GROWTH, accepts }).map((growth) => {
        // The line already has the blank after the word.
        const grown = right === '' ? growth.left : growth.left.trimEnd();
        return {
          line: grown + right,
          cursor: right === '' ? null : grown.length,
          source: 'tokens',
          probability: growth.probability,
          partial: growth.partial,
          why: 'words that you often use together',
        };
      });
    },
  };
}
