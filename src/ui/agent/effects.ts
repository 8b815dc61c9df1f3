/** Runs requests to the agent and turns their results into a state change and a message. */

import { editorOf } from '../kit/editor.ts';
import { showDiff } from './diff-card.ts';
import { setRows } from './job-commands.ts';
import {
  type AgentEffect,
  type AgentEffectContext,
  type AgentModel,
  done,
  say,
  sayFailure,
  track,
} from './model.ts';
import { changeAgent } from './moves.ts';
import { showPreview } from './rollback-commands.ts';
import { contextRows } from './state.ts';
import { offerFiles, showMap } from './write-commands.ts';

type RunEffect = Exclude<AgentEffect, { kind: 'copy' | 'open-suggestion' }>;

/** Starts an effect; a defect in a port is rethrown and ends the process. */
export async function runAgentEffect(effect: RunEffect, context: AgentEffectContext): Promise<void> {
  const { agent } = context.ports;
  switch (effect.kind) {
    case 'agent':
      return act(effect, context);
    case 'agent-complete': {
      const files = await agent.completeFile(effect.prefix);
      // Without an answer the name stays as typed.
      if (files.ok) context.apply((state, facts) => offerFiles(state, facts, effect.prefix, files.value));
      return;
    }
    case 'agent-preview':
      return track(
        context,
        'Working out what would change',
        agent.previewRollback(effect.to),
        (state, facts, result) => showPreview(state, facts, effect.to, result),
      );
    case 'agent-map':
      return map(effect, context);
    case 'agent-diff':
      return track(context, 'Reading the diff', agent.readDiff(effect.job), (state, facts, bundle) =>
        showDiff(state, facts, effect, bundle),
      );
    case 'agent-row':
      return track(context, 'Reading it', agent.readRow(effect.of), (state, facts, row) =>
        setRows(state, [...contextRows(state.agent, facts.agent), row]),
      );
  }
}

async function map(
  { path, text }: Extract<AgentEffect, { kind: 'agent-map' }>,
  context: AgentEffectContext,
): Promise<void> {
  const mapped = await context.ports.agent.mapFile(path);
  context.apply((state, facts) =>
    mapped.ok ? showMap(state, facts, mapped.value) : sayFailure(withText(state, text), facts, mapped),
  );
}

async function act(
  effect: Extract<AgentEffect, { kind: 'agent' }>,
  context: AgentEffectContext,
): Promise<void> {
  const { agent } = context.ports;
  context.apply((state, facts) => done({ ...state, busy: { what: effect.what, since: facts.now } }));
  const result = await agent.act(effect.act);
  context.apply((state, facts) => {
    const settled: AgentModel = { ...state, busy: null };
    if (!result.ok) return sayFailure(withText(settled, effect.text), facts, result);
    const { words, begun } = result.value;
    const followed = followBegun(settled, begun);
    return words === '' ? done(followed) : say(followed, facts, 'ok', words);
  });
}

/** Shows the newly begun session. */
function followBegun(state: AgentModel, begun: string | null): AgentModel {
  const isWaiting = begun !== null && state.agent.session === null && state.agent.focus !== 'list';
  return isWaiting ? changeAgent(state, { session: begun, marked: begun }) : state;
}

/** Returns unsent text to the box, unless the box has other text by now. */
function withText(state: AgentModel, text: string | undefined): AgentModel {
  const isEmpty = state.agent.editor.draft.lines.every((line) => line.text === '');
  return text === undefined || !isEmpty
    ? state
    : changeAgent(state, { editor: editorOf(text), focus: 'write' });
}
