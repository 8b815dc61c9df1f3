/**
 * A repository full of traps that git would run: no copane command runs any of them. The traps work: git itself, as a
 * person would use it there, runs them.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ProjectRows } from '../../../src/app/agent/project-rows.ts';
import type { SuggestionSource } from '../../../src/protocol/commands/review.ts';
import { git, makeFolder, makeRepository, putTree, readText } from '../../helpers/git-fixture.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { openTestReviews, type TestReviews } from '../../helpers/review-service.ts';
import { must } from '../../helpers/review-subject.ts';

const ABSENT = '1234567890123456789012345678901234567890';
const lines = (changed: Readonly<Record<number, string>>) =>
  Array.from({ length: 30 }, (_, i) => `${changed[i] ?? `line ${i}`}\n`).join('');

let root = '';
let home = '';
let proof = '';
let reviews: TestReviews;

beforeEach(() => {
  home = makeFolder();
  proof = path.join(home, 'proof');
  reviews = openTestReviews(path.join(home, 'state'));
  vi.stubEnv('GIT_CONFIG_GLOBAL', path.join(home, 'gitconfig'));
  writeFileSync(path.join(home, 'gitconfig'), '[user]\n\tname = t\n\temail = t@example.com\n');
  root = makeRepository({
    'f.txt': lines({}),
    'g.txt': 'g\n',
    'x.odd': 'odd\n',
    'p.proc': 'p\n',
    'm.mrg': 'm\n',
  });
  git(root, 'branch', 'topic');
});
afterEach(() => {
  vi.unstubAllEnvs();
  reviews.close();
  for (const folder of [root, home]) removeTree(folder);
});

/** A program that leaves `name` as proof that it ran, and then runs `andThen`: behaves as a filter. */
function program(name: string, andThen = 'exec cat'): string {
  const file = path.join(home, `run-${name}`);
  writeFileSync(file, `#!/bin/sh\necho ${name} >>${proof}\n${andThen}\n`, { mode: 0o755 });
  return file;
}

/** A trap that should lead to another repository, and exits at once: git would wait for a filter's first output. */
const transport = (name: string) => program(name, 'exit 1');
const TRANSPORTS = /sshCommand|gitProxy|pack$/;

const ran = (): string[] =>
  existsSync(proof) ? [...new Set(readFileSync(proof, 'utf8').trim().split('\n'))] : [];

/** Git as a person runs it. */
function gitThere(args: readonly string[], env: Record<string, string> = {}): void {
  spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@x', ...args], {
    cwd: root,
    timeout: 5_000,
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', ...env },
  });
}

/** Settings that make git run a program, and what a person would do to trigger it. */
const SETTINGS: readonly (readonly [name: string, key: string, trigger: readonly string[]])[] = [
  ['clean', 'filter.plain.clean', ['add', '-A']],
  ['odd-clean', 'filter.a=b.clean', ['add', '-A']],
  ['odd-smudge', 'filter.a=b.smudge', ['cat-file', '--filters', 'HEAD:x.odd']],
  ['process', 'filter.a.b.process', ['add', '-A']],
  ['fsmonitor', 'core.fsmonitor', ['status']],
  ['external-diff', 'diff.external', ['diff', 'HEAD', '--', 'g.txt']],
  ['diff-command', 'diff.a=b.command', ['diff', 'HEAD', '--', 'f.txt']],
  ['textconv', 'diff.conv.textconv', ['show', 'HEAD:m.mrg', '--textconv']],
  ['merge-driver', 'merge.a=b.driver', []],
  ['pager', 'core.pager', []],
  ['pager-diff', 'pager.diff', []],
  ['gpg', 'gpg.program', ['commit', '-S', '--allow-empty', '-m', 'x']],
  [
    'gpg-ssh',
    'gpg.ssh.program',
    [
      '-c',
      'gpg.format=ssh',
      '-c',
      'user.signingKey=key::ssh-ed25519 AAAA',
      'commit',
      '-S',
      '--allow-empty',
      '-m',
      'x',
    ],
  ],
  ['ssh', 'core.sshCommand', ['ls-remote', 'ssh://host/x']],
  ['askpass', 'core.askPass', []],
  ['credential', 'credential.helper', []],
  ['credential-of-host', 'credential.https://a=b.helper', []],
  ['editor', 'core.editor', ['commit', '--allow-empty', '--no-gpg-sign']],
  ['sequence-editor', 'sequence.editor', []],
  ['alternate-refs', 'core.alternateRefsCommand', []],
  ['git-proxy', 'core.gitProxy', ['ls-remote', 'git://localhost/x']],
  ['pack-hook', 'uploadpack.packObjectsHook', []],
  ['receive-pack', 'remote.two.receivepack', ['push', 'two', 'HEAD:x']],
  ['upload-pack', 'remote.two.uploadpack', ['fetch', 'two']],
  ['alias', 'alias.x', []],
  ['trailer', 'trailer.x.command', []],
  ['hook-by-setting', 'hook.x.command', []],
  ['gpg-x509', 'gpg.x509.program', ['-c', 'gpg.format=x509', 'commit', '-S', '--allow-empty', '-m', 'x']],
  [
    'gpg-key-command',
    'gpg.ssh.defaultKeyCommand',
    ['-c', 'gpg.format=ssh', 'commit', '-S', '--allow-empty', '-m', 'x'],
  ],
  ['archive', 'tar.x.command', ['archive', '--format=x', 'HEAD']],
  ['difftool', 'difftool.x.cmd', ['difftool', '-y', '-t', 'x', 'HEAD', '--', 'g.txt']],
  ['mergetool', 'mergetool.x.cmd', []],
  ['interactive', 'interactive.diffFilter', []],
  ['browser', 'browser.x.cmd', []],
  ['man', 'man.x.cmd', []],
  ['sendmail', 'sendemail.sendmailCmd', []],
];
const HOOKS = [
  'pre-commit',
  'commit-msg',
  'prepare-commit-msg',
  'post-commit',
  'post-checkout',
  'post-index-change',
  'reference-transaction',
  'pre-push',
  'post-rewrite',
];

