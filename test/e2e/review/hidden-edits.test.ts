/**
 * A repository that hides an edit from git users, or a patch that comes without its lines: the edit is in the review
 * with its lines, or the review names the file and says why it is not.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SuggestionSource } from '../../../src/protocol/commands/review.ts';
import { git, makeFolder, makeRepository, patchTo, putTree } from '../../helpers/git-fixture.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { openTestReviews, type TestReviews } from '../../helpers/review-service.ts';

const PLAIN = '#!/bin/sh\necho ok\n';
const EVIL = '#!/bin/sh\necho KO\n';
const AT = new Date('2026-01-01T00:00:00Z');

let root = '';
let home = '';
let reviews: TestReviews;

beforeEach(() => {
  home = makeFolder();
  reviews = openTestReviews(path.join(home, 'state'));
  vi.stubEnv('GIT_CONFIG_GLOBAL', path.join(home, 'gitconfig'));
  writeFileSync(path.join(home, 'gitconfig'), '[user]\n\tname = t\n\temail = t@example.com\n');
  root = makeRepository({ 'run.sh': PLAIN, Makefile: 'all:\n' });
});
afterEach(() => {
  vi.unstubAllEnvs();
  reviews.close();
  for (const folder of [root, home]) removeTree(folder);
});

const edit = () => writeFileSync(path.join(root, 'run.sh'), EVIL);
const commitAll = () => {
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'more');
};
const config = (...settings: readonly (readonly [string, string])[]) => {
  for (const [key, value] of settings) git(root, 'config', key, value);
};

/** Everything a reviewer sees: files, kinds and lines of the hunks, and notes; without a review, the reason. */
async function told(source: SuggestionSource): Promise<string> {
  const published = await reviews.publishFrom({ target: root, source });
  if (!published.ok) return published.error.message;
  const { hunks, notes } = published.value;
  return [...hunks.map(({ file, kind, diff }) => `${file} ${kind}\n${diff}`), ...notes].join('\n');
}

const TREE: SuggestionSource = { kind: 'working_tree', against: 'head' };

