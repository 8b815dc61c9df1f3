/** What the footer says: the mode of the draft, and the keys of the table that are valid now, with live words. */

import { askingJob, liveJob } from '../agent/state.ts';
import { formatChord } from '../kit/keys/key.ts';
import { actionsIn, keyOf } from '../kit/keys/keymap.ts';
import { count } from '../kit/time.ts';
import { noteCount } from '../responses/draft-state.ts';
import { outgoingOf } from '../responses/preview.ts';
import { runningStatus } from '../shell/state.ts';
import type { Hint } from './chrome.ts';
import { contextsOf } from './contexts.ts';
import type { Facts } from './handler.ts';
import type { Action } from './key-table.ts';
import type { AppState } from './state.ts';

/** The mode that the footer names; null where there is none. */
export function footerMode(state: AppState): string | null {
  if (state.overlay === null && state.screen === 'review')
    return state.review.anchor === null ? null : 'SELECT';
  if (state.overlay !== null || state.screen !== 'responses' || state.responses.focus !== 'draft')
    return null;
  return { normal: 'NORMAL', insert: 'INSERT', visual: 'SELECT' }[state.draft.mode];
}

/** A hint with what its key does. */
interface ActionHint extends Hint {
  readonly action: Action;
}

/** What the footer offers: the hints, most wanted first, and the one that is always there. */
export interface FooterHints {
  readonly hints: readonly ActionHint[];
  readonly pinned: ActionHint | null;
}

/** The keys that are valid now. In the middle of a chord: its possible ends. */
export function footerHints(state: AppState, facts: Facts): FooterHints {
  const contexts = contextsOf(state, facts.view);
  if (state.chord.length > 0) return { hints: chordHints(state, facts), pinned: null };
  const hintOf = ({
    action,
    footer,
  }: {
    readonly action: Action;
    readonly footer?: string;
  }): ActionHint[] => {
    const key = footer === undefined ? null : keyOf(facts.keymap, action, contexts);
    return key === null ? [] : [{ key, word: word(action, footer ?? '', state), action }];
  };
  const named = facts.keymap.bound.filter(({ footer }) => footer !== undefined);
  const actions = actionsIn(facts.keymap, contexts, named);
  return {
    hints: actions
      .filter(({ action }) => action !== 'app/help' && isUseful(action, state, facts))
      .flatMap(hintOf),
    pinned: actions.filter(({ action }) => action === 'app/help').flatMap(hintOf)[0] ?? null,
  };
}

function chordHints(state: AppState, facts: Facts): readonly ActionHint[] {
  const contexts = contextsOf(state, facts.view);
  const { chord } = state;
  return actionsIn(facts.keymap, contexts).flatMap((action) =>
    action.chords
      .filter((keys) => keys.length > chord.length && chord.every((key, index) => keys[index] === key))
      .map((keys) => ({
        key: formatChord(keys),
        word: action.footer ?? firstWords(action.help),
        action: action.action,
      })),
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

type Useful = (state: AppState, facts: Facts) => boolean;

const hasTurns: Useful = (_, { view }) => view.turns.length > 0;
const hasSuggestions: Useful = ({ review }, facts) =>
  review.suggestion !== null || facts.review.suggestions.length > 0;
const hasRequests: Useful = (_, { shell }) => (runningStatus(shell)?.recent.length ?? 0) > 0;
const hasSessions: Useful = (_, { agent }) => agent.sessions.length > 0;
const hasBlocks: Useful = ({ overlay }) => overlay?.kind === 'code';

/** Where a key would have nothing to act on, it is not offered. */
const USEFUL: Partial<Readonly<Record<Action, Useful>>> = {
  'response/pull': hasTurns,
  'response/code': hasTurns,
  'response/diff': hasTurns,
  'list/open': hasTurns,
  'review/open': hasSuggestions,
  'review/discard': hasSuggestions,
  'shell/explain': hasRequests,
  'shell/forget': hasRequests,
  'agent/archive': hasSessions,
  'agent/open-session': hasSessions,
  'agent/stop': (_, { agent }) => liveJob(agent) !== null,
  'agent/skip': (_, { agent }) => askingJob(agent) !== null,
  'agent/save': ({ screen }, { agent, review }) =>
    screen === 'review'
      ? review.open?.write === 'on-save' && review.open.decidedCount > 0
      : (agent.open?.pending_review?.unsaved_files.length ?? 0) > 0,
  'agent/rollback': (_, { agent }) => agent.checkpoints.length > 0,
  'code/save': hasBlocks,
  'code/review': hasBlocks,
  'preview/toggle': (state, facts) =>
    state.overlay?.kind === 'preview' && outgoingOf(state.overlay, state, facts).open.length > 0,
  copy: isLineToCopy,
};

function isUseful(action: Action, state: AppState, facts: Facts): boolean {
  return USEFUL[action]?.(state, facts) ?? true;
}

/** An empty screen shows a line that makes it fill: only there is copying worth a place in the footer. */
function isLineToCopy({ overlay, screen }: AppState, facts: Facts): boolean {
  if (overlay !== null) return overlay.kind === 'diff';
  const { review, shell } = facts;
  if (screen === 'review')
    return review.suggestions.length === 0 && !review.isLooking && review.problem === null;
  const status = runningStatus(shell);
  return screen === 'shell' && status !== null && status.requests === 0 && status.recent.length === 0;
}
