/** The message for a key that does nothing where it was pressed: names the key that was probably meant. Pure. */
import { type Chord, formatChord } from '../kit/keys/key.ts';
import { type BoundAction, type Keymap, matchKeys } from '../kit/keys/keymap.ts';
import { type Action, CONTEXT_TITLES } from './key-table.ts';

/** One line; names the key itself, and what is near it here or elsewhere. */
export function unboundKeyWords(keymap: Keymap<Action>, contexts: readonly string[], keys: Chord): string {
  const nothing = `${formatChord(keys)} does nothing here`;
  const near = keys.length === 1 ? nearHere(keymap, contexts, keys[0] ?? '') : null;
  if (near !== null) return `${nothing}. ${near}`;
  const elsewhere = keymap.bound.find(({ chords }) => chords.some((chord) => isSame(chord, keys)));
  return elsewhere === undefined ? `${nothing}; ? shows every key` : `${nothing}; ${placeOf(elsewhere)}`;
}

/** The other case of a letter, with Ctrl or without; for Esc, the way out. */
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
