/** `/`, `n`, `N`: search the list, the response or the draft, whichever has the focus. */

import { createMatcher, findNext } from '../kit/search.ts';
import { moveDraftTo } from './draft-commands.ts';
import { markTurn } from './list-commands.ts';
import {
  done,
  type ResponsesFacts,
  type ResponsesHandlers,
  type ResponsesModel,
  type ResponsesOutcome,
  say,
} from './model.ts';
import { moveInResponse } from './reading-commands.ts';
import { placeIn, selectedIndex, selectedTurn } from './state.ts';

/** Searches for the typed text. */
export function acceptSearch(state: ResponsesModel, facts: ResponsesFacts, query: string): ResponsesOutcome {
  const closed: ResponsesModel = { ...state, overlay: null };
  if (query === '') return done({ ...closed, responses: { ...closed.responses, search: null } });
  const search = { query, where: closed.responses.focus };
  return goToMatch({ ...closed, responses: { ...closed.responses, search } }, facts, 1);
}

function goToMatch(state: ResponsesModel, facts: ResponsesFacts, step: 1 | -1): ResponsesOutcome {
  const { search, focus } = state.responses;
  if (search === null) return say(state, facts, 'info', 'No search yet. / searches.');
  const matcher = createMatcher(search.query);
  const { texts, from, go } = searchable(state, facts, focus);
  const found = findNext(texts.length, from, step, (index) => matcher.matches(texts[index] ?? ''));
  if (found === -1) return say(state, facts, 'warn', `"${search.query}" is not in the ${WHERE[focus]}`);
  const total = texts.reduce((sum, text) => sum + (matcher.matches(text) ? 1 : 0), 0);
  const before = texts.slice(0, found).reduce((sum, text) => sum + (matcher.matches(text) ? 1 : 0), 0);
  return say(go(found), facts, 'info', `Match ${before + 1} of ${total}`);
}

const WHERE = { list: 'list', reading: 'response', draft: 'draft' } as const;

interface Searchable {
  readonly texts: readonly string[];
  readonly from: number;
  readonly go: (index: number) => ResponsesModel;
}

function searchable(
  state: ResponsesModel,
  facts: ResponsesFacts,
  focus: ResponsesModel['responses']['focus'],
): Searchable {
  const { responses } = state;
  if (focus === 'draft') {
    return {
      texts: state.draft.draft.lines.map((line) => line.text),
      from: state.draft.cursor.line,
      go: (line) => moveDraftTo(state, line),
    };
  }
  const turn = selectedTurn(responses, facts.view.turns);
  if (focus === 'reading' && turn !== null) {
    return {
      texts: facts.docs(turn, responses.form).lines.map((line) => line.text),
      from: placeIn(responses, turn.id).cursor.line,
      go: (line) => moveInResponse(state, facts, { to: 'line', line }),
    };
  }
  return {
    texts: facts.view.turns.map((candidate) => `${candidate.prompt}\n${candidate.response}`),
    from: selectedIndex(responses, facts.view.turns),
    go: (index) => markTurn(state, facts, index),
  };
}

export const searchCommands: ResponsesHandlers = {
  'search/open': (state) =>
    done({ ...state, overlay: { kind: 'prompt', query: '', sign: null, purpose: 'search' } }),
  'search/next': (state, facts) => goToMatch(state, facts, 1),
  'search/previous': (state, facts) => goToMatch(state, facts, -1),
};
