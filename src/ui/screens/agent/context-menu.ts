/** The menu that adds a context row: a file by name, what git has changed, the response that is marked on screen 1. */
import type { AppState, Overlay } from '../../commands/app-state.ts';
import { done, type Facts, type Outcome } from '../../commands/handler.ts';
import type { MenuRow } from '../../plan/overlay.ts';
import { span } from '../../plan/row.ts';
import { count } from '../../plan/time.ts';
import { setRows } from './job-commands.ts';
import { contextRows } from './state.ts';

type AddContext = Extract<Overlay, { kind: 'add-context' }>;

interface Choice {
  readonly words: string;
  readonly remark: string;
  readonly choose: (state: AppState, facts: Facts) => Outcome;
}

function choicesOf({ response }: AddContext): readonly Choice[] {
  return [
    {
      words: 'A file of the project',
      remark: '',
      choose: (state) => done({ ...state, overlay: { kind: 'prompt', query: '', context: true } }),
    },
    {
      words: 'What git has changed in the working tree',
      remark: 'git diff',
      choose: (state) => done(state, { kind: 'agent-row', of: { kind: 'diff' } }),
    },
    ...(response === null || response === ''
      ? []
      : [
          {
            words: 'The response that is marked on screen 1',
            remark: count(response.split('\n').length, 'line'),
            choose: (state: AppState, facts: Facts) => addResponse(state, facts, response),
          },
        ]),
  ];
}

export function contextChoiceRows(overlay: AddContext): readonly MenuRow[] {
  return choicesOf(overlay).map(({ words, remark }) => ({
    left: [span(words)],
    right: [span(remark, 'dim')],
  }));
}

export function chooseContext(state: AppState, facts: Facts, overlay: AddContext): Outcome {
  const closed: AppState = { ...state, overlay: null };
  return choicesOf(overlay)[overlay.cursor]?.choose(closed, facts) ?? done(closed);
}

function addResponse(state: AppState, facts: Facts, content: string): Outcome {
  const rows = contextRows(state.agent, facts.agent);
  const id = `response-${facts.now}`;
  return setRows(state, [
    ...rows,
    { id, kind: 'response', file_path: null, start_line: null, end_line: null, content, pinned: false },
  ]);
}
