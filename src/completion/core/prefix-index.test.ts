import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PrefixIndex } from './prefix-index.ts';

const word = fc.string({ minLength: 0, maxLength: 4, unit: fc.constantFrom('a', 'b', 'é', '𝔘') });

describe('texts by their start', () => {
  it('finds the same texts as a full search', () => {
    fc.assert(
      fc.property(fc.uniqueArray(word), fc.nat(), word, (texts, cut, prefix) => {
        const at = cut % (texts.length + 1);
        const index = new PrefixIndex(texts.slice(0, at));
        for (const text of texts.slice(at)) index.add(text);
        const wanted = texts.filter((text) => text.startsWith(prefix)).sort();
        expect([...index.startingWith(prefix)].sort()).toEqual(wanted);
      }),
      { seed: 7 },
    );
  });

  it('merges a long rest and loses nothing', () => {
    const index = new PrefixIndex(['b1']);
    for (let at = 0; at < 1_000; at += 1) index.add(`a${at}`);
    expect(index.startingWith('a')).toHaveLength(1_000);
    expect(index.startingWith('b')).toEqual(['b1']);
    index.add('b0');
    expect([...index.startingWith('b')].sort()).toEqual(['b0', 'b1']);
  });
});
