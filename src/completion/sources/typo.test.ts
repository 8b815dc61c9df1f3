import { describe, expect, it } from 'vitest';
import { linesOf, queryAt } from '../../../test/helpers/completion-sources.ts';
import { ran } from '../../../test/helpers/history.ts';
import { GrammarCatalogue } from '../core/grammar.ts';
import { Knowledge } from '../core/knowledge.ts';
import { Prior } from '../core/prior.ts';
import type { Source } from './source.ts';
import { createTypoSource } from './typo.ts';

const NEVER = new AbortController().signal;
const query = (line: string, cwd = '/') => queryAt(line, cwd);
const lines = (source: Source, line: string, cwd = '/') => linesOf(source, line, cwd);

describe('typo', () => {
  function knowing(used: readonly string[], existing: readonly string[] = []) {
    const knowledge = new Knowledge();
    for (const line of used) knowledge.learn(ran(line));
    knowledge.setExisting(new Set(existing));
    return createTypoSource(knowledge);
  }
  const names = ['git', 'docker', 'kubectl', 'ls', 'make', 'python3', 'systemctl', 'grep', 'ssh'];
  it.each([
    ['gti status', 'git status'],
    ['dcoker ps', 'docker ps'],
    ['kubeclt get pods', 'kubectl get pods'],
    ['pyhton3 x.py', 'python3 x.py'],
    ['systmectl status x', 'systemctl status x'],
    ['grpe -r  "a  b" .', 'grep -r  "a  b" .'],
    ['mkae -j2', 'make -j2'],
    ['shh host', 'ssh host'],
  ])('%j → %j', async (wrong, right) => {
    expect(
      (await knowing(['ls -l', 'git log', 'make', 'ssh a', 'ssh b'], names).suggest(query(wrong), NEVER))[0]
        ?.line,
    ).toBe(right);
  });
  it.each(['git status', 'echo x', 'cd /', 'doc', 'g', './gti', 'FOO=1', '"gti"'])(
    'leaves %j alone',
    async (line) => {
      expect(await lines(knowing(['git log'], names), line)).toEqual([]);
    },
  );
  it('leaves aliases of a subcommand alone', async () => {
    const grammar = new GrammarCatalogue('git\t{"s":{"shortlog":{},"status":{},"stats":"shortlog"}}\n');
    const knowledge = new Knowledge();
    knowledge.setExisting(new Set(['git']));
    const source = createTypoSource(knowledge, null, grammar);
    expect(await lines(source, 'git stats x')).toEqual([]);
    expect(await lines(source, 'git statos x')).toEqual(['git status x']);
  });
  it.each([
    ['gi tstatus', 'git status'],
    ['gits tatus --short', 'git status --short'],
    ['gi t', null],
    ['les x', 'less x'],
    ['hed x', 'head x'],
    ['ls | sotr', 'ls | sort'],
    ['sotru', null],
  ])(
    '%j with a misplaced blank, a doubled letter, a first letter or an unused longer name → %j',
    async (wrong, right) => {
      const prior = new Prior(['git status', 'head -n', 'less +F', 'sed -n', 'sort -u']);
      const knowledge = new Knowledge();
      knowledge.setExisting(new Set(['git', 'head', 'less', 'ls', 'sed', 'sort', 'sotruss']));
      const source = createTypoSource(knowledge, prior, new GrammarCatalogue('git\t{"s":{"status":{}}}\n'));
      expect((await source.suggest(query(wrong), NEVER))[0]?.line ?? null).toBe(right);
    },
  );
  it.each([
    ['docker swarm int', 'docker swarm init'],
    ['docker swarm ini', null],
    ['docker swarm init', null],
    ['sudo docker image isnpect x', 'sudo docker image inspect x'],
    ['docker run imige', null],
    ['docker swarm my-int init', null],
    ['npm urgrade -g', 'npm upgrade -g'],
    ['npm updtae x', 'npm update x'],
  ])('%j at any depth, to an alias only if no subcommand is near → %j', async (wrong, right) => {
    const grammar = new GrammarCatalogue(
      [
        'docker\t{"s":{"swarm":{"s":{"init":{},"join":{}}},"image":{"s":{"inspect":{}}},"run":{}}}',
        'npm\t{"s":{"update":{},"upgrade":"update","upd":"update"}}\n',
      ].join('\n'),
    );
    const knowledge = new Knowledge();
    knowledge.learn(ran('docker run image'));
    knowledge.setExisting(new Set(['docker', 'npm']));
    const source = createTypoSource(knowledge, null, grammar);
    expect((await lines(source, wrong))[0] ?? null).toBe(right);
  });
  it('corrects neither a common command nor a word that is far from the typed one', async () => {
    const prior = new Prior(['docker start', 'docker stats', 'mysql -u']);
    const knowledge = new Knowledge();
    knowledge.learn(ran('docker stats web'));
    knowledge.setExisting(new Set(['docker', 'psql']));
    const of = async (line: string, known: Prior | null) =>
      (await createTypoSource(knowledge, known).suggest(query(line), NEVER))[0]?.probability ?? 0;
    expect(await of('docker start web', prior)).toBe(0);
    expect(await of('docker strats web', prior)).toBeGreaterThan(0.5);
    expect(await of('mysql -u root', prior)).toBeLessThan(0.2);
    expect(await of('pssql -u root', prior)).toBeGreaterThan(0.8);
    expect(await of('mpsqll -u root', prior)).toBeLessThan(0.5);
  });
  it('corrects to a subcommand that was never used if a similar one was', async () => {
    const source = knowing(['git status', 'git status', 'git push'], names);
    expect(await lines(source, 'git stauts --short')).toEqual(['git status --short']);
  });
});
