/** Key names: one canonical spelling each, for decoder, key table, help and remapping. Knows no bytes. */
import { fail, ok, type Result } from '../../../lib/result.ts';

const NAMED_KEYS = [
  'Enter',
  'Tab',
  'Esc',
  'Space',
  'Backspace',
  'Delete',
  'Insert',
  'Up',
  'Down',
  'Left',
  'Right',
  'Home',
  'End',
  'PageUp',
  'PageDown',
  'F1',
  'F2',
  'F3',
  'F4',
  'F5',
  'F6',
  'F7',
  'F8',
  'F9',
  'F10',
  'F11',
  'F12',
] as const;

/** A key as the application sees it. */
export type KeyEvent =
  /** `text`: what the key types in a text field; null if nothing. */
  | { readonly kind: 'key'; readonly key: string; readonly text: string | null }
  /** A whole bracketed paste, with `\n` line ends. */
  | { readonly kind: 'paste'; readonly text: string }
  /** A terminal reply, or a sequence that is not a key. Never typed. */
  | { readonly kind: 'reply'; readonly sequence: string };

export interface Modifiers {
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

export const NO_MODIFIERS: Modifiers = { ctrl: false, alt: false, shift: false };

/** The canonical name: `Ctrl+Alt+Shift+` before the key; capitals after Ctrl (`Ctrl+R`), shifted ones alone (`G`). */
export function keyName(base: string, modifiers: Modifiers): string {
  const isCharacter = [...base].length === 1;
  const name = isCharacter && modifiers.ctrl ? base.toUpperCase() : base;
  const shift = modifiers.shift && (!isCharacter || modifiers.ctrl) ? 'Shift+' : '';
  return `${modifiers.ctrl ? 'Ctrl+' : ''}${modifiers.alt ? 'Alt+' : ''}${shift}${name}`;
}

const MODIFIER_WORDS: Readonly<Record<string, keyof Modifiers>> = {
  ctrl: 'ctrl',
  c: 'ctrl',
  alt: 'alt',
  meta: 'alt',
  m: 'alt',
  shift: 'shift',
  s: 'shift',
};

const ALIASES: Readonly<Record<string, string>> = {
  return: 'Enter',
  cr: 'Enter',
  escape: 'Esc',
  bs: 'Backspace',
  del: 'Delete',
  pgup: 'PageUp',
  pgdn: 'PageDown',
  pagedn: 'PageDown',
};

/** Parses a key as people write it (`ctrl+r`, `Shift+Tab`, `g`, `pgup`) into its canonical name. */
export function parseKey(written: string): Result<string> {
  const parts = written === '+' ? ['+'] : written.replace(/\+\+$/, '+plus').split('+');
  const last = parts.pop() ?? '';
  const modifiers = { ctrl: false, alt: false, shift: false };
  for (const word of parts) {
    const modifier = MODIFIER_WORDS[word.toLowerCase()];
    if (modifier === undefined)
      return fail('invalid', `"${written}" is not a key: "${word}" is not a modifier`);
    modifiers[modifier] = true;
  }
  const base = last === 'plus' ? '+' : last;
  if ([...base].length === 1) {
    if (modifiers.shift && !modifiers.ctrl && base.toUpperCase() !== base) {
      return ok(keyName(base.toUpperCase(), modifiers));
    }
    return ok(base === ' ' ? keyName('Space', modifiers) : keyName(base, modifiers));
  }
  const lower = base.toLowerCase();
  const named = ALIASES[lower] ?? NAMED_KEYS.find((key) => key.toLowerCase() === lower);
  if (named === undefined) {
    return fail('invalid', `"${written}" is not a key`, 'Write keys like "p", "Ctrl+R", "Shift+Tab", "g g".');
  }
  return ok(keyName(named, modifiers));
}

/** A chord: keys pressed in sequence. */
export type Chord = readonly string[];

export const CHORD_MAX_KEYS = 3;

/** Parses `g g` or `Ctrl+X Ctrl+S` into a chord. */
export function parseChord(written: string): Result<Chord> {
  const words = written
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return fail('invalid', 'An empty key was given');
  if (words.length > CHORD_MAX_KEYS) {
    return fail('invalid', `"${written}" has more than ${CHORD_MAX_KEYS} keys`);
  }
  const chord: string[] = [];
  for (const word of words) {
    const key = parseKey(word);
    if (!key.ok) return key;
    chord.push(key.value);
  }
  return ok(chord);
}

const SHORT: Readonly<Record<string, string>> = { PageUp: 'PgUp', PageDown: 'PgDn' };

/** A chord for people: characters are joined (`gg`), named keys separated (`g Enter`). */
export function formatChord(chord: Chord): string {
  const names = chord.map((key) => SHORT[key] ?? key);
  return names.every((name) => [...name].length === 1) ? names.join('') : names.join(' ');
}
