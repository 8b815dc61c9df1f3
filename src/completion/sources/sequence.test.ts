import { describe, expect, it } from 'vitest';
import { linesOf } from '../../../test/helpers/completion-sources.ts';
import { ran } from '../../../test/helpers/history.ts';
import { Knowledge } from '../core/knowledge.ts';
import { createSequenceSource } from './sequence.ts';
import type { Source } from './source.ts';

const lines = (source: Source, line: string, cwd = '/') => linesOf(source, line, cwd);

describe('sequence', () => {
  it('offers what followed, on an empty line and on its first letters', async () => {
    const knowledge = new Knowledge();
    for (const line of ['make', 'make test', 'make', 'make test', 'make']) knowledge.learn(ran(line));
    const source = createSequenceSource(knowledge);
    const asked = source.suggest(
      { line: '', cursor: 0, cwd: '/', session: 's', limit: 4 },
      new AbortController().signal,
    );
    expect((await asked)[0]?.line).toBe('make test');
    expect(await lines(source, 'ma')).toContain('make test');
    expect(await lines(source, 'mak')).toEqual([]);
  });
});
