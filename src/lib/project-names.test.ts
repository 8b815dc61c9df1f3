import { expect, test } from 'vitest';
import { projectNames } from './project-names.ts';

test.each<[readonly string[], readonly string[]]>([
  [['/work/app'], ['app']],
  [
    ['/work/app', '/work/web'],
    ['app', 'web'],
  ],
  [
    ['/work/a/app', '/work/b/app', '/work/web'],
    ['a/app', 'b/app', 'web'],
  ],
  [
    ['/x/a/app', '/y/a/app'],
    ['x/a/app', 'y/a/app'],
  ],
  // One inside another of the same name.
  [
    ['/app', '/work/app'],
    ['/app', 'work/app'],
  ],
  [
    ['/work/app', '/work/app'],
    ['app', 'app'],
  ],
  [['/'], ['/']],
  [
    ['/home/日本 語/app', '/home/x/app'],
    ['日本 語/app', 'x/app'],
  ],
])('%j are %j', (folders, names) => {
  expect(folders.map(projectNames(folders))).toEqual(names);
});
