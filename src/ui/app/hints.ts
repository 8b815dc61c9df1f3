/** The footer's content: the draft's mode, and the currently valid keys, with live words. */

import { formatChord } from '../kit/keys/key.ts';
import { actionsIn } from '../kit/keys/keymap.ts';
import { count } from '../kit/time.ts';
import { noteCount } from '../responses/draft-state.ts';
import { hasReasons } from '../review/turn-commands.ts';
import type { Hint } from './chrome.ts';
import { contextsOf } from './contexts.ts';
import type { Action } from './key-table.ts';
import type { AppFacts } from './model.ts';
import { commandOf } from './registry.ts';
import { SCREENS, screenOf } from './screens.ts';
import type { AppState } from './state.ts';

/** The mode in the footer; null for none. */
export function footerMode(state: AppState): string | null {
  return state.overlay === null ? SCREENS[state.screen].modeOf(state) : null;
}

/** A hint with its key's action. */
interface ActionHint extends Hint {
  readonly action: Action;
}

/** The footer's hints, most useful first, and the one that is always there. */
export interface FooterHints {
  readonly hints: readonly ActionHint[];
  readonly pinned: ActionHint | null;
}

/** The currently valid keys; in the middle of a chord, its possible continuations. */
export function footerHints(state: AppState, facts: AppFacts): FooterHints {
  const contexts = contextsOf(state, facts);
  if (state.chord.length > 0) return { hints: chordHints(state, facts), pinned: null };
  const hintOf = ({
    action,
    footer,
  }: {
    readonly action: Action;
    readonly footer?: string;
  }): ActionHint[] => {
    const key = footer === undefined ? null : facts.keyOf(action, contexts);
    return key === null ? [] : [{ key, word: word(action, footer ?? '', state), action }];
  };
  const named = facts.keymap.bound.filter(({ footer }) => footer !== undefined);
  const actions = actionsIn(facts.keymap, contexts, named);
  const useful = actions.filter(
    ({ action }) => action !== 'app/help' && isUseful(action, state, facts, contexts),
  );
  return {
    hints: useful
      .toSorted((a, b) => rankOf(a.action, state, facts) - rankOf(b.action, state, facts))
      .flatMap(hintOf),
    pinned: actions.filter(({ action }) => action === 'app/help').flatMap(hintOf)[0] ?? null,
  };
}

/** The next step comes first: a narrow footer has room for little else. */
function rankOf(action: Action, state: AppState, { view, review }: AppFacts): number {
  if (action === 'app/panes') return 0;
  if (action === 'response/changes') return view.changes.unseen > 0 ? 1 : 2;
  if (action === 'review/to-draft') return hasReasons(state.review, review.open) ? 1 : 2;
  if (action === 'review/say-why' || action === 'focus/back') return 1;
  if (action === 'pane/answer' || action === 'preview/send') return 0;
  const isNext = action === 'preview/steer' || (action === 'draft/send' && noteCount(state.draft) > 0);
  return isNext ? 1 : 2;
}

function chordHints(state: AppState, facts: AppFacts): readonly ActionHint[] {
  const contexts = contextsOf(state, facts);
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

/** Words of the help text to show in the footer for an action without a footer word. */
const CHORD_WORDS = 3;

function firstWords(help: string): string {
  const [head = ''] = help.split(/[;,:(]/);
  return head.split(' ').slice(0, CHORD_WORDS).join(' ').toLowerCase();
}

/** A key without effect is not offered. */
function isUseful(action: Action, state: AppState, facts: AppFacts, contexts: readonly string[]): boolean {
  if (commandOf(state, action, contexts) === null) return false;
  // A narrow footer has room for it only when the followed AI accepts nothing any more.
  if (action === 'app/panes') return /^(?:gone|suspended)$/.test(facts.view.status.state);
  return screenOf(state)?.isUseful(action, state, facts) ?? true;
}