describe('an edit of the working tree', () => {
  test.each<readonly [string, () => void | Promise<void>, string]>([
    [
      'assume-unchanged',
      () => {
        git(root, 'update-index', '--assume-unchanged', 'run.sh');
        edit();
      },
      'run.sh: git is told not to look at it (assume-unchanged)',
    ],
    [
      'skip-worktree',
      () => {
        git(root, 'update-index', '--skip-worktree', 'run.sh');
        config(['sparse.expectFilesOutsideOfPatterns', 'true']);
        edit();
      },
      'run.sh: git is told not to look at it (skip-worktree)',
    ],
    [
      'skip-worktree, where the file is deleted',
      () => {
        git(root, 'update-index', '--skip-worktree', 'run.sh');
        removeTree(path.join(root, 'run.sh'));
      },
      'run.sh: git is told not to look at it (skip-worktree)',
    ],
    [
      'skip-worktree and assume-unchanged',
      () => {
        git(root, 'update-index', '--skip-worktree', 'run.sh');
        git(root, 'update-index', '--assume-unchanged', 'run.sh');
        edit();
      },
      'run.sh: git is told not to look at it (assume-unchanged)',
    ],
    [
      'core.trustctime and core.checkStat, with the time put back',
      async () => {
        utimesSync(path.join(root, 'run.sh'), AT, AT);
        git(root, 'update-index', '--refresh');
        // The index has the second of the last change.
        const second = Math.floor(Date.now() / 1000);
        await vi.waitUntil(() => Math.floor(Date.now() / 1000) > second, 5_000);
        config(['core.trustctime', 'false'], ['core.checkStat', 'minimal']);
        edit();
        utimesSync(path.join(root, 'run.sh'), AT, AT);
      },
      '+echo KO',
    ],
    [
      'core.ignoreCase, and a name that differs by case',
      () => {
        config(['core.ignoreCase', 'true']);
        copyFileSync(path.join(root, '.git/HEAD'), path.join(root, '.git/head'));
        writeFileSync(path.join(root, 'makefile'), EVIL);
      },
      'makefile create',
    ],
    [
      'the attribute -diff',
      () => {
        putTree(root, { '.gitattributes': '*.sh -diff\n' });
        commitAll();
        edit();
      },
      '-echo ok\n+echo KO',
    ],
    [
      'a driver of diffs that calls it binary',
      () => {
        config(['diff.x.binary', 'true']);
        putTree(root, { '.gitattributes': '*.sh diff=x\n' });
        commitAll();
        edit();
      },
      '-echo ok\n+echo KO',
    ],
    [
      'words between $Id: and $',
      () => {
        putTree(root, { '.gitattributes': '*.sh ident\n', 'run.sh': '#!/bin/sh\necho $Id$\n' });
        commitAll();
        writeFileSync(path.join(root, 'run.sh'), '#!/bin/sh\necho $Id: `echo KO` $\n');
      },
      'run.sh: changed on disk, where git keeps none of it',
    ],
    [
      'line ends that git does not keep',
      () => {
        putTree(root, { '.gitattributes': '*.sh text eol=lf\n' });
        commitAll();
        writeFileSync(path.join(root, 'run.sh'), PLAIN.replaceAll('\n', '\r\n'));
      },
      'run.sh: changed on disk, where git keeps none of it',
    ],
    [
      'the index alone',
      () => {
        edit();
        git(root, 'add', 'run.sh');
        writeFileSync(path.join(root, 'run.sh'), PLAIN);
      },
      'run.sh: staged otherwise than it is on disk',
    ],
    [
      'a name that is announced, and whose file is gone',
      () => {
        putTree(root, { n: 'n' });
        git(root, 'add', '-N', 'n');
        putTree(root, { n: null });
      },
      'n: announced by "git add -N", and not on disk',
    ],
    [
      'a submodule',
      () => {
        const origin = makeRepository({ f: 'f\n' });
        git(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', origin, 'sub');
        commitAll();
        removeTree(origin);
        config(['submodule.sub.ignore', 'all']);
        putTree(path.join(root, 'sub'), { f: 'KO\n' });
      },
      'sub: a submodule that was edited',
    ],
    ...(['an edit', 'a commit'] as const).map(
      (what) =>
        [
          `a submodule of a submodule, which has ${what}`,
          () => {
            const inner = makeRepository({ f: 'f\n' });
            const outer = makeRepository({ g: 'g\n' });
            const add = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet'];
            git(outer, ...add, 'add', inner, 'inner');
            git(outer, 'commit', '-qm', 'inner');
            git(root, ...add, 'add', outer, 'sub');
            git(path.join(root, 'sub'), ...add, 'update', '--init');
            commitAll();
            for (const folder of [inner, outer]) removeTree(folder);
            config(['submodule.sub.ignore', 'all']);
            git(path.join(root, 'sub'), 'config', 'submodule.inner.ignore', 'all');
            putTree(path.join(root, 'sub/inner'), { f: 'KO\n' });
            if (what === 'a commit') git(path.join(root, 'sub/inner'), 'commit', '-qam', 'KO');
          },
          'sub: a submodule that was edited',
        ] as const,
    ),
    [
      'a name that would have git answer for another file',
      () => {
        const evil = '#!/bin/sh\necho $Id: `echo KO` $\n';
        putTree(root, { '.gitattributes': '* ident\n', 'run.sh': '#!/bin/sh\necho $Id$\n', evil });
        const blob = git(root, 'hash-object', '-w', '--no-filters', 'evil').trim();
        removeTree(path.join(root, 'evil'));
        putTree(root, { [`a\n${blob} run.sh`]: '$Id$\n' });
        commitAll();
        putTree(root, { [`a\n${blob} run.sh`]: '$Id: KO $\n', 'run.sh': evil });
      },
      'run.sh: changed on disk, where git keeps none of it',
    ],
    [
      'a link that becomes a script',
      () => {
        putTree(root, { 'run.sh': { link: 'Makefile' } });
        commitAll();
        putTree(root, { 'run.sh': EVIL });
      },
      '+echo KO',
    ],
  ])('behind %s', async (_, hide, words) => {
    await hide();
    expect(await told(TREE)).toContain(words);
  });

  test('says nothing about files that are as git left them, and asks git about all of them at once', async () => {
    config(['core.autocrlf', 'true']);
    const many = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`many/${at % 2 ? 'a\n' : ' a'} ${at}`, `a\n${at}\n`]),
    );
    const attributes = '*.sh ident\n';
    putTree(root, { ...many, '.gitattributes': attributes, 'run.sh': 'echo $Id$\n', text: 'a\nb\n' });
    commitAll();
    git(root, 'rm', '-q', '--cached', '-r', '.');
    git(root, 'reset', '-q', '--hard');
    const touched = ['run.sh', 'text', ...Object.keys(many)];
    for (const name of touched) utimesSync(path.join(root, name), AT, AT);
    git(root, 'update-index', '--skip-worktree', 'Makefile');
    const calls = logGitCalls();
    expect(await told(TREE)).toMatch(/^Nothing has changed since the last commit/);
    expect(calls().filter((call) => call.includes('checkout-index'))).toHaveLength(1);
    writeFileSync(path.join(root, 'many/a\n 7'), 'a\n7\r\n');
    expect(await told(TREE)).toMatch(/many\/a\n 7: changed on disk, where git keeps none of it/);
  });

  test('is found beyond the files of a single call of git', async () => {
    config(['core.autocrlf', 'true']);
    putTree(root, { big: 'a\r\n'.repeat(6_000_000), late: 'a\r\nb\r\n' });
    commitAll();
    utimesSync(path.join(root, 'big'), AT, AT);
    writeFileSync(path.join(root, 'late'), 'a\nb\r\n');
    const calls = logGitCalls();
    expect(await told(TREE)).toMatch(/late: changed on disk/);
    expect(calls().filter((call) => call.includes('checkout-index'))).toHaveLength(2);
  });
});

