/** A menu to start a review of the user's own changes, one row per source. */
import type { SuggestionSource } from '../../protocol/commands/review.ts';
import type { MenuRow } from '../kit/menu.ts';
import { span } from '../kit/row.ts';
import {
  done,
  type ReviewFacts,
  type ReviewHandler,
  type ReviewModel,
  type ReviewOutcome,
  say,
} from './model.ts';

interface Choice {
  readonly words: string;
  /** The equivalent command line. */
  readonly remark: string;
  readonly choose: (state: ReviewModel) => ReviewOutcome;
}

const starting =
  (source: SuggestionSource, name: string) =>
  (state: ReviewModel): ReviewOutcome =>
    done(state, { kind: 'start-review', source, name });

/** In menu order. */
const CHOICES: readonly Choice[] = [
  {
    words: 'The working tree: everything that is not committed',
    remark: 'copane review',
    choose: starting({ kind: 'working_tree', against: 'head' }, 'working tree'),
  },
  {
    words: 'What is staged',
    remark: 'copane review --staged',
    choose: starting({ kind: 'index' }, 'staged'),
  },
  {
    words: 'What is not staged',
    remark: 'copane review --unstaged',
    choose: starting({ kind: 'working_tree', against: 'index' }, 'not staged'),
  },
  {
    words: 'What the newest answer of the AI changed',
    remark: 'copane review --turn 1',
    choose: (state) => done(state, { kind: 'review-newest' }),
  },
  {
    words: 'A branch, or a range of commits',
    remark: 'copane review A..B',
    choose: (state) =>
      done({
        ...state,
        overlay: { kind: 'prompt', query: '', sign: 'Branch or range: ', purpose: 'range' },
      }),
  },
];

export const openStartMenu: ReviewHandler = (state) =>
  done({ ...state, overlay: { kind: 'start-review', cursor: 0 } });

export function startRows(): readonly MenuRow[] {
  return CHOICES.map(({ words, remark }) => ({ left: [span(words)], right: [span(remark, 'dim')] }));
}

export const chooseStart: ReviewHandler = (state) => {
  const { overlay } = state;
  if (overlay?.kind !== 'start-review') return done(state);
  const closed: ReviewModel = { ...state, overlay: null };
  return CHOICES[overlay.cursor]?.choose(closed) ?? done(closed);
};

/** Starts a review of the typed branch or range. */
export function startRange(state: ReviewModel, facts: ReviewFacts, query: string): ReviewOutcome {
  const range = query.trim();
  if (range === '') return say(state, facts, 'info', 'No branch was given');
  return starting({ kind: 'range', range }, range)(state);
}
