/** Whatever traps a sandbox has in its repository, reading it runs none. Each trap is shown to work by itself. */
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { git, makeFolder, makeRepository, putTree } from '../../helpers/git-fixture.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { openTestReviews, type TestReviews } from '../../helpers/review-service.ts';
import { must } from '../../helpers/review-subject.ts';

let target = '';
let sandbox = '';
let outside = '';
let reviews: TestReviews;

beforeEach(() => {
  target = makeRepository({ f: 'a\n', 'sub/x': 'x\n' });
  sandbox = makeFolder();
  git(sandbox, 'clone', '-q', target, '.');
  outside = makeFolder();
  reviews = openTestReviews(path.join(outside, 'state'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  reviews.close();
  for (const folder of [target, sandbox, outside]) removeTree(folder);
});

/** A program that leaves proof that it ran, and behaves as a filter. */
function plantProgram(): { program: string; proof: string } {
  const proof = path.join(outside, 'ran');
  const program = path.join(outside, 'evil');
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >>${proof}\nexec cat\n`, { mode: 0o755 });
  return { program, proof };
}

const config = (folder: string, key: string, value: string) => git(folder, 'config', key, value);

interface Plant {
  readonly name: string;
  readonly plant: (program: string) => void;
  /** What would run it; git in the sandbox itself. */
  readonly trigger: readonly string[];
}

const attributes = (text: string) => putTree(sandbox, { '.gitattributes': `${text}\n` });

const PLANTS: readonly Plant[] = [
  {
    name: 'core.fsmonitor',
    plant: (program) => config(sandbox, 'core.fsmonitor', program),
    trigger: ['status'],
  },
  {
    name: 'a clean filter',
    plant: (program) => {
      attributes('* filter=evil');
      config(sandbox, 'filter.evil.clean', program);
    },
    trigger: ['add', '-A'],
  },
  {
    name: 'a filter process of Git LFS',
    plant: (program) => {
      attributes('* filter=lfs');
      config(sandbox, 'filter.lfs.process', program);
      config(sandbox, 'filter.lfs.required', 'true');
    },
    trigger: ['add', '-A'],
  },
  {
    name: 'a filter in a configuration of the worktree alone',
    plant: (program) => {
      attributes('* filter=evil');
      config(sandbox, 'extensions.worktreeConfig', 'true');
      git(sandbox, 'config', '--worktree', 'filter.evil.clean', program);
    },
    trigger: ['add', '-A'],
  },
  {
    name: 'a filter by an include',
    plant: (program) => {
      attributes('* filter=evil');
      writeFileSync(path.join(sandbox, '.git/more'), `[filter "evil"]\n\tclean = ${program}\n`);
      config(sandbox, 'include.path', 'more');
    },
    trigger: ['add', '-A'],
  },
  {
    name: 'an external diff',
    plant: (program) => config(sandbox, 'diff.external', program),
    trigger: ['diff'],
  },
  {
    name: 'textconv',
    plant: (program) => {
      attributes('* diff=evil');
      config(sandbox, 'diff.evil.textconv', program);
    },
    trigger: ['diff'],
  },
  {
    name: 'a hook after the index changed',
    plant: (program) =>
      writeFileSync(
        path.join(sandbox, '.git/hooks/post-index-change'),
        `#!/bin/sh\nexec ${program} </dev/null\n`,
        {
          mode: 0o755,
        },
      ),
    trigger: ['add', '-A'],
  },
  {
    name: 'a hook by core.hooksPath',
    plant: (program) => {
      mkdirSync(path.join(sandbox, '.evil'));
      writeFileSync(
        path.join(sandbox, '.evil/reference-transaction'),
        `#!/bin/sh\nexec ${program} </dev/null\n`,
        {
          mode: 0o755,
        },
      );
      config(sandbox, 'core.hooksPath', '.evil');
    },
    trigger: ['update-ref', 'refs/x', 'HEAD'],
  },
  {
    name: 'a remote that runs a command, for an object that is missing',
    plant: (program) => {
      config(sandbox, 'core.repositoryFormatVersion', '1');
      config(sandbox, 'extensions.partialClone', 'evil');
      config(sandbox, 'remote.evil.url', `ext::${program} %S`);
      config(sandbox, 'remote.evil.promisor', 'true');
      config(sandbox, 'protocol.ext.allow', 'always');
      const tip = '1234567890123456789012345678901234567890';
      writeFileSync(path.join(sandbox, '.git/HEAD'), `${tip}\n`);
    },
    trigger: ['cat-file', '-p', '1234567890123456789012345678901234567890'],
  },
  {
    name: 'a filter in a submodule',
    plant: (program) => {
      const inner = path.join(sandbox, 'inner');
      git(sandbox, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', target, 'inner');
      git(sandbox, 'commit', '-q', '-m', 'submodule');
      config(inner, 'filter.evil.clean', program);
      config(inner, 'core.fsmonitor', program);
      putTree(inner, { '.gitattributes': '* filter=evil\n', f: 'changed\n' });
    },
    trigger: ['status'],
  },
];

/** Git as a person would run it there, and what it leaves running. */
function gitThere(args: readonly string[]): void {
  const { pid } = spawnSync('setsid', ['git', '-c', 'user.name=t', '-c', 'user.email=t@x', ...args], {
    cwd: sandbox,
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_PAGER: 'cat' },
    timeout: 5_000,
  });
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (thrown) {
    // Nothing is left of it.
    if ((thrown as NodeJS.ErrnoException).code !== 'ESRCH') throw thrown;
  }
}

