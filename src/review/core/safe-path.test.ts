import { expect, test } from 'vitest';
import { utf8Bytes } from './bytes.ts';
import { pathProblem } from './safe-path.ts';

test.each([
  'a',
  'a/b',
  '.gitignore',
  '.github/x',
  'git',
  'a..b',
  '...',
  'a b/ c',
  'h\u00e9llo',
  'git~10',
  '.git-blame',
  'x.git/y',
  'a:b',
  '~/x',
])('accepts: %s', (path) => {
  expect(pathProblem(utf8Bytes(path))).toBe(null);
});

test.each([
  '',
  '/etc/passwd',
  '..',
  '../x',
  'a/../../x',
  'a/..',
  'a//b',
  './a',
  'a/.',
  'a\\..\\..\\x',
  'C:\\x',
  'c:/x',
  '.git',
  '.git/config',
  '.GIT/hooks/x',
  'a/.Git/x',
  '.git /x',
  '.git./x',
  '.git::$INDEX_ALLOCATION/x',
  'git~1/x',
  'GIT~1/config',
  '.g\u200cit/config',
  '\ufeff.git/x',
  '.git\\hooks\\x',
  '.jj/x',
  '.hg/x',
  '.svn/x',
  'sub/.sl/config',
  '.bzr/x',
  '.Pijul/config',
  '_darcs/prefs/defaults',
  '.\u017fvn/x',
  '.\uff47it/x',
  '.GIT\u200d/hooks/x',
  '.git\u2064/x',
  '.git.../x',
  '.git:stream/x',
  '.Git. . /hooks',
  'a\0b',
  'x'.repeat(5000),
])('refuses: %j', (path) => {
  expect(pathProblem(utf8Bytes(path))).not.toBe(null);
});
