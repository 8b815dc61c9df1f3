import { describe, expect, it } from 'vitest';
import { sourcesStage } from '../../../test/helpers/completion-sources.ts';
import { Knowledge } from '../core/knowledge.ts';
import { createZshSource } from './zsh.ts';

const stage = sourcesStage();
const { lines } = stage;

describe('zsh', () => {
  const named = (names: readonly string[]) => Promise.resolve(names.map((name) => ({ name })));
  it('asks once for a place, caches the answer, filters it by the typed letters', async () => {
    const knowledge = new Knowledge();
    knowledge.setExisting(new Set(['zeta']));
    const asked: string[] = [];
    const shell = {
      ask: (_cwd: string, line: string) => {
        asked.push(line);
        return named(['alpha', 'beta', 'b ad', '--flag']);
      },
    };
    const source = createZshSource(knowledge, shell, { now: () => 0, prior: null });
    expect(await lines(source, 'zeta ')).toEqual(['zeta --flag', 'zeta alpha', 'zeta beta']);
    expect(await lines(source, 'zeta al')).toEqual(['zeta alpha']);
    expect(await lines(source, 'ls | zeta be')).toEqual(['ls | zeta beta']);
    expect(await lines(source, 'unknown be')).toEqual([]);
    expect(await lines(source, 'zeta')).toEqual([]);
    expect(asked).toEqual(['zeta ']);
    expect(await lines(source, 'zeta --f')).toEqual(['zeta --flag']);
    expect(asked).toEqual(['zeta ', 'zeta --']);
    expect(await lines(source, 'git checkout -b be')).toEqual([]);
    expect(await lines(source, 'kill 1')).toEqual([]);
  });

  it('asks for variables after a dollar, including those of the session, and for the words after a joint', async () => {
    const knowledge = new Knowledge();
    knowledge.setExisting(new Set(['zeta']));
    knowledge.learn({ line: 'WIDTH=3 && export WILD=1', cwd: stage.dir, session: 's', at: 1, exit: 0 });
    const offers: Readonly<Record<string, readonly string[]>> = {
      'zeta $': ['$WIDGET_HOME', '$HOME'],
      'echo ${': ['${WIDGET_HOME'],
      'zeta --format=': ['--format=json'],
      'zeta root@': ['root@host'],
    };
    const shell = { ask: (_cwd: string, line: string) => named(offers[line] ?? []) };
    const source = createZshSource(knowledge, shell, { now: () => 0, prior: null });
    expect(await lines(source, 'zeta $WI')).toEqual(['zeta $WIDGET_HOME', 'zeta $WIDTH', 'zeta $WILD']);
    expect(await lines(source, 'zeta "$WIDG')).toEqual(['zeta "$WIDGET_HOME']);
    expect(await lines(source, 'echo ${WIDG')).toEqual(['echo ${WIDGET_HOME']);
    expect(await lines(source, 'zeta --format=j')).toEqual(['zeta --format=json']);
    expect(await lines(source, 'zeta root@h')).toEqual(['zeta root@host']);
  });

  it('offers few of a long list only once a letter is typed', async () => {
    const knowledge = new Knowledge();
    knowledge.setExisting(new Set(['zeta']));
    const shell = { ask: () => named(Array.from({ length: 60 }, (_, at) => `name${at}`)) };
    const source = createZshSource(knowledge, shell, { now: () => 0, prior: null });
    expect(await lines(source, 'zeta ')).toEqual([]);
    expect(await lines(source, 'zeta name5')).toHaveLength(4);
  });
});
