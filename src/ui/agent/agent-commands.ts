/** Commands of the Agent screen outside its text box: sessions, cards, jobs, context rows. */

import type { ContextRow } from '../../protocol/agent.ts';
import { openAnswers } from './answer-menu.ts';
import { toggleDiff } from './diff-card.ts';
import { rerun, save, setRows, skip, stop, useOffer } from './job-commands.ts';
import { type AgentHandler, type AgentHandlers, type AgentModel, done, say } from './model.ts';
import { bringIntoView, changeAgent, chatMoves, frameNow, listMoves, request, rowMoves } from './moves.ts';
import { openCheckpoints, openRollback } from './rollback-commands.ts';
import { contextRows, markedSession } from './state.ts';
import { startWriting } from './write-commands.ts';

const openMarked: AgentHandler = (state, facts) => {
  const session = facts.agent.sessions[markedSession(state.agent, facts.agent.sessions)];
  if (session === undefined) return startWriting(state, facts);
  return done(
    changeAgent(state, {
      session: session.id,
      marked: session.id,
      focus: 'chat',
      entry: null,
      opened: new Set(),
    }),
  );
};

/** Starts a new session with the next instruction. */
const writeNew: AgentHandler = (state, facts) =>
  startWriting(changeAgent(state, { session: null, entry: null, opened: new Set() }), facts);

const archive: AgentHandler = (state, facts) => {
  const session = facts.agent.sessions[markedSession(state.agent, facts.agent.sessions)];
  if (session === undefined) return done(state);
  return request(state, { kind: 'archive', session: session.id }, 'Archiving the session');
};

/** Steps back from box and rows to the chat, from the chat to the list, from the list to screen 1. */
export function backInAgent(state: AgentModel): AgentModel {
  if (state.agent.focus === 'list') return { ...state, screen: 'responses' };
  if (state.agent.focus === 'chat') return changeAgent(state, { focus: 'list', completion: null });
  return changeAgent(state, { focus: 'chat', completion: null });
}

const toggle: AgentHandler = (state, facts) => {
  const marked = frameNow(state, facts)?.marked ?? null;
  if (marked?.kind === 'proposal') return toggleDiff(state, marked);
  if (marked?.kind !== 'card') return say(state, facts, 'info', 'Select a card first, with j and k');
  const opened = new Set(state.agent.opened);
  if (!opened.delete(marked.id)) opened.add(marked.id);
  return done(bringIntoView(changeAgent(state, { opened, entry: marked.id }), facts, marked.id));
};

export const openEntry: AgentHandler = (state, facts) => {
  const marked = frameNow(state, facts)?.marked ?? null;
  if (marked === null) return startWriting(state, facts);
  if (marked.opens !== null && 'suggestion' in marked.opens)
    return done(state, { kind: 'open-suggestion', suggestion: marked.opens.suggestion });
  if (marked.opens !== null) return openRollback(state, facts, marked.opens.checkpoint);
  if (marked.kind === 'card') return toggle(state, facts);
  return marked.kind === 'question' ? openAnswers(state, facts, marked.id) : startWriting(state, facts);
};

const confirmEdits: AgentHandler = (state, facts) => {
  const confirmBeforeEdits = !state.agent.confirmBeforeEdits;
  const words = confirmBeforeEdits
    ? 'The model asks before it proposes edits'
    : 'The model proposes edits without asking';
  return say(changeAgent(state, { confirmBeforeEdits }), facts, 'info', words);
};

const addRow: AgentHandler = (state, facts) => {
  const { response, selection } = facts.responseInView();
  return done({ ...state, overlay: { kind: 'add-context', cursor: 0, response, selection } });
};

const changeRow =
  (change: (rows: readonly ContextRow[], index: number) => readonly ContextRow[]): AgentHandler =>
  (state, facts) => {
    const rows = contextRows(state.agent, facts.agent);
    return rows[state.agent.row] === undefined ? done(state) : setRows(state, change(rows, state.agent.row));
  };

const focusNext: AgentHandler = (state, facts) => {
  const { focus } = state.agent;
  const hasRows = contextRows(state.agent, facts.agent).length > 0;
  return done(changeAgent(state, { focus: focus === 'chat' && hasRows ? 'rows' : 'chat' }));
};

/** Commands shared by the chat and the context rows. */
const openCommands: AgentHandlers = {
  'agent/write': startWriting,
  'agent/save': save,
  'agent/add-row': addRow,
  'agent/confirm-edits': confirmEdits,
  'focus/next': focusNext,
  'focus/previous': focusNext,
  'focus/back': (state) => done(backInAgent(state)),
};

export const agentListCommands: AgentHandlers = {
  ...listMoves,
  'agent/open-session': openMarked,
  'agent/write': writeNew,
  'agent/archive': archive,
  'agent/use-offer': useOffer,
};

export const agentChatCommands: AgentHandlers = {
  ...openCommands,
  ...chatMoves,
  'agent/open': openEntry,
  'agent/toggle': toggle,
  'agent/stop': stop,
  'agent/skip': skip,
  'agent/use-offer': useOffer,
  'agent/rerun': rerun,
  'agent/rollback': openCheckpoints,
  copy: (state, facts) => {
    const text =
      frameNow(state, facts)
        ?.marked?.lines.map((line) => line.text)
        .join('\n') ?? '';
    return text === '' ? done(state) : done(state, { kind: 'copy', text, what: 'the entry' });
  },
};

export const agentRowsCommands: AgentHandlers = {
  ...openCommands,
  ...rowMoves,
  'agent/pin': changeRow((rows, index) =>
    rows.map((row, at) => (at === index ? { ...row, pinned: !row.pinned } : row)),
  ),
  'agent/remove-row': changeRow((rows, index) => rows.filter((_, at) => at !== index)),
};