/** Puts a git on the PATH that logs its calls; returns a reader of the log. */
function logGitCalls(): () => string[] {
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const log = path.join(home, 'calls');
  putTree(home, { 'bin/git': { run: `#!/bin/sh\necho "$*" >>'${log}'\nexec '${real}' "$@"\n` } });
  vi.stubEnv('PATH', `${path.join(home, 'bin')}:${process.env.PATH}`);
  return () => readFileSync(log, 'utf8').trim().split('\n');
}

describe('a commit', () => {
  const names = () => ['main', 'topic'].map((name) => git(root, 'rev-parse', name).trim());
  beforeEach(() => {
    git(root, 'branch', '-M', 'main');
    git(root, 'checkout', '-q', '-b', 'topic');
    edit();
    git(root, 'commit', '-qam', 'topic');
    git(root, 'checkout', '-q', 'main');
  });

  test('that grafts make a part of HEAD', async () => {
    const [main = '', topic = ''] = names();
    writeFileSync(path.join(root, '.git/info/grafts'), `${main} ${topic}\n${topic}\n`);
    expect(git(root, 'diff', 'main...topic')).toBe('');
    expect(await told({ kind: 'range', range: 'topic' })).toContain('+echo KO');
  });

  test('to which the commit graph gives another tree', async () => {
    git(root, 'commit-graph', 'write', '--reachable');
    const file = path.join(root, '.git/objects/info/commit-graph');
    const graph = readFileSync(file);
    const [main = '', topic = ''] = names().map((name) => git(root, 'rev-parse', `${name}^{tree}`).trim());
    Buffer.from(main, 'hex').copy(graph, graph.indexOf(Buffer.from(topic, 'hex')));
    removeTree(file);
    writeFileSync(file, graph);
    expect(git(root, 'diff', 'main', 'topic')).toBe('');
    expect(await told({ kind: 'range', range: 'main..topic' })).toContain('+echo KO');
  });

  test('that refs/replace puts in place of HEAD', async () => {
    config(['core.useReplaceRefs', 'true']);
    git(root, 'checkout', '-q', 'topic');
    git(root, 'reset', '-q', '--soft', 'main');
    const [head = '', other = ''] = [names()[0], git(root, 'rev-parse', 'topic@{1}').trim()];
    git(root, 'replace', head, other);
    expect(git(root, 'status', '--porcelain')).toBe('');
    expect(await told(TREE)).toContain('+echo KO');
  });
});

