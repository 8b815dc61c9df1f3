import { describe, expect, it } from 'vitest';
import { linesOf } from '../../../test/helpers/completion-sources.ts';
import { GrammarCatalogue } from '../core/grammar.ts';
import { Knowledge } from '../core/knowledge.ts';
import { Prior } from '../core/prior.ts';
import { createPriorSource } from './prior.ts';
import type { Source } from './source.ts';

const lines = (source: Source, line: string, cwd = '/') => linesOf(source, line, cwd);

describe('prior', () => {
  const prior = new Prior(['git standup', 'git status', 'npm run build', 'tar -x', 'tmux attach']);
  const specs = new GrammarCatalogue('git\t{"s":{"status":{}}}\ntmux\t{"s":{"a":{}}}\n');
  it.each([
    ['git sta', ['git', 'npm'], ['git status']],
    ['git sta', ['git', 'git-standup'], ['git standup', 'git status']],
    ['npm run ', ['npm'], []],
    ['tmux a', ['tmux'], ['tmux attach']],
    ['tar -', ['git'], []],
    ['gi', ['git', 'gitk', 'npm'], ['git', 'git ', 'gitk']],
    ['ls | expor', ['git'], ['ls | export']],
    ['e', ['exiv'], []],
  ])('%j where %j are installed', async (line, names, expected) => {
    const knowledge = new Knowledge();
    knowledge.setExisting(new Set(names));
    expect(await lines(createPriorSource(knowledge, prior, specs), line)).toEqual(expected);
  });
});
