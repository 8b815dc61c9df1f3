/** The sources that look at the disk: paths, git, project files; and the ones that only know the user. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeTree } from '../../../test/helpers/remove-tree.ts';
import { GrammarCatalogue } from '../core/grammar.ts';
import { Knowledge } from '../core/knowledge.ts';
import { Prior } from '../core/prior.ts';
import type { Query } from '../core/suggestion.ts';
import { createGitSource } from './git.ts';
import { createRefs } from './git-refs.ts';
import { createHostsSource } from './hosts.ts';
import { createPathsSource } from './paths.ts';
import { createPriorSource } from './prior.ts';
import { createProjectSource } from './project.ts';
import { createSequenceSource } from './sequence.ts';
import type { Source } from './source.ts';
import { createSpecsSource } from './specs.ts';
import { createTokensSource } from './tokens.ts';
import { createTypoSource } from './typo.ts';
import { createWordsSource } from './words.ts';
import { createZshSource } from './zsh.ts';

const NEVER = new AbortController().signal;
let dir = '';
let clock = 0;

beforeAll(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'copane-sources-'));
  const write = (name: string, text = '') => {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    writeFileSync(path.join(dir, name), text);
  };
  write('readme.md');
  write('read me.txt');
  write('.hidden');
  write('src/main.ts');
  write('世界.txt');
  write('Docs/Guide.md');
  write('odd "$x"!.log');
  write("it's.cfg");
  write('.ssh/config', 'Host web1 web2 *.wild\n  HostName 10.0.0.1\nInclude more/*.conf\nhost=bastion\n');
  write('.ssh/more/a.conf', 'Host inner "quoted"\n');
  write(
    '.ssh/known_hosts',
    '|1|abc ssh-rsa A\ngit.host,10.0.0.2 ssh-rsa A\n[far.host]:2222 ssh-rsa A\n@revoked x y\n',
  );
  write('package.json', JSON.stringify({ scripts: { build: 'x', 'build:watch': 'x', test: 'x' } }));
  write('Makefile', 'CC := gcc\nall: build\n\nbuild:\n\ttrue\n\n.PHONY: all\n');
  write(
    'rules/Makefile',
    [
      'VERSION := 1',
      'ifeq ($(A):b,x:y)',
      'ifdef A:b',
      'endif',
      'X ::= 2',
      '# The whole thing',
      'build: dep ## Build it',
      '\tcc: not a target',
      '# Checks',
      'test lint: build',
      'install _deploy-prod \\',
      '  fetch :: build',
      'out/%.o: %.c',
      'out/app: x',
      'URL = http://a:80',
      '.PHONY: build',
      'include more.mk missing.mk',
      '-include $(DEPS)',
    ].join('\n'),
  );
  write('rules/more.mk', 'docs:\n\techo\n');
  write(
    'rules/justfile',
    [
      'set shell := ["zsh"]',
      '# Build it',
      "build target='a:b' *args:",
      '  echo',
      'alias b := build',
      '[private]',
      'hidden:',
      '_own:',
      '@quiet a b="c":',
      'version := "1"',
    ].join('\n'),
  );
  write(
    'compose.yaml',
    'name: x\nservices:\n  # the web\n  web:\n    image: a\n  "db":\n    image: b\nvolumes:\n  data:\n',
  );
  write(
    'crate/Cargo.toml',
    '[package]\nname = "hello"\n[[bin]]\nname = "one"\n[features]\ndefault = []\nfancy = []\n[workspace]\nmembers = ["parts/core", "more/*"]\n',
  );
  for (const file of ['src/bin/two.rs', 'examples/demo.rs', 'examples/big/main.rs', 'tests/all.rs'])
    write(`crate/${file}`);
  write(
    '.kube/config',
    [
      'current-context: prod',
      'contexts:',
      '- context: {cluster: c1, namespace: shop}',
      '  name: prod',
      "- name: '$(id)'",
      '- name: dev@local',
      '  context:',
      '    cluster: c2',
      'clusters:',
      '- {name: c1, cluster: {server: "https://api-1.k8s:6443/c/1"}}',
    ].join('\n'),
  );
  write(
    '.kube/cache/discovery/api_1.k8s_6443/c/1/v1/serverresources.json',
    '{"resources":[{"name":"pods","singularName":"pod"},{"name":"pods/log","singularName":""},{"name":"podtemplates","singularName":""}]}',
  );
  write(
    '.kube/cache/discovery/api_1.k8s_6443/c/1/cert.io/v1/serverresources.json',
    '{"resources":[{"name":"certificates","singularName":"certificate"}]}',
  );
  write('pyproject.toml', '[project.scripts]\nserve = "a:b"\n\n[tool.x]\nnot-this = 1\n');
  write('.git/HEAD', 'ref: refs/heads/main\n');
  write('.git/refs/heads/main');
  write('.git/refs/heads/feature/one');
  write('.git/packed-refs', '# pack-refs\n1234abcd refs/heads/packed\n1234abcd refs/tags/v1.0\n');
  write('.git/config', '[remote "origin"]\n\turl = x\n[remote "fork"]\n');
});
afterAll(() => removeTree(dir));

const query = (line: string, cwd = dir): Query => ({
  line,
  cursor: line.length,
  cwd,
  session: 's',
  limit: 4,
});
const now = () => {
  clock += 10_000;
  return clock;
};
async function lines(source: Source, line: string, cwd = dir): Promise<string[]> {
  return (await source.suggest(query(line, cwd), NEVER)).map((suggestion) => suggestion.line).sort();
}

describe('paths', () => {
  const source = () => createPathsSource({ home: dir, now });
  it.each([
    ['cat rea', ['cat read\\ me.txt', 'cat readme.md']],
    ['cat "read m', ['cat "read me.txt"']],
    ['cat ./src/', ['cat ./src/main.ts']],
    ['cat ~/src/m', ['cat ~/src/main.ts']],
    ['cd s', ['cd src/']],
    ['cd rea', []],
    ['cat .h', ['cat .hidden']],
    ['cat 世', ['cat 世界.txt']],
    ['cat "odd', [String.raw`cat "odd \"\$x\"\!.log"`]],
    [String.raw`cat odd\ `, [String.raw`cat odd\ \"\$x\"\!.log`]],
    ["cat 'it", ["cat 'it'\\''s.cfg'"]],
    ['cat "it', ['cat "it\'s.cfg"']],
    ['cd doc', ['cd Docs/']],
    ['cat Docs/gui', ['cat Docs/Guide.md']],
    ['cat README', ['cat readme.md']],
    ['wc -l < rea', ['wc -l < read\\ me.txt', 'wc -l < readme.md']],
    ['git st', []],
    ['cat $HOME/re', []],
    ['cat -', []],
    ['./sr', ['./src/']],
    ['git add rea', ['git add read\\ me.txt', 'git add readme.md']],
    ['git add readme.md rea', ['git add readme.md read\\ me.txt']],
    ['git checkout rea', []],
    ['git checkout -- readme', ['git checkout -- readme.md']],
    ['git log --oneline -- s', ['git log --oneline -- src/']],
    ['make rea', []],
  ])('%j', async (line, expected) => {
    expect(await lines(source(), line)).toEqual(expected);
  });

  it('offers nothing in folders that are not there', async () => {
    expect(await lines(source(), 'cat x', '/nonexistent')).toEqual([]);
    expect(await lines(source(), 'cat x', 'relative')).toEqual([]);
  });

  it('keeps the text after the cursor and places the cursor before it', async () => {
    const [suggestion] = await source().suggest({ ...query('cat readme | wc'), cursor: 10 }, NEVER);
    expect(suggestion).toMatchObject({ line: 'cat readme.md | wc', cursor: 13 });
  });
});

describe('git', () => {
  const source = () => createGitSource(createRefs(now));
  it.each([
    ['git checkout ', ['git checkout feature/one', 'git checkout packed', 'git checkout v1.0']],
    ['git switch fea', ['git switch feature/one']],
    ['git push ', ['git push fork', 'git push origin']],
    ['git merge v', ['git merge v1.0']],
    ['git push origin ', ['git push origin feature/one', 'git push origin main', 'git push origin packed']],
    ['git checkout -b ', []],
    ['git switch -c fea', []],
    ['git -C . switch fea', ['git -C . switch feature/one']],
    ['git checkout -- ', []],
    ['ls ', []],
  ])('%j', async (line, expected) => {
    expect(await lines(source(), line)).toEqual(expected);
  });
  it.each([
    ['git switch ', ['git switch \\$\\(x\\)', 'git switch a\\;b', 'git switch fix\\#1']],
    ['git switch a', ['git switch a\\;b']],
    ['git switch a;', []],
    ['git switch fix#', ['git switch fix#1']],
  ])('%j is never continued by a name that the shell would run', async (line, expected) => {
    const branches = ['$(x)', 'a;b', 'fix#1', 'c\nd', 'e\u001b[2J', 'f\u202e'];
    const hostile = createGitSource(async () => ({
      branches,
      tags: [],
      remotes: [],
      tracked: [],
      head: null,
      hasUpstream: false,
    }));
    expect(await lines(hostile, line)).toEqual(expected);
  });
  it('finds the repository from below, and none outside', async () => {
    expect(await lines(source(), 'git switch p', path.join(dir, 'src'))).toEqual(['git switch packed']);
    expect(await lines(source(), 'git switch p', '/')).toEqual([]);
  });
});

describe('project', () => {
  const source = () => createProjectSource({ home: dir, now });
  it.each([
    ['npm run bu', ['npm run build', 'npm run build:watch']],
    ['npm -w api run t', []],
    ['npm run --prefix ../other t', []],
    ['make -C lib ', []],
    ['make --file=other.mk ', []],
    ['just --justfile other ', []],
    ['docker compose -f other.yaml up ', []],
    ['cargo constructor ', []],
    ['cargo __proto__ ', []],
    ['make ', ['make all', 'make build']],
    ['make -j 4 all ', ['make -j 4 all build']],
    ['make -k all b', ['make -k all build']],
    ['docker compose logs ', ['docker compose logs db', 'docker compose logs web']],
    [
      'docker compose -f compose.yaml up -d ',
      ['docker compose -f compose.yaml up -d db', 'docker compose -f compose.yaml up -d web'],
    ],
    ['docker compose logs -f web ', ['docker compose logs -f web db']],
    ['docker compose exec w', ['docker compose exec web']],
    ['docker compose exec web ', []],
    ['docker compose -f ', []],
    ['uv run ', ['uv run serve']],
    ['npm install ', []],
    [
      'kubectl config use-context ',
      ['kubectl config use-context dev@local', 'kubectl config use-context prod'],
    ],
    ['kubectl --context p', ['kubectl --context prod']],
    ['kubectl get pods -n s', ['kubectl get pods -n shop']],
    ['kubectl -n shop get p', ['kubectl -n shop get pods', 'kubectl -n shop get podtemplates']],
    ['kubectl describe c', ['kubectl describe certificates']],
    ['kubectl get pods ', []],
    ['kubectl apply -f ', []],
    ['kubectx d', ['kubectx dev@local']],
  ])('%j', async (line, expected) => {
    expect(await lines(source(), line)).toEqual(expected);
  });
  it.each([
    ['rules', 'make t', ['make test']],
    [
      'rules',
      'make ',
      ['make _deploy-prod', 'make build', 'make fetch', 'make install', 'make lint', 'make test'],
    ],
    ['rules', 'make d', ['make docs']],
    ['rules', 'make o', ['make out/app']],
    ['rules', 'just ', ['just b', 'just build', 'just quiet']],
    ['crate', 'cargo run --bin ', ['cargo run --bin one', 'cargo run --bin two']],
    ['crate', 'cargo run --example ', ['cargo run --example big', 'cargo run --example demo']],
    ['crate', 'cargo test --test ', ['cargo test --test all']],
    ['crate', 'cargo build --features f', ['cargo build --features fancy']],
    ['crate', 'cargo build -p ', ['cargo build -p core', 'cargo build -p hello']],
    ['crate', 'cargo build ', []],
  ])('in %s %j', async (folder, line, expected) => {
    expect(await lines(source(), line, path.join(dir, folder))).toEqual(expected);
  });
  it.each([
    ['rules', 'make b', 'Build it'],
    ['rules', 'make te', 'Checks'],
    ['rules', 'just bu', 'Build it'],
    ['.', 'npm run build:', 'x'],
    ['.', 'docker compose up w', 'a'],
    ['.', 'kubectx p', 'c1'],
  ])('says of %s %j what the file says', async (folder, line, description) => {
    const found = await source().suggest(query(line, path.join(dir, folder)), new AbortController().signal);
    expect(found.map((one) => one.description)).toEqual([description]);
  });
});

describe('hosts', () => {
  const source = () => createHostsSource({ home: dir, now });
  it.each([
    ['ssh we', ['ssh web1', 'ssh web2']],
    ['ssh root@ba', ['ssh root@bastion']],
    ['ssh -p 22 inn', ['ssh -p 22 inner']],
    ['ssh qu', ['ssh quoted']],
    ['sudo ssh g', ['sudo ssh git.host']],
    ['mosh f', ['mosh far.host']],
    ['scp a.txt ba', ['scp a.txt bastion:']],
    ['ssh web1 ba', []],
    ['ssh -', []],
    ['ssh 1', []],
    ['cat ba', []],
  ])('%j', async (line, expected) => {
    expect(await lines(source(), line)).toEqual(expected);
  });
});

describe('prior', () => {
  const prior = new Prior(['git standup', 'git status', 'npm run build', 'tar -x']);
  const specs = new GrammarCatalogue('git\t{"s":{"status":{}}}\n');
  it.each([
    ['git sta', ['git', 'npm'], ['git status']],
    ['git sta', ['git', 'git-standup'], ['git standup', 'git status']],
    ['npm run ', ['npm'], []],
    ['tar -', ['git'], []],
  ])('%j where %j are installed', async (line, names, expected) => {
    const knowledge = new Knowledge();
    knowledge.setExisting(new Set(names));
    expect(await lines(createPriorSource(knowledge, prior, specs), line)).toEqual(expected);
  });
});

describe('typo', () => {
  function knowing(used: readonly string[], existing: readonly string[] = []) {
    const knowledge = new Knowledge();
    for (const line of used) knowledge.learn({ line, cwd: '/', session: 's', at: 0, exit: 0 });
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
  it('takes for a slip neither what people in general type nor what lies far away', async () => {
    const prior = new Prior(['docker start', 'docker stats', 'mysql -u']);
    const knowledge = new Knowledge();
    knowledge.learn({ line: 'docker stats web', cwd: '/', session: 's', at: 0, exit: 0 });
    knowledge.setExisting(new Set(['docker', 'psql']));
    const of = async (line: string, known: Prior | null) =>
      (await createTypoSource(knowledge, known).suggest(query(line), NEVER))[0]?.probability ?? 0;
    expect(await of('docker start web', prior)).toBe(0);
    expect(await of('docker strats web', prior)).toBeGreaterThan(0.5);
    expect(await of('mysql -u root', prior)).toBeLessThan(0.2);
    expect(await of('pssql -u root', prior)).toBeGreaterThan(0.8);
    expect(await of('mpsqll -u root', prior)).toBeLessThan(0.5);
  });
  it('repairs a subcommand that was never used when a near one was', async () => {
    const source = knowing(['git status', 'git status', 'git push'], names);
    expect(await lines(source, 'git stauts --short')).toEqual(['git status --short']);
  });
});

describe('words', () => {
  it('offers the arguments of the commands before, not options, not those already there', async () => {
    const knowledge = new Knowledge();
    for (const line of ['vim src/main.ts', 'cp -a one.txt two.txt'])
      knowledge.learn({ line, cwd: '/', session: 's', at: 0, exit: 0 });
    const source = createWordsSource(knowledge);
    expect(await lines(source, 'rm ')).toEqual(['rm one.txt', 'rm src/main.ts', 'rm two.txt']);
    expect(await lines(source, 'diff one.txt t')).toEqual(['diff one.txt two', 'diff one.txt two.txt']);
    expect(await lines(source, 'o')).toEqual([]);
  });

  it('offers no ending of a file by itself, and what the session ran since', async () => {
    const knowledge = new Knowledge();
    const ran = (line: string) => knowledge.learn({ line, cwd: '/', session: 's', at: 0, exit: 0 });
    const source = createWordsSource(knowledge);
    ran('vim notes.text');
    expect(await lines(source, 'cp t')).toEqual([]);
    ran('vim todo.text');
    expect(await lines(source, 'cp t')).toEqual(['cp todo', 'cp todo.text']);
  });

  it.each([
    ['a host inside of a word', 'ssh admin@10.1.26.9', 'scp admin@1', ['scp admin@10.1.26.9']],
    [
      'a host that stood inside of a word',
      'scp x root@build.example:/srv/',
      'ping bui',
      ['ping build.example'],
    ],
    ['a file of a folder', 'cat /srv/app/notes.txt', 'vim ~/no', ['vim ~/notes.txt']],
    ['the value of an option', 'run --file=data.csv', 'wc -l da', ['wc -l data.csv']],
    ['the start of an address', 'ping 172.18.1.5', 'nmap 172.18.1.', ['nmap 172.18.1.5']],
    ['the net of an address', 'ping 172.18.1.5', 'nmap 1', ['nmap 172.18.1', 'nmap 172.18.1.5']],
    ['the name of a hidden file', 'mv .report.zip /srv/', 'unzip rep', ['unzip report', 'unzip report.zip']],
    ['a folder and the one above', 'ls /srv/app/web/', 'cd /srv/a', ['cd /srv/app/', 'cd /srv/app/web/']],
    ['nothing behind a joint alone', 'cat /srv/app/notes.txt', 'vim ~/', []],
  ])('knows parts of words: %s', async (_name, before, typed, expected) => {
    const knowledge = new Knowledge();
    knowledge.learn({ line: before, cwd: '/', session: 's', at: 0, exit: 0 });
    const found = await lines(createWordsSource(knowledge), typed);
    expect(found.filter((line) => expected.includes(line))).toEqual(expected);
    if (expected.length === 0) expect(found).toEqual([]);
  });
});

describe('tokens', () => {
  it('puts no second blank before the rest of the line', () => {
    const knowledge = new Knowledge();
    for (const line of ['git commit -m x', 'git commit -m y'])
      knowledge.learn({ line, cwd: '/', session: 's', at: 0, exit: 0 });
    const found = createTokensSource(knowledge).suggest({ ...query('git | less'), cursor: 3 }, NEVER);
    if (found instanceof Promise) throw new Error('it reads nothing');
    expect(found.map(({ line, cursor }) => [line, cursor])).toContainEqual(['git commit -m | less', 13]);
    for (const { line } of found) expect(line).toMatch(/\S \| less$/);
  });

  it.each([
    ['a word of another command', 'git com', 'git compose', false],
    ['a subcommand behind another subcommand', 'git commit sta', 'git commit status', false],
    ['an option of another subcommand', 'git status --am', 'git status --amend', false],
    ['a word that one line alone has in another place', 'git commit main', 'git commit main', false],
    [
      'a word of the same command, known from two lines',
      'git push --tags or',
      'git push --tags origin',
      true,
    ],
  ])('%s', async (_name, typed, line, isOffered) => {
    const knowledge = new Knowledge();
    for (const ran of [
      'docker compose up',
      'git status -s',
      'git status',
      'git commit --amend',
      'git commit --amend -m x',
      'git push origin a',
      'git push -f origin b',
      'git push origin main',
    ])
      knowledge.learn({ line: ran, cwd: '/', session: 's', at: 0, exit: 0 });
    const found = (await lines(createTokensSource(knowledge), typed)).map((one) => one.trimEnd());
    expect(found.includes(line)).toBe(isOffered);
  });
});

describe('sequence', () => {
  it('offers what followed, on an empty line and on its first letters', async () => {
    const knowledge = new Knowledge();
    for (const line of ['make', 'make test', 'make', 'make test', 'make'])
      knowledge.learn({ line, cwd: '/', session: 's', at: 0, exit: 0 });
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

describe('specs', () => {
  const source = createSpecsSource(
    new GrammarCatalogue(
      'zeta\t{"s":{"run":{"s":{"fast":{}},"o":["--quick","-q"]},"rm":{}},"o":["--version"]}\n',
    ),
    new Prior([], ['git commit -m\t9', 'git commit --all\t3']),
  );
  it.each([
    ['zeta r', ['zeta rm', 'zeta run']],
    ['zeta run ', ['zeta run fast']],
    ['zeta run --', ['zeta run --quick']],
    ['zeta -', ['zeta --version']],
    ['zeta run x ', []],
    ['zeta constructor ', []],
    ['sudo zeta ru', ['sudo zeta run']],
    ['other ', []],
    ['zeta', []],
  ])('%j', async (line, expected) => {
    expect(await lines(source, line)).toEqual(expected);
  });
});

describe('zsh', () => {
  const named = (names: readonly string[]) => Promise.resolve(names.map((name) => ({ name })));
  it('asks once for a place, keeps the answer, filters it by what is typed', async () => {
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

  it('asks for variables behind a dollar, those of the session too, and for the words behind a joint', async () => {
    const knowledge = new Knowledge();
    knowledge.setExisting(new Set(['zeta']));
    knowledge.learn({ line: 'WIDTH=3 && export WILD=1', cwd: dir, session: 's', at: 1, exit: 0 });
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
