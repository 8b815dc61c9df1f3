/** Movement on the Agent screen through sessions, entries and context rows, keeping the marked one in view. Pure. */

import { areaOf } from '../kit/layout.ts';
import { type MoveRows, moveCommands } from '../kit/moves.ts';
import { type AgentFrame, agentFrame } from './frame.ts';
import { type AgentFacts, type AgentHandler, type AgentModel, type AgentOutcome, done } from './model.ts';
import type { AgentAct } from './port.ts';
import { type AgentState, markedSession } from './state.ts';

/** The state with agent state changed; the same object if nothing changed. */
export function changeAgent(state: AgentModel, change: Partial<AgentState>): AgentModel {
  const isSame = Object.entries(change).every(
    ([key, value]) => state.agent[key as keyof AgentState] === value,
  );
  return isSame ? state : { ...state, agent: { ...state.agent, ...change } };
}

/** Asks the agent for something; `what` names it while it runs. */
export function request(state: AgentModel, act: AgentAct, what: string): AgentOutcome {
  return done(state, { kind: 'agent', act, what });
}

/** The parts at the terminal's current size. */
export function frameNow(state: AgentModel, facts: AgentFacts): AgentFrame | null {
  return agentFrame(state, facts, areaOf(state.size));
}

/** The state with all marks valid; the same object if they were. */
export function settleAgent(state: AgentModel, facts: AgentFacts): AgentModel {
  if (state.screen !== 'agent') return state;
  const frame = frameNow(state, facts);
  if (frame === null) return state;
  const { agent } = state;
  const isGone = agent.entry !== null && !frame.entries.some(({ id }) => id === agent.entry);
  const row = Math.max(0, Math.min(agent.row, frame.rows.length - 1));
  const focus = agent.focus === 'rows' && frame.rows.length === 0 ? 'chat' : agent.focus;
  return changeAgent(state, { ...(isGone ? { entry: null } : {}), row, focus });
}

/** Scrolls to show as much as possible from one entry to another, and at least the first row of the first. */
export function bringIntoView(state: AgentModel, facts: AgentFacts, from: string, to = from): AgentModel {
  const frame = frameNow(state, facts);
  if (frame === null) return state;
  const { chat, chatRows, top, entries } = frame;
  const first = chat.firstRow.get(from) ?? 0;
  const after = entries[entries.findIndex(({ id }) => id === to) + 1];
  const end = chat.firstRow.get(after?.id ?? '') ?? chat.rows.length;
  return changeAgent(state, { top: Math.min(first, Math.max(top, end - chatRows)) });
}

const clamp = (value: number, total: number): number => Math.max(0, Math.min(value, total - 1));

const moveList =
  (delta: MoveRows): AgentHandler =>
  (state, facts) => {
    const { sessions } = facts.agent;
    const page = Math.max(1, areaOf(state.size).rows - 2);
    const index = clamp(markedSession(state.agent, sessions) + delta(page, sessions.length), sessions.length);
    return done(changeAgent(state, { marked: sessions[index]?.id ?? null }));
  };

const moveRows =
  (delta: MoveRows): AgentHandler =>
  (state, facts) => {
    const { length } = frameNow(state, facts)?.rows ?? [];
    return done(changeAgent(state, { row: clamp(state.agent.row + delta(5, length), length) }));
  };

/** Moves by entries; scrolls through a tall one before marking the next. */
const moveChat =
  (delta: MoveRows): AgentHandler =>
  (state, facts) => {
    const frame = frameNow(state, facts);
    if (frame === null || frame.marked === null) return done(state);
    const page = Math.max(1, frame.chatRows - 1);
    const steps = delta(page, frame.chat.rows.length);
    return done(Math.abs(steps) === 1 ? stepEntry(state, frame, steps) : scrollRows(state, frame, steps));
  };

function stepEntry(state: AgentModel, frame: AgentFrame, step: number): AgentModel {
  const { entries, chat, chatRows, top, marked } = frame;
  const index = entries.findIndex(({ id }) => id === marked?.id);
  const first = chat.firstRow.get(marked?.id ?? '') ?? 0;
  const after = chat.firstRow.get(entries[index + 1]?.id ?? '') ?? chat.rows.length;
  const isCutBelow = step > 0 && after > top + chatRows && first <= top + chatRows;
  const isCutAbove = step < 0 && first < top;
  if (isCutBelow || isCutAbove)
    return changeAgent(state, { entry: marked?.id ?? null, top: Math.max(0, top + step) });
  const next = entries[index + step];
  if (next === undefined) return step > 0 ? changeAgent(state, { entry: null }) : state;
  const row = chat.firstRow.get(next.id) ?? 0;
  const end = (chat.firstRow.get(entries[index + step + 1]?.id ?? '') ?? chat.rows.length) - 1;
  const shown = step < 0 ? Math.min(top, row) : Math.max(top, Math.min(row, end - chatRows + 1));
  return changeAgent(state, { entry: next.id, top: shown });
}

/** Scrolls the chat by rows; the mark moves along. */
export function scrollRows(state: AgentModel, frame: AgentFrame, steps: number): AgentModel {
  const { chat, chatRows, top } = frame;
  const lastTop = Math.max(0, chat.rows.length - chatRows);
  const to = Math.max(0, Math.min(lastTop, top + steps));
  // At the end, follow the newest again.
  if (to === lastTop && steps > 0) return changeAgent(state, { entry: null });
  const row = chat.rows[steps > 0 ? Math.min(chat.rows.length - 1, to + chatRows - 1) : to];
  return changeAgent(state, { entry: row?.entry.id ?? null, top: to });
}

export const listMoves = moveCommands(moveList);
/** One row marks the next entry, so half a page and the ends are always more. */
export const chatMoves = moveCommands(moveChat, 2);
export const rowMoves = moveCommands(moveRows);
