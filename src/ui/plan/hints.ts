/** What the footer says: the mode of the draft, and the keys of the table that are valid now, with live words. */

import type { AppState } from '../commands/app-state.ts';
import { contextsOf } from '../commands/contexts.ts';
import type { Facts } from '../commands/handler.ts';
import { formatChord } from '../keys/key.ts';
import { actionsIn, keyOf } from '../keys/keymap.ts';
import type { Action } from '../keys/table.ts';
import { askingJob, liveJob } from '../screens/agent/state.ts';
import { noteCount } from '../screens/responses/draft-state.ts';
import { outgoingOf } from '../screens/responses/preview.ts';
import type { Hint } from './chrome.ts';
import { count } from './time.ts';

/** The mode that the footer names; null where there is none. */
export function footerMode(state: AppState): string | null {
  if (state.overlay === null && state.screen === 'review')
    return state.review.anchor === null ? null : 'SELECT';
  if (state.overlay !== null || state.screen !== 'responses' || state.responses.focus !== 'draft')
    return null;
  return { normal: 'NORMAL', insert: 'INSERT', visual: 'SELECT' }[state.draft.mode];
}

/** What the footer offers: the hints, most wanted first, and the one that is always there. */
export interface FooterHints {
  readonly hints: readonly Hint[];
  readonly pinned: Hint | null;
}

/** The keys that are valid now. In the middle of a chord: its possible ends. */
export function footerHints(state: AppState, facts: Facts): FooterHints {
  const contexts = contextsOf(state, facts.view);
  if (state.chord.length > 0) return { hints: chordHints(state, facts), pinned: null };
  const hintOf = ({ action, footer }: { readonly action: Action; readonly footer?: string }): Hint[] => {
    const key = footer === undefined ? null : keyOf(facts.keymap, action, contexts);
    return key === null ? [] : [{ key, word: word(action, footer ?? '', state) }];
  };
  const actions = actionsIn(facts.keymap, contexts);
  return {
    hints: actions
      .filter(({ action }) => action !== 'app/help' && isUseful(action, state, facts))
      .flatMap(hintOf),
    pinned: actions.filter(({ action }) => action === 'app/help').flatMap(hintOf)[0] ?? null,
  };
}

function chordHints(state: AppState, facts: Facts): readonly Hint[] {
  const contexts = contextsOf(state, facts.view);
  const { chord } = state;
  return actionsIn(facts.keymap, contexts).flatMap((action) =>
    action.chords
      .filter((keys) => keys.length > chord.length && chord.every((key, index) => keys[index] === key))
      .map((keys) => ({ key: formatChord(keys), word: action.footer ?? firstWords(action.help) })),
  );
}

function word(action: Action, footer: string, state: AppState): string {
  if (action !== 'draft/send') return footer;
  const notes = noteCount(state.draft);
  return notes === 0 ? footer : `${footer} ${count(notes, 'note')}`;
}

/** Words of a help sentence that stand in the footer for an action that has none of its own. */
const CHORD_WORDS = 3;

function firstWords(help: string): string {
  const [head = ''] = help.split(/[;,:(]/);
  return head.split(' ').slice(0, CHORD_WORDS).join(' ').toLowerCase();
}

/** Without a line to decide about, there is nothing to switch; without a code block, nothing to save. */
function isUseful(action: Action, state: AppState, facts: Facts): boolean {
  const { overlay } = state;
  if (action === 'agent/archive' || action === 'agent/open-session') return facts.agent.sessions.length > 0;
  if (action === 'agent/stop') return liveJob(facts.agent) !== null;
  if (action === 'agent/skip') return askingJob(facts.agent) !== null;
  if (action === 'agent/save') return (facts.agent.open?.pending_review?.unsaved_files.length ?? 0) > 0;
  if (action === 'agent/rollback') return facts.agent.checkpoints.length > 0;
  if (action === 'code/save' || action === 'code/review') return overlay?.kind === 'code';
  if (action !== 'preview/toggle' || overlay?.kind !== 'preview') return true;
  return outgoingOf(overlay, state, facts).open.length > 0;
}
