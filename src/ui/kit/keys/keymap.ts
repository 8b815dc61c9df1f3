/** The keys in force: the table with the user's changes. Matches keys and chords to actions; reports conflicts. */

import type { Binding } from './binding.ts';
import { type Chord, formatChord, parseChord } from './key.ts';

/** A table row with the keys in force. `A`: the action names. */
export interface BoundAction<A extends string = string> {
  readonly action: A;
  readonly contexts: readonly string[];
  readonly chords: readonly Chord[];
  readonly footer?: string;
  readonly help: string;
}

export interface Keymap<A extends string = string> {
  readonly bound: readonly BoundAction<A>[];
  /** The meaning of the keys so far in each context, by `keyPath`: looked up often in every frame. */
  readonly meanings: ReadonlyMap<string, Meanings<A>>;
  /** Problems in the user's changes, one sentence each. */
  readonly problems: readonly string[];
}

/** An action, or the start of a chord. */
type Meanings<A extends string> = ReadonlyMap<string, A | typeof PENDING>;

const PENDING = Symbol('the beginning of a chord');

/** Action → chord or chords, as in the configuration. An empty list removes the keys. */
export type KeyOverrides = Readonly<Record<string, string | readonly string[]>>;

/** Builds the keymap. An invalid remapping is reported, and the default stays in force. */
export function createKeymap<A extends string>(
  bindings: readonly (Binding & { readonly action: A })[],
  overrides: KeyOverrides = {},
): Keymap<A> {
  const problems: string[] = [];
  const known = new Set<string>(bindings.map((binding) => binding.action));
  for (const action of Object.keys(overrides)) {
    if (!known.has(action)) problems.push(`keys: there is no action "${action}"`);
  }
  const bound = bindings.map((binding): BoundAction<A> => {
    const wanted = overrides[binding.action];
    const chords = wanted === undefined ? null : readChords(binding.action, wanted, problems);
    return {
      action: binding.action,
      contexts: binding.contexts,
      chords: chords ?? defaults(binding),
      help: binding.help,
      ...(binding.footer === undefined ? {} : { footer: binding.footer }),
    };
  });
  const { meanings, isClear } = meaningsOf(bound);
  if (!isClear) problems.push(...conflicts(bound));
  return { bound, meanings, problems };
}

/** The meaning of all keys. `isClear` is false if two actions want the same ones; the first gets them. */
function meaningsOf<A extends string>(bound: readonly BoundAction<A>[]) {
  const meanings = new Map<string, Map<string, A | typeof PENDING>>();
  let isClear = true;
  for (const { action, contexts, chords } of bound) {
    for (const context of contexts) {
      const here = meanings.get(context) ?? new Map();
      meanings.set(context, here);
      for (const chord of chords) {
        for (let length = 1; length < chord.length; length += 1) {
          const path = keyPath(chord.slice(0, length));
          if (here.has(path)) isClear &&= here.get(path) === PENDING;
          else here.set(path, PENDING);
        }
        const path = keyPath(chord);
        const before = here.get(path);
        isClear &&= before === undefined;
        if (before === undefined || before === PENDING) here.set(path, action);
      }
    }
  }
  return { meanings, isClear };
}

/** No key name contains a blank. */
const keyPath = (keys: Chord): string => (keys.length === 1 ? (keys[0] ?? '') : keys.join(' '));

function defaults(binding: Binding): readonly Chord[] {
  return binding.keys.map((written) => {
    const chord = parseChord(written);
    if (!chord.ok) throw new Error(`key table: ${binding.action}: ${chord.error.message}`);
    return chord.value;
  });
}

function readChords(action: string, wanted: string | readonly string[], problems: string[]): Chord[] | null {
  const chords: Chord[] = [];
  for (const written of typeof wanted === 'string' ? [wanted] : wanted) {
    const chord = parseChord(written);
    if (!chord.ok) {
      problems.push(`keys: ${action}: ${chord.error.message}`);
      return null;
    }
    chords.push(chord.value);
  }
  return chords;
}

/** Two actions on the same chord, or a chord that begins with another, in the same context. */
function conflicts(bound: readonly BoundAction[]): string[] {
  const found: string[] = [];
  bound.forEach((one, index) => {
    for (const other of bound.slice(index + 1)) {
      const context = one.contexts.find((candidate) => other.contexts.includes(candidate));
      if (context === undefined) continue;
      for (const chord of one.chords) {
        const clash = other.chords.find(
          (candidate) => startsWith(candidate, chord) || startsWith(chord, candidate),
        );
        if (clash === undefined) continue;
        found.push(
          `keys: "${formatChord(chord)}" (${one.action}) and "${formatChord(clash)}" (${other.action}) collide in ${context}`,
        );
      }
    }
  });
  return found;
}

function startsWith(chord: Chord, prefix: Chord): boolean {
  return prefix.every((key, index) => chord[index] === key);
}

export type Match<A extends string> =
  | { readonly kind: 'action'; readonly action: A }
  /** The keys so far start a chord. */
  | { readonly kind: 'pending' }
  | { readonly kind: 'none' };

/** The meaning of `keys` (the chord so far) in `contexts`, narrowest first. */
export function matchKeys<A extends string>(
  keymap: Keymap<A>,
  contexts: readonly string[],
  keys: Chord,
): Match<A> {
  const path = keyPath(keys);
  for (const context of contexts) {
    const meaning = keymap.meanings.get(context)?.get(path);
    if (meaning === PENDING) return { kind: 'pending' };
    if (meaning !== undefined) return { kind: 'action', action: meaning };
  }
  return { kind: 'none' };
}

/** The actions valid in `contexts`, each once, except those whose key a narrower context overrides. */
export function actionsIn<A extends string>(
  keymap: Keymap<A>,
  contexts: readonly string[],
  among: readonly BoundAction<A>[] = keymap.bound,
): readonly BoundAction<A>[] {
  return among.filter((binding) => {
    if (!binding.contexts.some((context) => contexts.includes(context))) return false;
    return (
      binding.chords.length === 0 || binding.chords.some((chord) => reaches(keymap, contexts, binding, chord))
    );
  });
}

function reaches(keymap: Keymap, contexts: readonly string[], binding: BoundAction, chord: Chord): boolean {
  const match = matchKeys(keymap, contexts, chord);
  return match.kind === 'action' && match.action === binding.action;
}

/** The first key of an action in `contexts`, for people; null if it has none. */
export function keyOf(keymap: Keymap, action: string, contexts?: readonly string[]): string | null {
  for (const binding of keymap.bound) {
    if (binding.action !== action) continue;
    const chord = binding.chords.find(
      (candidate) => contexts === undefined || reaches(keymap, contexts, binding, candidate),
    );
    if (chord !== undefined) return formatChord(chord);
  }
  return null;
}
