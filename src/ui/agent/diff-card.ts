/** A proposal's diff as a card below it, which one key shows and hides. Pure. */

import type { DiffBundle } from '../../protocol/agent.ts';
import { foreign, span } from '../kit/row.ts';
import type { Role } from '../kit/theme/role.ts';
import { count } from '../kit/time.ts';
import { type ChatEntry, PLAIN } from './entries.ts';
import { type AgentFacts, type AgentModel, type AgentOutcome, done } from './model.ts';
import { bringIntoView, changeAgent } from './moves.ts';
import { ASKED_MAX } from './state.ts';

const jobOf = ({ id }: ChatEntry): string => id.split(' ', 1)[0] ?? '';
const cardId = (job: string): string => `${job} diff`;

/** Requests a proposal's diff, or removes its card. */
export function toggleDiff(state: AgentModel, proposal: ChatEntry): AgentOutcome {
  const job = jobOf(proposal);
  const { asked } = state.agent;
  const without = asked.filter(({ card }) => card.id !== cardId(job));
  if (without.length < asked.length) {
    return done(changeAgent(state, { asked: without, entry: proposal.id }));
  }
  return done(state, { kind: 'agent-diff', job, below: proposal.id });
}

/** The current diff; decided hunks with their state. */
export function showDiff(
  state: AgentModel,
  facts: AgentFacts,
  { job, below }: { readonly job: string; readonly below: string },
  bundle: DiffBundle | null,
): AgentOutcome {
  const files = bundle?.files ?? [];
  const title = [span('Diff ', 'key'), foreign(count(files.length, 'file'))];
  const lines = files.flatMap(fileLines);
  const card: ChatEntry = { ...PLAIN, id: cardId(job), kind: 'card', title, lines, isDiff: true };
  const { asked, session, opened } = state.agent;
  const others = asked.filter((one) => one.card.id !== card.id);
  const kept = [...others, { session, afterJob: job, below, card }].slice(-ASKED_MAX);
  // The mark stays where the key was pressed, so that it can close what it opened.
  const shown = changeAgent(state, { asked: kept, opened: new Set(opened).add(card.id), entry: below });
  return done(bringIntoView(shown, facts, below, card.id));
}

const FATES = { true: ' ✓', false: ' ✗', null: '' } as const;

function fileLines({ file_path, new_path, change, hunks }: DiffBundle['files'][number]): { text: string }[] {
  const name = new_path === null ? file_path : `${file_path} → ${new_path}`;
  return [
    { text: `${change} ${name}` },
    ...hunks.flatMap(({ patch, accepted }) => {
      const [head = '', ...body] = patch.trimEnd().split('\n');
      return [{ text: `${head}${FATES[`${accepted}`]}` }, ...body.map((text) => ({ text }))];
    }),
  ];
}

/** The role of a diff line. */
export function diffRole(text: string): Role {
  if (text.startsWith('+')) return 'added';
  if (text.startsWith('-')) return 'removed';
  return 'dim';
}
