import { done, type Handlers } from '../../commands/handler.ts';
import { focusOn } from './state.ts';

const ORDER = ['list', 'reading', 'draft'] as const;
export const responsesCommands: Handlers = {
  'focus/next': (state, facts) =>
    done({
      ...state,
      responses: focusOn(
        state.responses,
        ORDER[(ORDER.indexOf(state.responses.focus) + 1) % 3] ?? 'list',
        facts.view.turns,
      ),
    }),
  'focus/previous': (state, facts) =>
    done({
      ...state,
      responses: focusOn(
        state.responses,
        ORDER[(ORDER.indexOf(state.responses.focus) + 2) % 3] ?? 'list',
        facts.view.turns,
      ),
    }),
};
