/**
 * The keys as they are in force: the table with the user's changes on top. Matches a key, or a chord so far,
 * to an action; reports what a remapping breaks. The one matcher of keys.
 */

import type { Binding, Context } from './binding.ts';
import { type Chord, formatChord, parseChord } from './key.ts';
import { type Action, BINDINGS } from './table.ts';

export interface BoundAction {
  readonly action: Action;
  readonly contexts: readonly Context[];
  readonly chords: readonly Chord[];
  readonly footer?: string;
  readonly help: string;
}

export interface Keymap {
  readonly bound: readonly BoundAction[];
  /** What is wrong with the user's changes, one sentence each. */
  readonly problems: readonly string[];
}

/** Action → chord or chords, as the configuration has it. An empty list takes the keys away. */
export type KeyOverrides = Readonly<Record<string, string | readonly string[]>>;

/** Builds the keymap; a change that cannot be read leaves the default in force and is reported. */
export function createKeymap(overrides: KeyOverrides = {}, bindings: readonly Binding[] = BINDINGS): Keymap {
  const problems: string[] = [];
  const known = new Set<string>(bindings.map((binding) => binding.action));
  for (const action of Object.keys(overrides)) {
    if (!known.has(action)) problems.push(`keys: there is no action "${action}"`);
  }
  const bound = bindings.map((binding): BoundAction => {
    const wanted = overrides[binding.action];
    const chords = wanted === undefined ? null : readChords(binding.action, wanted, problems);
    return {
      action: binding.action as Action,
      contexts: binding.contexts,
      chords: chords ?? defaults(binding),
      help: binding.help,
      ...(binding.footer === undefined ? {} : { footer: binding.footer }),
    };
  });
  problems.push(...conflicts(bound));
  return { bound, problems };
}

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

/** Two actions on one chord, or a chord that begins with another, in the same context. */
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

export type Match =
  | { readonly kind: 'action'; readonly action: Action }
  /** The keys so far begin a chord. */
  | { readonly kind: 'pending' }
  | { readonly kind: 'none' };

/** What `keys` (the chord so far) means where `contexts` are active, the narrowest first. */
export function matchKeys(keymap: Keymap, contexts: readonly Context[], keys: Chord): Match {
  for (const context of contexts) {
    let isPending = false;
    for (const binding of keymap.bound) {
      if (!binding.contexts.includes(context)) continue;
      for (const chord of binding.chords) {
        if (!startsWith(chord, keys)) continue;
        if (chord.length === keys.length) return { kind: 'action', action: binding.action };
        isPending = true;
      }
    }
    if (isPending) return { kind: 'pending' };
  }
  return { kind: 'none' };
}

/** The actions valid where `contexts` are active, each once, without those that a narrower context shadows by key. */
export function actionsIn(keymap: Keymap, contexts: readonly Context[]): readonly BoundAction[] {
  return keymap.bound.filter((binding) => {
    if (!binding.contexts.some((context) => contexts.includes(context))) return false;
    return (
      binding.chords.length === 0 || binding.chords.some((chord) => reaches(keymap, contexts, binding, chord))
    );
  });
}

function reaches(keymap: Keymap, contexts: readonly Context[], binding: BoundAction, chord: Chord): boolean {
  const match = matchKeys(keymap, contexts, chord);
  return match.kind === 'action' && match.action === binding.action;
}

/** The first key of an action that works where `contexts` are active, for people; null when it has none. */
export function keyOf(keymap: Keymap, action: Action, contexts?: readonly Context[]): string | null {
  const binding = keymap.bound.find((candidate) => candidate.action === action);
  const chord = binding?.chords.find(
    (candidate) =>
      contexts === undefined || (binding !== undefined && reaches(keymap, contexts, binding, candidate)),
  );
  return chord === undefined ? null : formatChord(chord);
}
