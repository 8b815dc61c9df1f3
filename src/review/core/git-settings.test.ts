import { expect, test } from 'vitest';
import {
  ALWAYS,
  areInForce,
  asEnvironment,
  configuredFilters,
  leavesFiltersAlone,
  parseSettings,
  undoRepository,
  withoutFilters,
} from './git-settings.ts';

const listed = (...entries: readonly (readonly [scope: string, name: string, value: string])[]) =>
  parseSettings(entries.map(([scope, name, value]) => `${scope}\0${name}\n${value}\0`).join(''));

test('reads a setting with every character of its name and value', () => {
  expect(parseSettings('local\0filter.a=b.clean\ncat -\nx\0global\0core.bare\0')).toEqual([
    { scope: 'local', name: 'filter.a=b.clean', value: 'cat -\nx' },
    { scope: 'global', name: 'core.bare', value: 'true' },
  ]);
});

test('disables filters by name, regardless of the name and its origin', () => {
  const all = listed(
    ['local', 'filter.a=b.clean', 'x'],
    ['global', 'filter.lfs.process', 'git-lfs filter-process'],
    ['worktree', 'filter.a.b "c".smudge', 'x'],
    ['system', 'filter.off.clean', ''],
  );
  expect(withoutFilters(all).map(([name]) => name)).toEqual(
    expect.arrayContaining([
      'filter.a=b.clean',
      'filter.lfs.process',
      'filter.a.b "c".smudge',
      'filter.off.required',
    ]),
  );
  expect([...configuredFilters(all)]).toEqual(['a=b', 'lfs', 'a.b "c"']);
});

test.each<[name: string, neutral: string]>([
  ['merge.a=b.driver', 'false'],
  ['credential.helper', ''],
  ['credential.https://host.helper', ''],
  ['core.sshcommand', 'ssh'],
  ['remote.origin.receivepack', 'git-receive-pack'],
  ['remote.a.b.uploadpack', 'git-upload-pack'],
  ['gpg.program', 'false'],
  ['gpg.x509.program', 'false'],
  ['gpg.ssh.defaultkeycommand', ''],
  ['diff.a=b.xfuncname', '^$'],
  ['diff.c.funcname', '^$'],
  ['diff.c.wordregex', '^$'],
  ['diff.renamelimit', '1000'],
  ['http.savecookies', 'false'],
  ['http.https://a=b/.savecookies', 'false'],
  ['http.sslverify', 'true'],
  ['http.proxy', ''],
  ['http.https://a=b/.proxy', ''],
  ['remote.origin.proxy', ''],
])("%s of the repository is undone, and the user's own is in force again", (name, neutral) => {
  const settings = undoRepository(listed(['global', name, 'mine'], ['local', name, 'theirs']));
  expect(settings).toEqual([
    [name, neutral],
    [name, 'mine'],
  ]);
  expect(undoRepository(listed(['global', name, 'mine']))).toEqual([]);
});

test('undoes a diff algorithm that would run for hours, but no other one', () => {
  const minimal = listed(['local', 'diff.algorithm', 'Minimal'], ['local', 'diff.x.algorithm', 'minimal']);
  expect(undoRepository(minimal)).toEqual([
    ['diff.algorithm', 'default'],
    ['diff.x.algorithm', 'default'],
  ]);
  expect(undoRepository(listed(['local', 'diff.algorithm', 'histogram']))).toEqual([]);
});

test('disables a hook set in the configuration', () => {
  expect(undoRepository(listed(['local', 'hook.x.command', 'evil']))).toContainEqual([
    'hook.x.enabled',
    'false',
  ]);
});

test.each<[name: string, alone: boolean]>([
  ['lfs.customtransfer.x.path', false],
  ['lfs.extension.x.clean', false],
  ['lfs.https://host.standalonetransferagent', false],
  ['filter.lfs.smudge', false],
  ['lfs.url', true],
  ['core.autocrlf', true],
])("with %s in the repository, a filter of the user's may run there: %s", (name, alone) => {
  expect(leavesFiltersAlone(listed(['local', name, 'x']))).toBe(alone);
});

test('detects a git that takes no settings from its environment', () => {
  expect(areInForce(listed(['local', 'safe.barerepository', 'explicit']))).toBe(false);
  expect(areInForce(listed(['command', 'safe.barerepository', 'explicit']))).toBe(true);
  expect(asEnvironment(ALWAYS)).toMatchObject({
    GIT_CONFIG_COUNT: String(ALWAYS.length),
    GIT_CONFIG_KEY_0: 'safe.bareRepository',
    GIT_CONFIG_VALUE_0: 'explicit',
  });
});
