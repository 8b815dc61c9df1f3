import { describe, expect, it } from 'vitest';
import { CHORD_MAX_KEYS, formatChord, parseChord, parseKey } from '../kit/keys/key.ts';
import { actionsIn, keyOf, matchKeys } from '../kit/keys/keymap.ts';
import { appKeymap, BINDINGS } from './key-table.ts';

const keymap = appKeymap();

describe('key names', () => {
  it.each([
    ['ctrl+r', 'Ctrl+R'],
    ['Ctrl+Shift+k', 'Ctrl+Shift+K'],
    ['shift+tab', 'Shift+Tab'],
    ['shift+g', 'G'],
    ['G', 'G'],
    ['+', '+'],
    ['Ctrl++', 'Ctrl++'],
    ['pgup', 'PageUp'],
    ['alt+Left', 'Alt+Left'],
    ['é', 'é'],
  ])('%s is %s', (written, expected) => {
    expect(parseKey(written)).toEqual({ ok: true, value: expected });
  });

  it.each(['', 'hyper+x', 'Foo'])('refuses %j', (written) => {
    expect(parseKey(written).ok).toBe(false);
  });

  it('writes chords for people', () => {
    const chord = parseChord('g  Enter');
    expect(chord.ok && formatChord(chord.value)).toBe('g Enter');
    expect(formatChord(['g', 'g'])).toBe('gg');
    expect(parseChord('a '.repeat(CHORD_MAX_KEYS)).ok).toBe(true);
    expect(parseChord('a '.repeat(CHORD_MAX_KEYS + 1)).ok).toBe(false);
  });
});

describe('the key table', () => {
  it('has no collisions', () => {
    expect(keymap.problems).toEqual([]);
  });

  it('names an action once per context, with the same keys everywhere', () => {
    const named = BINDINGS.flatMap(({ action, contexts }) =>
      contexts.map((context) => `${action} ${context}`),
    );
    expect(new Set(named).size).toBe(named.length);
    const keysOf = new Map<string, string>();
    for (const { action, keys } of BINDINGS) {
      const written = keys.join(', ');
      expect(keysOf.get(action) ?? written, action).toBe(written);
      keysOf.set(action, written);
    }
  });

  it('reaches every action by a key in every context that it names', () => {
    for (const binding of keymap.bound) {
      for (const context of binding.contexts) {
        expect(keyOf(keymap, binding.action, [context]), `${binding.action} in ${context}`).not.toBeNull();
      }
    }
  });
});

describe('matchKeys', () => {
  it('prefers the narrowest context', () => {
    expect(matchKeys(keymap, ['draft', 'responses', 'app'], ['b'])).toEqual({
      kind: 'action',
      action: 'move/word-back',
    });
    expect(matchKeys(keymap, ['list', 'responses', 'app'], ['b'])).toEqual({
      kind: 'action',
      action: 'response/code',
    });
    expect(matchKeys(keymap, ['list', 'responses', 'app'], ['q'])).toEqual({
      kind: 'action',
      action: 'app/back',
    });
  });

  it('waits for the rest of a chord', () => {
    expect(matchKeys(keymap, ['list', 'responses', 'app'], ['g'])).toEqual({ kind: 'pending' });
    expect(matchKeys(keymap, ['list', 'responses', 'app'], ['g', 'g'])).toEqual({
      kind: 'action',
      action: 'move/first',
    });
    expect(matchKeys(keymap, ['list', 'responses', 'app'], ['g', 'a'])).toEqual({
      kind: 'action',
      action: 'pane/answer',
    });
    expect(matchKeys(keymap, ['list', 'app'], ['g', 'z'])).toEqual({ kind: 'none' });
  });
});

describe('remapping', () => {
  it('assigns other keys to an action, including chords', () => {
    const changed = appKeymap({ 'response/pull': ['Ctrl+X p', 'F5'] });
    expect(changed.problems).toEqual([]);
    expect(matchKeys(changed, ['list'], ['Ctrl+X', 'p'])).toEqual({
      kind: 'action',
      action: 'response/pull',
    });
    expect(matchKeys(changed, ['list'], ['p'])).toEqual({ kind: 'none' });
    expect(keyOf(changed, 'response/pull')).toBe('Ctrl+X p');
  });

  it('reports no problem in the documented example', () => {
    expect(appKeymap({ 'response/pull': ['p', 'Ctrl+X p'], 'draft/send': 'Ctrl+S' }).problems).toEqual([]);
  });

  it.each([
    [{ 'no/such': 'p' }, 'no action "no/such"'],
    [{ 'response/pull': 'hyper+p' }, 'response/pull'],
    [{ 'response/pull': 's' }, 'collide'],
    [{ 'response/pull': 'g g p' }, 'collide'],
  ])('reports %j', (overrides, expected) => {
    expect(appKeymap(overrides).problems.join('\n')).toContain(expected);
  });

  it('removes keys but keeps the action reachable by name', () => {
    const changed = appKeymap({ 'app/quit': [] });
    expect(matchKeys(changed, ['app'], ['Ctrl+C'])).toEqual({ kind: 'none' });
    expect(actionsIn(changed, ['app']).some(({ action }) => action === 'app/quit')).toBe(true);
  });
});
