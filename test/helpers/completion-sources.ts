/** A folder with many kinds of files, for completion sources that read the disk, and how a test queries one. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { Query } from '../../src/completion/core/suggestion.ts';
import type { Source } from '../../src/completion/sources/source.ts';
import { removeTree } from './remove-tree.ts';

/** Makes the folder, which is a home, a repository and a project at once. */
function makeFolder(): string {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'copane-sources-'));
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
  for (const name of ['a.txt', 'run.py', 'sub/x', 'z.tar.gz']) write(`.mixed/${name}`);
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
      'export-data: build',
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
  return dir;
}

/** A request at the end of `line`. */
export const queryAt = (line: string, cwd: string): Query => ({
  line,
  cursor: line.length,
  cwd,
  session: 's',
  limit: 4,
});

/** The lines that `source` suggests, sorted. */
export async function linesOf(source: Source, line: string, cwd: string): Promise<string[]> {
  const found = await source.suggest(queryAt(line, cwd), new AbortController().signal);
  return found.map((suggestion) => suggestion.line).sort();
}

/** A clock that advances ten seconds between two looks: no cached value is fresh. */
function lateClock(): () => number {
  let clock = 0;
  return () => {
    clock += 10_000;
    return clock;
  };
}

/** The folder during one file's tests, and a function that queries a source there. */
export function sourcesStage() {
  let dir = '';
  beforeAll(() => {
    dir = makeFolder();
  });
  afterAll(() => removeTree(dir));
  return {
    get dir() {
      return dir;
    },
    now: lateClock(),
    query: (line: string, cwd = dir) => queryAt(line, cwd),
    lines: (source: Source, line: string, cwd = dir) => linesOf(source, line, cwd),
  };
}