test.each(PLANTS)('$name does not run', async ({ plant, trigger }) => {
  const { program, proof } = plantProgram();
  plant(program);
  putTree(sandbox, { f: 'b\n', new: 'n\n' });
  await reviews.publishFrom({ target, source: { kind: 'sandbox', folder: sandbox } });
  expect(existsSync(proof)).toBe(false);
  // The trap works: git itself runs it.
  gitThere(trigger);
  expect(existsSync(proof)).toBe(true);
});

test("the user's own filters do not run on a sandbox's files either", async () => {
  const { program, proof } = plantProgram();
  const global = path.join(outside, 'gitconfig');
  writeFileSync(global, `[filter "lfs"]\n\tclean = ${program}\n\tprocess = ${program}\n\trequired = true\n`);
  vi.stubEnv('GIT_CONFIG_GLOBAL', global);
  putTree(sandbox, { '.gitattributes': 'f filter=lfs\n', f: 'b\n' });
  const { files, notes } = must(
    await reviews.publishFrom({ target, source: { kind: 'sandbox', folder: sandbox } }),
  );
  expect(files).toEqual(['.gitattributes']);
  expect(notes).toEqual([expect.stringMatching(/^f: under the filter "lfs", which does not run here/)]);
  expect(existsSync(proof)).toBe(false);
});

test('a worktree of the target: traps of its AI in the shared configuration do not run, for any command', async () => {
  const made = must(await reviews.service.sandboxes.create({ target, name: 'ai', base: null }));
  const { program, proof } = plantProgram();
  for (const [key, value] of [
    ['core.fsmonitor', program],
    ['diff.external', program],
    ['filter.evil.clean', program],
    ['filter.evil.smudge', program],
    ['core.hooksPath', path.join(outside, 'hooks')],
  ] as const)
    config(target, key, value);
  mkdirSync(path.join(outside, 'hooks'));
  for (const hook of [
    'post-checkout',
    'reference-transaction',
    'post-index-change',
    'pre-commit',
    'post-commit',
  ])
    writeFileSync(path.join(outside, 'hooks', hook), `#!/bin/sh\nexec ${program} </dev/null\n`, {
      mode: 0o755,
    });
  appendFileSync(path.join(target, '.git/info/attributes'), 'sub/* filter=evil\n* diff=evil\n');
  putTree(made.folder, { f: 'b\n', n: 'n\n', 'sub/x': 'X\n' });
  const { id } = must(
    await reviews.publishFrom({ target, source: { kind: 'sandbox', folder: made.folder } }),
  );
  must(await reviews.decide({ suggestion: id, hunk: 'all', action: 'accept' }));
  must(await reviews.service.sandboxes.create({ target, name: 'second', base: null }));
  must(await reviews.service.sandboxes.list({ target }));
  execFileSync('git', ['config', 'user.name', 't'], { cwd: target });
  execFileSync('git', ['config', 'user.email', 't@example.com'], { cwd: target });
  execFileSync('git', ['config', 'commit.template', '~/.message'], { cwd: target });
  expect(
    must(await reviews.finish({ suggestion: id, how: 'finalize', commit: true, sandbox: 'rebase' })).notes,
  ).toEqual([
    'The commit message is the name of the review, not commit.template (~/.message). Use --message to write your own.',
    expect.stringMatching(/^Committed without its hooks \(pre-commit, post-commit\)/),
  ]);
  must(await reviews.service.sandboxes.remove({ target, name: 'ai', force: true }));
  expect(existsSync(proof)).toBe(false);
});
