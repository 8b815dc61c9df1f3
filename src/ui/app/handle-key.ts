/** One key event → the next state: chords are collected, actions are run, everything else is text. Pure. */

import type { Chord, KeyEvent } from '../kit/keys/key.ts';
import { matchKeys } from '../kit/keys/keymap.ts';
import { parseMouse } from '../kit/mouse/mouse-event.ts';
import { contextsOf } from './contexts.ts';
import type { Action } from './key-table.ts';
import { type AppFacts, type AppOutcome, done, say } from './model.ts';
import { handleMouse } from './mouse.ts';
import { commandOf } from './registry.ts';
import type { AppState } from './state.ts';
import { typeText } from './type-text.ts';
import { unboundKeyWords } from './unbound-key.ts';

/** Handles one event. */
export function handleKey(state: AppState, event: KeyEvent, facts: AppFacts): AppOutcome {
  if (event.kind === 'reply') {
    const mouse = parseMouse(event.sequence);
    return mouse === null ? done(state) : handleMouse(withoutChord(state), mouse, facts);
  }
  if (event.kind === 'paste') return typeText(withoutChord(state), event.text, 'paste', facts);
  const contexts = contextsOf(state, facts);
  const keys = [...state.chord, event.key];
  const match = matchKeys(facts.keymap, contexts, keys);
  if (match.kind === 'pending') return done({ ...state, chord: keys });
  const cleared = withoutChord(state);
  if (match.kind === 'action') return runAction(cleared, match.action, contexts, facts);
  // A broken chord is dropped whole: half of it must not run as something else.
  if (state.chord.length > 0) return withoutMeaning(cleared, keys, contexts, facts);
  const quick = contexts.includes('insert') ? escAndKey(event.key) : null;
  if (quick !== null) return inTurn(state, quick, facts);
  const typed = event.text === null ? done(state) : typeText(state, event.text, 'type', facts);
  const isSilent = typed.state === state && typed.effects.length === 0;
  return isSilent ? withoutMeaning(state, keys, contexts, facts) : typed;
}

/** A key that does nothing is answered with the nearest key that does. Over a screen the footer names all keys. */
function withoutMeaning(
  state: AppState,
  keys: Chord,
  contexts: readonly string[],
  facts: AppFacts,
): AppOutcome {
  if (!contexts.includes('app')) return done(state);
  return say(state, facts, 'info', unboundKeyWords(facts.keymap, contexts, keys));
}

/** Esc and the next key typed so quickly that they look like Alt with it; null for everything else. */
function escAndKey(key: string): readonly KeyEvent[] | null {
  const character = /^Alt\+(.)$/u.exec(key)?.[1];
  if (character === undefined) return null;
  return [
    { kind: 'key', key: 'Esc', text: null },
    { kind: 'key', key: character, text: character },
  ];
}

function inTurn(state: AppState, events: readonly KeyEvent[], facts: AppFacts): AppOutcome {
  return events.reduce<AppOutcome>((before, event) => {
    const after = handleKey(before.state, event, facts);
    return done(after.state, ...before.effects, ...after.effects);
  }, done(state));
}

function withoutChord(state: AppState): AppState {
  return state.chord.length === 0 ? state : { ...state, chord: [] };
}

/** Runs an action where `contexts` are active: by key, from the palette, by a test. */
export function runAction(
  state: AppState,
  action: Action,
  contexts: readonly string[],
  facts: AppFacts,
): AppOutcome {
  return commandOf(state, action, contexts)?.(state, facts) ?? done(state);
}
