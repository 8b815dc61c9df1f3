/** The menu that adds a context row: a file by name, what git has changed, the response that is marked on screen 1. */

import { done, type Facts, type Outcome } from '../app/handler.ts';
import type { AppState, Overlay } from '../app/state.ts';
import type { MenuRow } from '../kit/menu.ts';
import { span } from '../kit/row.ts';
import { count } from '../kit/time.ts';
import { setRows } from './job-commands.ts';
import { contextRows } from './state.ts';

type AddContext = Extract<Overlay, { kind: 'add-context' }>;

interface Choice {
  readonly words: string;
  readonly remark: string;
  readonly choose: (state: AppState, facts: Facts) => Outcome;
}

function choicesOf({ response, selection }: AddContext): readonly Choice[] {
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
    ...textChoice('The response that is marked on screen 1', 'response', response),
    ...textChoice('The lines that are selected in it', 'selection', selection),
  ];
}

function textChoice(
  words: string,
  kind: 'response' | 'selection',
  content: string | null,
): readonly Choice[] {
  if (content === null || content === '') return [];
  const remark = count(content.split('\n').length, 'line');
  return [{ words, remark, choose: (state, facts) => addText(state, facts, kind, content) }];
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

function addText(state: AppState, facts: Facts, kind: 'response' | 'selection', content: string): Outcome {
  const id = `${kind}-${facts.now}`;
  const row = { id, kind, file_path: null, start_line: null, end_line: null, content, pinned: false };
  return setRows(state, [...contextRows(state.agent, facts.agent), row]);
}