describe('a patch without lines, of a file that its author has never seen', () => {
  const SECRET = 'TOKEN=s3cr3t\n';
  const NEW = `GIT binary patch\nliteral 0\nHcmV?d00001\n\n`;
  const heads = (index: string) => [
    `diff --git a/.env b/.env\n${index}${NEW}`,
    `diff --git a/.env b/.env\ndeleted file mode 100644\n${index}${NEW}`,
    `diff --git a/.env b/b\nsimilarity index 90%\ncopy from .env\ncopy to b\n${index}${NEW}`,
    `diff --git a/.env b/b\nsimilarity index 90%\nrename from .env\nrename to b\n${index}${NEW}`,
  ];
  const shownOf = async (patch: string) => JSON.stringify(await reviews.publish(root, patch));
  const nameOfSecret = () => {
    putTree(root, { '.env': SECRET });
    return git(root, 'hash-object', '.env').trim();
  };

  test.each(['no index line', 'the first 4 digits', '39 digits', 'a wrong name'])(
    'tells nothing of it: %s',
    async (kind) => {
      const name = nameOfSecret();
      const digits: Record<string, string> = {
        'the first 4 digits': name.slice(0, 4),
        '39 digits': name.slice(0, 39),
      };
      const index =
        kind === 'no index line' ? '' : `index ${digits[kind] ?? '1'.repeat(40)}..${'2'.repeat(40)}\n`;
      for (const patch of heads(index)) expect(await shownOf(patch)).not.toContain('s3cr3t');
    },
  );

  test('shows it to one who names its content', async () => {
    const [patch = ''] = heads(`index ${nameOfSecret()}..${'2'.repeat(40)}\n`);
    expect(await shownOf(patch)).toContain('s3cr3t');
  });

  test('tells nothing of an earlier content that is in the history', async () => {
    const name = nameOfSecret();
    git(root, 'hash-object', '-w', '.env');
    putTree(root, { '.env': 'other\n' });
    for (const patch of heads(`index ${name.slice(0, 7)}..2222222\n`))
      expect(await shownOf(patch)).not.toContain('s3cr3t');
  });
});

describe('a patch without lines', () => {
  const published = async (patch: string) => {
    const done = await reviews.publish(root, patch);
    return done.ok ? done.value.hunks : [];
  };
  const binaryPatch = (want: Parameters<typeof patchTo>[1]) => {
    writeFileSync(path.join(root, '.git/info/attributes'), '* -diff\n');
    const patch = patchTo(root, want, '--binary', '--full-index', '--find-renames=10%');
    expect(patch).toContain('GIT binary patch');
    return patch;
  };

  test.each<readonly [string, Parameters<typeof patchTo>[1], string]>([
    ['of a text', { 'run.sh': EVIL }, '-echo ok\n+echo KO'],
    ['of a new text', { 'new.sh': { run: EVIL } }, '+echo KO'],
    ['of a text that is deleted', { 'run.sh': null }, '-echo ok'],
    ['of a text that is renamed', { 'run.sh': null, 'a.sh': EVIL }, '+echo KO'],
    ['of a long text', { 'run.sh': `${EVIL}${'#\n'.repeat(200_000)}` }, '-echo ok\n+echo KO'],
  ])('%s is shown with its lines, and written so', async (_, want, words) => {
    const patch = binaryPatch(want);
    const done = await reviews.publish(root, patch);
    if (!done.ok) throw new Error(done.error.message);
    expect(done.value.hunks.map(({ diff }) => diff).join('')).toContain(words);
    const { id } = done.value;
    const accepted = await reviews.decide({
      suggestion: id,
      hunk: 'all',
      action: 'accept',
      acceptSelfRunning: true,
    });
    expect(accepted).toMatchObject({ ok: true });
    git(root, 'add', '-A', '-N');
    const after = git(root, 'diff', 'HEAD', '--binary', '--full-index', '--find-renames=10%');
    expect(after).toBe(patch);
  });

  test('of a file with a NUL stays one thing', async () => {
    expect(await published(binaryPatch({ 'run.sh': `${PLAIN}\0` }))).toMatchObject([
      { kind: 'binary', diff: expect.stringMatching(/^file of 18 bytes → file of 19 bytes\n-/) },
    ]);
  });
});