/** Everything at once. Each program leaves a different name. */
function plantAll(): void {
  putTree(root, {
    '.gitattributes': '*.odd filter=a=b\n*.proc filter=a.b\nf.txt diff=a=b\n*.mrg merge=a=b diff=conv\n',
    f: 'new\n',
  });
  for (const [name, key] of SETTINGS) {
    const file = TRANSPORTS.test(key) ? transport(name) : program(name);
    const value = key.startsWith('alias.') ? `!${file}` : file;
    git(root, 'config', key, value);
  }
  git(root, 'config', 'hook.x.event', 'pre-commit');
  // Through an include, too.
  writeFileSync(path.join(root, '.git/more'), `[filter "inc"]\n\tclean = ${program('include')}\n`);
  git(root, 'config', 'include.path', 'more');
  appendFileSync(path.join(root, '.git/info/attributes'), '*.inc filter=inc\n*.pl filter=plain\n');
  for (const [folder, by] of [
    [path.join(root, '.git/hooks'), 'hook'],
    [path.join(root, '.evil'), 'hooks-path'],
  ] as const) {
    mkdirSync(folder, { recursive: true });
    for (const hook of HOOKS) {
      writeFileSync(path.join(folder, hook), `#!/bin/sh\nexec ${program(`${by}-${hook}`)} </dev/null\n`, {
        mode: 0o755,
      });
    }
  }
  git(root, 'config', 'core.hooksPath', '.evil');
  git(root, 'config', 'remote.origin.url', `ext::${transport('ext')} %S`);
  git(root, 'config', 'remote.two.url', path.join(root, '.git'));
  git(root, 'config', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*');
  git(root, 'config', 'branch.main.remote', 'origin');
  git(root, 'config', 'branch.main.merge', 'refs/heads/main');
  git(root, 'config', `url.ext::${transport('instead-of')} .insteadOf`, 'https://');
  git(root, 'config', 'protocol.ext.allow', 'always');
  git(root, 'config', 'commit.gpgSign', 'true');
  git(root, 'config', 'push.gpgSign', 'if-asked');
  git(root, 'config', 'log.showSignature', 'true');
  git(root, 'config', 'submodule.x.update', `!${program('submodule')}`);
  git(root, 'config', 'remote.three.vcs', 'ext');
  git(root, 'config', 'remote.three.url', `${transport('vcs')} %S`);
  git(root, 'config', 'remote.pushDefault', 'three');
  git(root, 'config', 'push.recurseSubmodules', 'on-demand');
  git(root, 'config', 'diff.submodule', 'diff');
  git(root, 'config', 'diff.ignoreSubmodules', 'none');
  git(root, 'config', 'status.submoduleSummary', 'true');
  git(root, 'config', 'diff.tool', 'x');
  git(root, 'config', 'remote.origin.promisor', 'true');
  git(root, 'config', 'user.name', 't');
  git(root, 'config', 'user.email', 't@example.com');
}

/** A bare repository as a folder of the working tree, with its own programs. */
function plantBare(): string {
  const bare = path.join(root, 'inner.git');
  git(root, 'init', '-q', '--bare', bare);
  for (const [key, value] of [
    ['core.bare', 'false'],
    ['core.worktree', '.'],
    ['core.fsmonitor', program('bare-fsmonitor')],
    ['filter.plain.clean', program('bare-filter')],
  ] as const)
    git(bare, 'config', '--file', path.join(bare, 'config'), key, value);
  writeFileSync(path.join(bare, '.gitattributes'), '* filter=plain\n');
  return bare;
}

function edit(): void {
  putTree(root, {
    'f.txt': lines({ 3: 'three', 20: 'twenty' }),
    'g.txt': 'G\n',
    'x.odd': 'ODD\n',
    'p.proc': 'P\n',
    'm.mrg': 'M\n',
    'n.pl': 'new\n',
    'n.inc': 'new\n',
  });
}

/** Every part of copane that calls git, run from `cwd`, a folder of the repository. */
async function runEverything(cwd: string, target = cwd): Promise<void> {
  const { service } = reviews;
  const publish = (source: SuggestionSource, stage = false) => reviews.publishFrom({ target, source, stage });
  for (const source of [
    { kind: 'index' },
    { kind: 'range', range: 'topic' },
    { kind: 'range', range: 'HEAD~0..topic' },
    { kind: 'working_tree', against: 'index' },
  ] as const)
    await publish(source);
  const { id, hunks } = must(await publish({ kind: 'working_tree', against: 'head' }, true));
  const [first, second, ...more] = hunks.filter(({ file }) => file === 'f.txt');
  expect([first?.file, second?.file, more]).toEqual(['f.txt', 'f.txt', []]);
  must(await reviews.decide({ suggestion: id, hunk: first?.id ?? '', action: 'accept' }));
  must(await reviews.decide({ suggestion: id, hunk: second?.id ?? '', action: 'reject' }));
  must(await reviews.step({ suggestion: id, hunk: second?.id ?? '' }, 'undo'));
  const how = { suggestion: id, how: 'finalize', sandbox: 'keep' } as const;
  const pushed = await reviews.finish({ ...how, push: true });
  if (!pushed.ok) must(await reviews.finish({ ...how, commit: true }));
  const { folder } = must(await service.sandboxes.create({ target, name: 'ai', base: null }));
  putTree(folder, { 'g.txt': 'sandbox\n', 'y.odd': 'y\n' });
  const made = must(await reviews.publishFrom({ target, source: { kind: 'sandbox', folder } }));
  must(await reviews.decide({ suggestion: made.id, hunk: 'all', action: 'reject' }));
  must(await service.sandboxes.list({ target }));
  must(await reviews.finish({ suggestion: made.id, how: 'finalize', sandbox: 'rebase' }));
  must(await service.sandboxes.remove({ target, name: 'ai', force: true }));
  await new ProjectRows(process.env, Date.now, () => () => false).read(cwd, { kind: 'diff' });
}

/** Reviews the working tree, accepts and commits everything. */
async function acceptAndCommit(): Promise<void> {
  const { id } = must(
    await reviews.publishFrom({ target: root, source: { kind: 'working_tree', against: 'head' } }),
  );
  must(await reviews.decide({ suggestion: id, hunk: 'all', action: 'accept', acceptSelfRunning: true }));
  must(await reviews.finish({ suggestion: id, how: 'finalize', sandbox: 'keep', commit: true }));
}

describe('none of it runs', () => {
  test('everything planted at once, for every command', async () => {
    plantAll();
    edit();
    await runEverything(root);
    expect(ran()).toEqual([]);
    expect(readText(root, 'x.odd')).toBe('ODD\n');
    // The traps work: each that a plain git command can trigger is triggered by it.
    const loud = SETTINGS.filter(([, , trigger]) => trigger.length > 0);
    for (const [, key, trigger] of loud) {
      edit();
      gitThere([
        '-c',
        'core.hooksPath=/dev/null',
        ...(key.startsWith('gpg') ? [] : ['-c', 'commit.gpgSign=false']),
        ...trigger,
      ]);
    }
    gitThere(['commit', '-m', 'x', '--allow-empty', '--no-gpg-sign']);
    const expected = loud.map(([name]) => name).filter((name) => !['clean'].includes(name));
    expect(ran()).toEqual(expect.arrayContaining(['hooks-path-pre-commit', ...expected]));
  });

  test('a submodule with programs of its own, which is edited', async () => {
    const inner = path.join(root, 'inner');
    const origin = makeRepository({
      f: 'f\n',
      'x.odd': 'odd\n',
      '.gitattributes': '*.odd filter=a diff=a\n',
    });
    git(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', origin, 'inner');
    git(root, 'commit', '-qam', 'submodule');
    for (const [key, name] of [
      ['core.fsmonitor', 'inner-fsmonitor'],
      ['filter.a.clean', 'inner-filter'],
      ['diff.a.command', 'inner-diff'],
      ['diff.external', 'inner-external'],
      ['core.sshCommand', 'inner-ssh'],
    ] as const)
      git(inner, 'config', key, program(name));
    mkdirSync(path.join(root, '.git/modules/inner/hooks'), { recursive: true });
    for (const hook of HOOKS)
      writeFileSync(
        path.join(root, '.git/modules/inner/hooks', hook),
        `#!/bin/sh\nexec ${program(`inner-${hook}`)} </dev/null\n`,
        { mode: 0o755 },
      );
    for (const [key, value] of [
      ['push.recurseSubmodules', 'on-demand'],
      ['diff.submodule', 'diff'],
      ['diff.ignoreSubmodules', 'none'],
      ['status.submoduleSummary', 'true'],
      ['submodule.inner.ignore', 'none'],
      ['submodule.recurse', 'true'],
      ['remote.origin.url', path.join(home, 'bare')],
      ['branch.main.remote', 'origin'],
      ['branch.main.merge', 'refs/heads/main'],
    ] as const)
      git(root, 'config', key, value);
    git(root, 'init', '-q', '--bare', path.join(home, 'bare'));
    putTree(inner, { f: 'edited\n', 'x.odd': 'edited\n' });
    edit();
    rmSync(proof, { force: true });
    await runEverything(root);
    expect(ran()).toEqual([]);
    gitThere(['status']);
    gitThere(['diff', 'HEAD', '--submodule=diff']);
    expect(ran()).not.toEqual([]);
    removeTree(origin);
  });

  test('settings of this working tree alone, and of an included file by its branch', async () => {
    git(root, 'config', 'extensions.worktreeConfig', 'true');
    writeFileSync(
      path.join(root, '.git/config.worktree'),
      `[core]\n\tfsmonitor = ${program('worktree-fsmonitor')}\n[filter "w"]\n\tclean = ${program('worktree-filter')}\n`,
    );
    const branch = git(root, 'symbolic-ref', '--short', 'HEAD').trim();
    for (const [at, condition] of [
      `onbranch:${branch}`,
      `gitdir:${root}/`,
      `gitdir/i:${root}/.GIT`,
    ].entries()) {
      const file = path.join(home, `included-${at}`);
      writeFileSync(file, `[filter "i${at}"]\n\tclean = ${program(`included-${at}`)}\n`);
      git(root, 'config', `includeIf.${condition}.path`, file);
    }
    putTree(root, {
      '.gitattributes': '*.txt filter=w\n*.odd filter=i0\n*.proc filter=i1\n*.mrg filter=i2\n',
    });
    putTree(root, {
      'f.txt': lines({ 3: 'three' }),
      'x.odd': 'o\n',
      'p.proc': 'p2\n',
      'm.mrg': 'm2\n',
      plain: 'p\n',
    });
    await acceptAndCommit();
    must(await reviews.service.sandboxes.create({ target: root, name: 'w', base: null }));
    must(await reviews.service.sandboxes.remove({ target: root, name: 'w', force: true }));
    expect(ran()).toEqual([]);
    gitThere(['add', '-A']);
    expect(ran()).toEqual(
      expect.arrayContaining([
        'worktree-fsmonitor',
        'worktree-filter',
        'included-0',
        'included-1',
        'included-2',
      ]),
    );
  });

  test('attributes as macros, in quotes, and in files of a folder', async () => {
    git(root, 'config', 'filter.mac.clean', program('macro'));
    git(root, 'config', 'filter.quo.clean', program('quoted'));
    git(root, 'config', 'core.attributesFile', path.join(home, 'attributes'));
    writeFileSync(path.join(home, 'attributes'), '*.mrg filter=mac\n');
    putTree(root, {
      '.gitattributes':
        '[attr]evil filter=mac diff\n"quo ted.txt" filter=quo\n\\!neg filter=mac\n*.odd evil\n',
      'sub/.gitattributes': '* filter=mac\n',
      'sub/f': 's\n',
      'quo ted.txt': 'q\n',
      'x.odd': 'o\n',
      'm.mrg': 'm2\n',
      plain: 'p\n',
    });
    await acceptAndCommit();
    expect(ran()).toEqual([]);
    gitThere(['add', '-A']);
    expect(ran()).toEqual(expect.arrayContaining(['macro', 'quoted']));
  });

  test.each([
    ['.git/HEAD', '.git/HEAD is not a regular file'],
    ['.git/packed-refs', '.git/packed-refs is not a regular file'],
    ['.git/refs/heads/topic', '.git/refs/heads/topic is not a regular file'],
    ['.git/info/attributes', '.git/info/attributes is not a regular file'],
    ['sub/.gitignore', 'sub/.gitignore is not a regular file'],
    ['.git/index', '.git/index is not a regular file'],
    ['.git/commondir', '.git/commondir is not a regular file'],
    ['.git/shallow', '.git/shallow is not a regular file'],
    ['.git/objects/info/alternates', 'objects/info/alternates is not a regular file'],
  ])('a FIFO as %s holds nobody up', async (name, words) => {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    rmSync(file, { force: true });
    spawnSync('mkfifo', [file]);
    edit();
    const begun = performance.now();
    const published = await reviews.publishFrom({ target: root, source: { kind: 'range', range: 'topic' } });
    const tree = await reviews.publishFrom({
      target: root,
      source: { kind: 'working_tree', against: 'head' },
    });
    expect(performance.now() - begun).toBeLessThan(15_000);
    const said = [published, tree].flatMap((one) => (one.ok ? [] : [one.error.message]));
    expect(said.join('\n')).toContain(words);
  });

  test.each(['excludesFile', 'attributesFile'])('a FIFO named by core.%s holds nobody up', async (key) => {
    const fifo = path.join(makeFolder(), 'stuck');
    spawnSync('mkfifo', [fifo]);
    git(root, 'config', `core.${key}`, fifo);
    edit();
    const begun = performance.now();
    const source = { kind: 'working_tree', against: 'head' } as const;
    const tree = await reviews.publishFrom({ target: root, source });
    expect(performance.now() - begun).toBeLessThan(15_000);
    expect(tree.ok ? '' : tree.error.message).toContain(`${fifo} is not a regular file`);
    removeTree(path.dirname(fifo));
  });

  describe('a pattern that git would match for hours', () => {
    const source = { kind: 'working_tree', against: 'head' } as const;
    const hard = `${'*a'.repeat(9)}*b`;
    beforeEach(() => {
      edit();
      writeFileSync(path.join(root, `${'a'.repeat(200)}c`), 'x\n');
    });

    test('ends with the client that asked', async () => {
      writeFileSync(path.join(root, '.gitignore'), `${hard}\n`);
      const published = await reviews.publishFrom(
        { target: root, source },
        { signal: AbortSignal.timeout(300) },
      );
      expect(published).toMatchObject({
        ok: false,
        error: { message: expect.stringContaining('was cancelled') },
      });
    });

    test('delays nobody, and no review of another folder', async () => {
      writeFileSync(path.join(root, '.gitignore'), `${hard}\n`);
      const other = makeRepository({ 'a.txt': 'a\n' });
      writeFileSync(path.join(other, 'a.txt'), 'b\n');
      const order: string[] = [];
      const note = (name: string) => () => order.push(name);
      const begun = performance.now();
      const [published] = await Promise.all([
        reviews.publishFrom({ target: root, source }).finally(note('held up')),
        reviews.publishFrom({ target: other, source }).finally(note('plain')),
      ]);
      expect(performance.now() - begun).toBeLessThan(15_000);
      expect(order).toEqual(['plain', 'held up']);
      const said = `it may take very long to match "${hard}" of .gitignore`;
      expect(published).toMatchObject({ ok: false, error: { message: expect.stringContaining(said) } });
      removeTree(other);
    });
  });

  test.each(['inner.git', './inner.git', 'ABSOLUTE', 'file://ABSOLUTE'])(
    'the remote %s, a folder of the working tree, is not pushed to',
    async (written) => {
      const bare = path.join(root, 'inner.git');
      git(root, 'init', '-q', '--bare', bare);
      writeFileSync(path.join(bare, 'hooks/pre-receive'), `#!/bin/sh\necho pushed >>${proof}\n`, {
        mode: 0o755,
      });
      git(root, 'remote', 'add', 'inner', written.replace('ABSOLUTE', bare));
      const branch = git(root, 'symbolic-ref', '--short', 'HEAD').trim();
      git(root, 'config', `branch.${branch}.remote`, 'inner');
      git(root, 'config', `branch.${branch}.merge`, 'refs/heads/x');
      edit();
      const source = { kind: 'working_tree', against: 'head' } as const;
      const { id } = must(await reviews.publishFrom({ target: root, source, filter: { files: ['f.txt'] } }));
      must(await reviews.decide({ suggestion: id, hunk: 'all', action: 'accept' }));
      const how = { suggestion: id, how: 'finalize', sandbox: 'keep' } as const;
      const pushed = await reviews.finish({ ...how, commit: true, push: true });
      expect(JSON.stringify(pushed)).toContain('is in the working tree');
      expect(ran()).toEqual([]);
      must(await reviews.finish({ ...how, commit: true }));
      git(root, 'push', 'inner', 'HEAD:y');
      expect(ran()).toEqual(['pushed']);
    },
  );

  test('a folder that is a bare repository inside a plain clone', async () => {
    const bare = plantBare();
    edit();
    await runEverything(bare, root);
    expect(ran()).toEqual([]);
  });

  test('the environment that a hook or an alias passes on', async () => {
    edit();
    const other = makeRepository({ other: 'o\n' });
    const env: Record<string, string> = {
      GIT_DIR: path.join(other, '.git'),
      GIT_WORK_TREE: other,
      GIT_INDEX_FILE: path.join(other, '.git/index'),
      GIT_CONFIG_PARAMETERS: `'core.fsmonitor=${program('parameters')}'`,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.fsmonitor',
      GIT_CONFIG_VALUE_0: program('count'),
      GIT_TEMPLATE_DIR: path.join(home, 'template'),
    };
    for (const name of [
      'EXTERNAL_DIFF',
      'PAGER',
      'EDITOR',
      'SEQUENCE_EDITOR',
      'ASKPASS',
      'SSH',
      'SSH_COMMAND',
      'PROXY_COMMAND',
    ])
      env[`GIT_${name}`] = program(name.toLowerCase());
    mkdirSync(path.join(home, 'template/hooks'), { recursive: true });
    writeFileSync(
      path.join(home, 'template/hooks/post-index-change'),
      `#!/bin/sh\nexec ${program('template')}\n`,
      {
        mode: 0o755,
      },
    );
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    await runEverything(root);
    for (const name of Object.keys(env)) vi.stubEnv(name, undefined);
    expect(ran()).toEqual([]);
    expect(readText(other, 'other')).toBe('o\n');
    removeTree(other);
    gitThere(['status'], { ...env, GIT_DIR: '.git', GIT_WORK_TREE: '.', GIT_INDEX_FILE: '.git/index' });
    expect(ran()).not.toEqual([]);
  });

  test('a .git file that points elsewhere', async () => {
    plantAll();
    const copy = makeFolder();
    putTree(copy, { '.git': `gitdir: ${root}/.git\n`, 'f.txt': lines({ 3: 'three', 20: 'twenty' }) });
    await runEverything(copy);
    expect(ran()).toEqual([]);
    removeTree(copy);
  });

  test('core.worktree that points elsewhere: nothing is read or written there', async () => {
    plantAll();
    const elsewhere = makeFolder();
    putTree(elsewhere, { 'f.txt': 'elsewhere\n' });
    git(root, 'config', 'core.worktree', elsewhere);
    edit();
    await runEverything(root);
    expect(ran()).toEqual([]);
    expect(readText(elsewhere, 'f.txt')).toBe('elsewhere\n');
    removeTree(elsewhere);
  });

  test('a missing object is not fetched by a program', async () => {
    plantAll();
    git(root, 'config', 'core.repositoryFormatVersion', '1');
    git(root, 'config', 'extensions.partialClone', 'origin');
    writeFileSync(path.join(root, '.git/refs/heads/lazy'), `${ABSENT}\n`);
    edit();
    for (const range of ['lazy', `HEAD..${ABSENT}`])
      expect((await reviews.publishFrom({ target: root, source: { kind: 'range', range } })).ok).toBe(false);
    expect((await reviews.service.sandboxes.create({ target: root, name: 'x', base: 'lazy' })).ok).toBe(
      false,
    );
    must(await reviews.publishFrom({ target: root, source: { kind: 'working_tree', against: 'head' } }));
    expect(ran()).toEqual([]);
    gitThere(['cat-file', '-p', ABSENT]);
    expect(ran()).not.toEqual([]);
  });
});
