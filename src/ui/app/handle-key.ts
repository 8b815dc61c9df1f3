/** One key event → the next state: collects chords, runs actions; anything else is text. Pure. */

import { type Chord, formatChord, type KeyEvent } from '../kit/keys/key.ts';
import { type BoundAction, type Keymap, matchKeys } from '../kit/keys/keymap.ts';
import { parseMouse } from '../kit/mouse/mouse-event.ts';
import type { TypedHow } from '../kit/screen.ts';
import { contextsOf } from './contexts.ts';
import { type Action, CONTEXT_TITLES } from './key-table.ts';
import { type AppFacts, type AppOutcome, done, say } from './model.ts';
import { handleMouse } from './mouse.ts';
import { commandOf } from './registry.ts';
import { screenOf } from './screens.ts';
import type { AppState } from './state.ts';

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
  // A broken chord is dropped as a whole: half of it must not run as another command.
  if (state.chord.length > 0) return withoutMeaning(cleared, keys, contexts, facts);
  const quick = contexts.includes('insert') ? escAndKey(event.key) : null;
  if (quick !== null) return inTurn(state, quick, facts);
  const typed = event.text === null ? done(state) : typeText(state, event.text, 'type', facts);
  const isSilent = typed.state === state && typed.effects.length === 0;
  return isSilent ? withoutMeaning(state, keys, contexts, facts) : typed;
}

/** Answers a key without meaning with the nearest key that has one. Over an overlay the footer names all keys. */
function withoutMeaning(
  state: AppState,
  keys: Chord,
  contexts: readonly string[],
  facts: AppFacts,
): AppOutcome {
  if (!contexts.includes('app')) return done(state);
  return say(state, facts, 'info', unboundKeyWords(facts.keymap, contexts, keys));
}

/** Esc and a key typed right after it, which look like Alt with the key; null for anything else. */
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

/** Runs an action in `contexts`: for a key, the palette or a test. */
export function runAction(
  state: AppState,
  action: Action,
  contexts: readonly string[],
  facts: AppFacts,
): AppOutcome {
  return commandOf(state, action, contexts)?.(state, facts) ?? done(state);
}

/** Most characters of a search or palette line. */
export const QUERY_MAX_CHARACTERS = 500;

/** Handles text that no key matched. */
function typeText(state: AppState, text: string, how: TypedHow, facts: AppFacts): AppOutcome {
  const { overlay } = state;
  if (overlay?.kind === 'prompt' || overlay?.kind === 'palette') {
    const query = (overlay.query + text.replace(/\s*\n\s*/g, ' ')).slice(0, QUERY_MAX_CHARACTERS);
    return done({
      ...state,
      overlay: overlay.kind === 'prompt' ? { ...overlay, query } : { ...overlay, query, cursor: 0 },
    });
  }
  const typed = screenOf(state)?.typeText(state, facts, text, how) ?? null;
  if (typed !== null) return typed;
  if (how === 'type' || overlay !== null) return done(state);
  return say(
    state,
    facts,
    'info',
    'Paste into the draft: press Tab to go there, or o for a note, and paste again.',
  );
}

/** One line that names the key and similar keys here or elsewhere. */
function unboundKeyWords(keymap: Keymap<Action>, contexts: readonly string[], keys: Chord): string {
  const nothing = `${formatChord(keys)} does nothing here`;
  const near = keys.length === 1 ? nearHere(keymap, contexts, keys[0] ?? '') : null;
  if (near !== null) return `${nothing}. ${near}`;
  const elsewhere = keymap.bound.find(({ chords }) => chords.some((chord) => isSame(chord, keys)));
  return elsewhere === undefined ? `${nothing}; ? shows every key` : `${nothing}; ${placeOf(elsewhere)}`;
}

/** The letter in the other case, with or without Ctrl; for Esc, the way out. */
function nearHere(keymap: Keymap<Action>, contexts: readonly string[], key: string): string | null {
  const letter = key.replace(/^(?:Ctrl|Alt)\+/, '');
  const others =
    key === 'Esc'
      ? ['q']
      : [letter.toLowerCase(), letter.toUpperCase(), `Ctrl+${letter.toUpperCase()}`].filter(
          (other) => other !== key && letter.length === 1,
        );
  for (const other of others) {
    const match = matchKeys(keymap, contexts, [other]);
    const found = match.kind === 'action' ? keymap.bound.find(({ action }) => action === match.action) : null;
    if (found) return `${other}: ${found.help}`;
  }
  return null;
}

function placeOf({ contexts, help }: BoundAction<Action>): string {
  const titles: Readonly<Record<string, string>> = CONTEXT_TITLES;
  const [context = ''] = contexts;
  const title = titles[context] ?? context;
  return `elsewhere (${title.charAt(0).toLowerCase()}${title.slice(1)}) it is: ${help}`;
}

function isSame(one: Chord, other: Chord): boolean {
  return one.length === other.length && one.every((key, at) => key === other[at]);
}
