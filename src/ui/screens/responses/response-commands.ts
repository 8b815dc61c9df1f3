/** Commands that act on the marked response itself: copy it, open it in an editor, compare it, take its code. */
import { done, type Handlers, say } from '../../commands/handler.ts';
import { count } from '../../plan/time.ts';
import { selectedLines } from './reading.ts';
import { changePlace } from './reading-commands.ts';
import { placeIn, selectedTurn } from './state.ts';

const NO_RESPONSE = 'There is no response here';

export const responseCommands: Handlers = {
  copy: (state, facts) => {
    const turn = selectedTurn(state.responses, facts.view.turns);
    if (turn === null || turn.response === '') return say(state, facts, 'info', NO_RESPONSE);
    return done(state, { kind: 'copy', text: turn.response, what: 'the response' });
  },
  'edit/external': (state, facts) => {
    const turn = selectedTurn(state.responses, facts.view.turns);
    if (turn === null || turn.response === '') return say(state, facts, 'info', NO_RESPONSE);
    const { line } = placeIn(state.responses, turn.id).cursor;
    return done(state, { kind: 'edit-response', text: turn.response, line: line + 1 });
  },
};

/** With lines selected, copying takes those. */
export const selectionCommands: Handlers = {
  copy: (state, facts) => {
    const turn = selectedTurn(state.responses, facts.view.turns);
    const selection = turn === null ? null : selectedLines(placeIn(state.responses, turn.id));
    if (turn === null || selection === null) return done(state);
    const lines = facts.docs(turn).lines.slice(selection.first, selection.last + 1);
    const left = changePlace(state, facts, (place) => ({ ...place, anchor: null }));
    return done(left, {
      kind: 'copy',
      text: lines.map((line) => line.text).join('\n'),
      what: count(lines.length, 'line'),
    });
  },
};
