/** The menu that adds a context row: a file by name, git's changes, or the response marked on screen 1. */

import type { MenuRow } from '../kit/menu.ts';
import { span } from '../kit/row.ts';
import { count } from '../kit/time.ts';
import { setRows } from './job-commands.ts';
import {
  type AgentFacts,
  type AgentHandler,
  type AgentModel,
  type AgentOutcome,
  type AgentOverlay,
  done,
  say,
} from './model.ts';
import { contextRows } from './state.ts';

type AddContext = Extract<AgentOverlay, { kind: 'add-context' }>;

interface Choice {
  readonly words: string;
  readonly remark: string;
  readonly choose: (state: AgentModel, facts: AgentFacts) => AgentOutcome;
}

function choicesOf({ response, selection }: AddContext): readonly Choice[] {
  return [
    {
      words: 'A file of the project',
      remark: '',
      choose: (state) =>
        done({ ...state, overlay: { kind: 'prompt', query: '', sign: 'File: ', purpose: 'context' } }),
    },
    {
      words: 'The git diff of the working tree',
      remark: 'git diff',
      choose: (state) => done(state, { kind: 'agent-row', of: { kind: 'diff' } }),
    },
    ...textChoice('The response selected on screen 1', 'response', response),
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

export function chooseContext(state: AgentModel, facts: AgentFacts, overlay: AddContext): AgentOutcome {
  const closed: AgentModel = { ...state, overlay: null };
  return choicesOf(overlay)[overlay.cursor]?.choose(closed, facts) ?? done(closed);
}

function addText(
  state: AgentModel,
  facts: AgentFacts,
  kind: 'response' | 'selection',
  content: string,
): AgentOutcome {
  const id = `${kind}-${facts.now}`;
  const row = { id, kind, file_path: null, start_line: null, end_line: null, content, pinned: false };
  return setRows(state, [...contextRows(state.agent, facts.agent), row]);
}

/** Makes the named file a row. */
export const acceptContextFile: AgentHandler = (state, facts) => {
  const { overlay } = state;
  if (overlay?.kind !== 'prompt' || overlay.purpose !== 'context') return done(state);
  const closed: AgentModel = { ...state, overlay: null };
  const path = overlay.query.trim();
  if (path === '') return say(closed, facts, 'info', 'No file was given');
  return done(closed, { kind: 'agent-row', of: { kind: 'file', path } });
};
