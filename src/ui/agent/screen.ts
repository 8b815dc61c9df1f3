/** The Agent screen's interface to the application. */
import { areaOf } from '../kit/layout.ts';
import { type MenuRow, planMenu } from '../kit/menu.ts';
import { type Extent, menuView, type OverlayView, scrolledPanel } from '../kit/overlay.ts';
import type { Size } from '../kit/row.ts';
import type { Screen } from '../kit/screen.ts';
import type { Theme } from '../kit/theme/theme.ts';
import { agentChatCommands, agentListCommands, agentRowsCommands, backInAgent } from './agent-commands.ts';
import { answerRows, chooseAnswer } from './answer-menu.ts';
import { acceptContextFile, chooseContext, contextChoiceRows } from './context-menu.ts';
import type { AgentAction } from './keys.ts';
import {
  type AgentEffect,
  type AgentFacts,
  type AgentHandler,
  type AgentModel,
  type AgentOverlay,
  done,
} from './model.ts';
import { agentSpot } from './mouse.ts';
import { settleAgent } from './moves.ts';
import {
  checkpointRows,
  chooseRollback,
  previewRows,
  rollbackCommands,
  scopeRows,
} from './rollback-commands.ts';
import { askingJob, liveJob } from './state.ts';
import { planAgent } from './view.ts';
import { agentWriteCommands, typeToAgent } from './write-commands.ts';

/** While the user types text, no key is an application command. */
const FOCUS_CONTEXTS = {
  list: ['agent-list', 'app'],
  chat: ['agent-chat', 'app'],
  rows: ['agent-rows', 'app'],
  write: ['agent-write'],
} as const;

const isRollable = (overlay: AgentOverlay | null) =>
  overlay?.kind === 'rollback' && overlay.result.status !== 'conflict';

/** The entries of the open menu; none if another overlay is open. */
function menuRows(overlay: AgentOverlay, facts: AgentFacts): readonly MenuRow[] {
  switch (overlay.kind) {
    case 'checkpoints':
      return checkpointRows(facts);
    case 'rollback-scope':
      return scopeRows(facts, overlay.checkpoint);
    case 'add-context':
      return contextChoiceRows(overlay);
    case 'agent-answer':
      return answerRows(overlay, facts);
    case 'rollback':
    case 'prompt':
      return [];
  }
}

const choose: AgentHandler = (state, facts) => {
  const { overlay } = state;
  if (overlay?.kind === 'add-context') return chooseContext(state, facts, overlay);
  if (overlay?.kind === 'agent-answer') return chooseAnswer(state, facts, overlay);
  return overlay === null ? done(state) : chooseRollback(state, facts);
};

const TITLES = {
  checkpoints: 'Roll back to',
  'rollback-scope': 'How much of it',
  'add-context': 'Add to the context',
  'agent-answer': 'Answer',
} as const;

function view(overlay: AgentOverlay, facts: AgentFacts, size: Size, theme: Theme): OverlayView | null {
  if (overlay.kind === 'prompt') return null;
  if (overlay.kind === 'rollback') {
    const title = isRollable(overlay) ? 'Would change' : 'Cannot roll back';
    return scrolledPanel(title, previewRows(overlay.result), overlay.top, size.rows);
  }
  const entries = menuRows(overlay, facts);
  const { cursor } = overlay;
  const rows = planMenu(entries, cursor, size, theme);
  return menuView(TITLES[overlay.kind], rows, { total: entries.length, cursor });
}

function extentOf(overlay: AgentOverlay, { size }: AgentModel, facts: AgentFacts): Extent {
  return { total: menuRows(overlay, facts).length, page: Math.max(1, areaOf(size).rows - 1) };
}

export const agentScreen: Screen<AgentAction, AgentModel, AgentFacts, AgentEffect, AgentOverlay> = {
  tables: {
    'agent-list': agentListCommands,
    'agent-chat': agentChatCommands,
    'agent-rows': agentRowsCommands,
    'agent-write': agentWriteCommands,
    rollback: rollbackCommands,
    menu: { 'menu/choose': choose },
    prompt: { 'prompt/accept': acceptContextFile },
  },
  contextsOf: ({ agent }) => FOCUS_CONTEXTS[agent.focus],
  plan: planAgent,
  settle: settleAgent,
  spotAt: agentSpot,
  typeText: typeToAgent,
  back: backInAgent,
  leave: (state) => state,
  modeOf: () => null,
  isUseful: {
    'agent/archive': (_, { agent }) => agent.sessions.length > 0,
    'agent/open-session': (_, { agent }) => agent.sessions.length > 0,
    'agent/stop': (_, { agent }) => liveJob(agent) !== null,
    'agent/use-offer': (_, { agent }) => agent.notReady?.offer !== undefined,
    'agent/skip': (_, { agent }) => askingJob(agent) !== null,
    'agent/save': (_, { agent }) => (agent.open?.pending_review?.unsaved_files.length ?? 0) > 0,
    'agent/rollback': (_, { agent }) => agent.checkpoints.length > 0,
    'rollback/do': ({ overlay }) => isRollable(overlay),
  },
  overlays: {
    kinds: ['checkpoints', 'rollback-scope', 'add-context', 'agent-answer', 'rollback'],
    contextOf: ({ kind }) => (kind === 'rollback' ? 'rollback' : 'menu'),
    extentOf,
    view: (overlay, _, facts, size, theme) => view(overlay, facts, size, theme),
  },
};
