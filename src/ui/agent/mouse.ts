/** The mouse on the Agent screen: it marks sessions, entries and context rows, scrolls the chat, begins to write. Pure. */

import { contextsOf } from '../app/contexts.ts';
import { done, type Facts } from '../app/handler.ts';
import type { AppState } from '../app/state.ts';
import { areaOf } from '../kit/layout.ts';
import { listTop } from '../kit/list.ts';
import { menuTop } from '../kit/menu.ts';
import type { Cell, Spot } from '../kit/mouse/spot.ts';
import type { AgentFrame } from './frame.ts';
import { changeAgent, frameNow, scrollRows } from './moves.ts';
import { markedSession } from './state.ts';

/** What stands in a cell of the screen area. */
export function agentSpot(state: AppState, facts: Facts, { y }: Cell): Spot | null {
  const frame = frameNow(state, facts);
  if (frame === null) return listSpot(state, facts, y);
  const inChat = y - 1;
  if (inChat < frame.chatRows) return chatSpot(state, facts, frame, inChat);
  const inContext = inChat - frame.chatRows - 1;
  if (frame.rowsShown > 0 && inContext < frame.rowsShown) return contextSpot(state, frame, inContext);
  return { press: () => facts.run(state, 'agent/write', contextsOf(state, facts.view)) };
}

function listSpot(state: AppState, facts: Facts, y: number): Spot {
  const { sessions } = facts.agent;
  const marked = markedSession(state.agent, sessions);
  const contexts = contextsOf(state, facts.view);
  const index = y < 1 ? -1 : menuTop(marked, sessions.length, areaOf(state.size).rows - 1) + y - 1;
  const at = sessions[index];
  return {
    wheel: (rows) => facts.run(state, rows > 0 ? 'move/down' : 'move/up', contexts),
    press: () => {
      if (at === undefined) return done(state);
      return index === marked
        ? facts.run(state, 'agent/open-session', contexts)
        : done(changeAgent(state, { marked: at.id }));
    },
  };
}

function chatSpot(state: AppState, facts: Facts, frame: AgentFrame, row: number): Spot {
  const at = row < 0 ? undefined : frame.chat.rows[frame.top + row];
  const isAgain = state.agent.focus === 'chat' && at?.entry.id === frame.marked?.id;
  return {
    wheel: (rows) => done(scrollRows(state, frame, rows)),
    press: () => {
      if (at !== undefined && isAgain) return facts.run(state, 'agent/open', contextsOf(state, facts.view));
      const focused = changeAgent(state, { focus: 'chat' });
      return done(at === undefined ? focused : changeAgent(focused, { entry: at.entry.id, top: frame.top }));
    },
  };
}

function contextSpot(state: AppState, frame: AgentFrame, row: number): Spot {
  const index = row < 0 ? -1 : listTop(0, state.agent.row, frame.rows.length, frame.rowsShown) + row;
  return {
    press: () => done(changeAgent(state, { focus: 'rows', ...(index < 0 ? {} : { row: index }) })),
  };
}
