/** The mouse on the Agent screen: marks sessions, entries and context rows, scrolls the chat, focuses the box. Pure. */

import { areaOf } from '../kit/layout.ts';
import { listTop } from '../kit/list.ts';
import { menuTop } from '../kit/menu.ts';
import type { Cell, Spot } from '../kit/mouse/spot.ts';
import { agentListCommands, openEntry } from './agent-commands.ts';
import type { AgentFrame } from './frame.ts';
import { type AgentFacts, type AgentModel, type AgentOutcome, done } from './model.ts';
import { changeAgent, frameNow, scrollRows } from './moves.ts';
import { markedSession } from './state.ts';
import { startWriting } from './write-commands.ts';

/** What is in a cell of the screen area. */
export function agentSpot(state: AgentModel, facts: AgentFacts, { y }: Cell): Spot<AgentOutcome> | null {
  const frame = frameNow(state, facts);
  if (frame === null) return listSpot(state, facts, y);
  const inChat = y - 1;
  if (inChat < frame.chatRows) return chatSpot(state, facts, frame, inChat);
  const inContext = inChat - frame.chatRows - 1;
  if (frame.rowsShown > 0 && inContext < frame.rowsShown) return contextSpot(state, frame, inContext);
  return { press: () => startWriting(state, facts) };
}

function listSpot(state: AgentModel, facts: AgentFacts, y: number): Spot<AgentOutcome> {
  const { sessions } = facts.agent;
  const marked = markedSession(state.agent, sessions);
  const run = (action: 'move/down' | 'move/up' | 'agent/open-session') =>
    agentListCommands[action]?.(state, facts) ?? done(state);
  const index = y < 1 ? -1 : menuTop(marked, sessions.length, areaOf(state.size).rows - 1) + y - 1;
  const at = sessions[index];
  return {
    wheel: (rows) => run(rows > 0 ? 'move/down' : 'move/up'),
    press: () => {
      if (at === undefined) return done(state);
      return index === marked ? run('agent/open-session') : done(changeAgent(state, { marked: at.id }));
    },
  };
}

function chatSpot(state: AgentModel, facts: AgentFacts, frame: AgentFrame, row: number): Spot<AgentOutcome> {
  const at = row < 0 ? undefined : frame.chat.rows[frame.top + row];
  const isAgain = state.agent.focus === 'chat' && at?.entry.id === frame.marked?.id;
  return {
    wheel: (rows) => done(scrollRows(state, frame, rows)),
    press: () => {
      if (at !== undefined && isAgain) return openEntry(state, facts);
      const focused = changeAgent(state, { focus: 'chat' });
      return done(at === undefined ? focused : changeAgent(focused, { entry: at.entry.id, top: frame.top }));
    },
  };
}

function contextSpot(state: AgentModel, frame: AgentFrame, row: number): Spot<AgentOutcome> {
  const index = row < 0 ? -1 : listTop(0, state.agent.row, frame.rows.length, frame.rowsShown) + row;
  return { press: () => done(changeAgent(state, { focus: 'rows', ...(index < 0 ? {} : { row: index }) })) };
}
