/** Commands on the marked response: copy it, open it in an editor, compare it, take its code. */

import type { Turn } from '../../protocol/turn.ts';
import { codeBlocks } from '../../responses/core/code-blocks.ts';
import { diffResponses } from '../../responses/core/response-diff.ts';
import { count, formatMoment } from '../kit/time.ts';
import { done, type ResponsesHandler, type ResponsesHandlers, say } from './model.ts';
import { selectedLines } from './reading.ts';
import { changePlace } from './reading-commands.ts';
import { placeIn, selectedTurn } from './state.ts';

const NO_RESPONSE = 'There is no response here';

export const responseCommands: ResponsesHandlers = {
  copy: withResponse(({ response }, state) =>
    done(state, { kind: 'copy', text: response, what: 'the response' }),
  ),
  'edit/external': withResponse(({ id, response }, state) => {
    const { line } = placeIn(state.responses, id).cursor;
    return done(state, { kind: 'edit-response', text: response, line: line + 1 });
  }),
  'response/changes': reviewTurn(false),
  'response/go-back': reviewTurn(true),
  'response/diff': withResponse((turn, state, facts) => {
    const previous = previousOf(turn, facts.view.turns);
    if (previous === null) return say(state, facts, 'info', 'There is no previous response');
    const diff = diffResponses(previous.response, turn.response);
    if (diff.added + diff.removed === 0) return say(state, facts, 'info', 'Same as the previous response');
    const title = `Changed since ${formatMoment(previous.startedAt, facts.now)}: +${diff.added} -${diff.removed}`;
    return done({ ...state, overlay: { kind: 'diff', title, diff, top: 0 } });
  }),
  'response/code': (state, facts) => {
    const turn = selectedTurn(state.responses, facts.view.turns);
    const blocks = turn === null ? [] : codeBlocks(turn.response);
    if (turn === null || blocks.length === 0)
      return say(state, facts, 'info', 'This response has no code block');
    const { line } = placeIn(state.responses, turn.id).cursor;
    const cursor =
      state.responses.focus === 'reading' ? blocks.findLastIndex((block) => block.start <= line) : 0;
    return done({ ...state, overlay: { kind: 'code', blocks, cursor: Math.max(0, cursor) } });
  },
};

type WithResponse = (turn: Turn, ...rest: Parameters<ResponsesHandler>) => ReturnType<ResponsesHandler>;

function withResponse(act: WithResponse): ResponsesHandler {
  return (state, facts) => {
    const turn = selectedTurn(state.responses, facts.view.turns);
    if (turn === null || turn.response === '') return say(state, facts, 'info', NO_RESPONSE);
    return act(turn, state, facts);
  };
}

function reviewTurn(onward: boolean): ResponsesHandler {
  return (state, facts) => {
    const turn = selectedTurn(state.responses, facts.view.turns);
    return turn === null
      ? say(state, facts, 'info', NO_RESPONSE)
      : done(state, { kind: 'review-turn', turn, onward });
  };
}

/** The previous turn that has a response. */
export function previousOf(turn: Turn, turns: readonly Turn[]): Turn | null {
  const index = turns.indexOf(turn);
  return turns.slice(index + 1).find((other) => other.response !== '') ?? null;
}

/** With a selection, copying takes only that. */
export const selectionCommands: ResponsesHandlers = {
  copy: (state, facts) => {
    const turn = selectedTurn(state.responses, facts.view.turns);
    const selection = turn === null ? null : selectedLines(placeIn(state.responses, turn.id));
    if (turn === null || selection === null) return done(state);
    const lines = facts.docs(turn).raw.slice(selection.first, selection.last + 1);
    const left = changePlace(state, facts, (place) => ({ ...place, anchor: null }));
    return done(left, {
      kind: 'copy',
      text: lines.join('\n'),
      what: count(lines.length, 'line'),
    });
  },
};
