/** The Agent screen without a conversation: its purpose, what is missing, how to begin. Pure. */

import { indented as prose, type Row } from '../kit/row.ts';
import type { AgentFacts } from './model.ts';
import type { NotReady } from './port.ts';

/** The text for an empty chat or list. */
export function planNoSession(facts: AgentFacts, columns: number): readonly Row[] {
  const { problem, notReady, isLooking } = facts.agent;
  if (problem !== null) {
    return [
      ...prose(problem.message, columns, 'warn'),
      ...(problem.hint === undefined ? [] : prose(problem.hint, columns)),
    ];
  }
  if (isLooking) return prose('Loading the sessions', columns);
  const write = facts.keyOf('agent/write', ['agent-list', 'agent-chat']) ?? 'the palette';
  return [
    ...prose(
      'The agent proposes edits across the project: it searches and reads on its own and shows a diff. Nothing is written until you decide on the hunks and save.',
      columns,
    ),
    [],
    ...(notReady === null
      ? prose(`${write} writes the first instruction.`, columns)
      : [
          ...offerRows(facts, notReady, columns),
          ...prose(notReady.message, columns, 'warn'),
          ...prose(notReady.hint ?? '', columns),
          [],
          ...prose('For an AI CLI that you have and that speaks ACP:', columns),
          [],
          ...prose('"agent_mode": "acp"', columns, 'code'),
          [],
          ...prose('or for a model on this machine:', columns),
          [],
          ...prose('"agent_mode": "local",', columns, 'code'),
          ...prose('"agent_local_url": "http://127.0.0.1:8080/v1",', columns, 'code'),
          ...prose('"agent_local_model": "NAME"', columns, 'code'),
          [],
          ...prose('Everything else works without one: your AI CLI, the review, the shell.', columns),
        ]),
  ];
}

/** An installed AI CLI can be the agent: mentioned before anything else that could be set up. */
function offerRows(facts: AgentFacts, { offer }: NotReady, columns: number): readonly Row[] {
  if (offer === undefined) return [];
  const key = facts.keyOf('agent/use-offer', ['agent-list', 'agent-chat']) ?? 'the palette';
  const words = `${offer} is installed and can be the agent, with its own model and login. ${key} uses it; its edits are proposed here, never applied.`;
  return [...prose(words, columns, 'strong'), []];
}
