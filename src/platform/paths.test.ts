import os from 'node:os';
import { describe, expect, it } from 'vitest';
import { copanePaths, homeFolder } from './paths.ts';

const ACCOUNT = os.userInfo().homedir;

describe('the home folder', () => {
  it.each([
    ['set', '/home/u', '/home/u'],
    ['empty', '', ACCOUNT],
    ['relative', 'u', ACCOUNT],
    ['not set', undefined, ACCOUNT],
  ])('is never taken from the current folder: HOME is %s', (_name, HOME, wanted) => {
    expect(homeFolder({ HOME })).toBe(wanted);
    expect(copanePaths({ HOME }).stateDir).toBe(`${wanted}/.local/state/copane`);
  });
});

describe('folders from the environment', () => {
  it('are ignored if relative', () => {
    const names = ['XDG_STATE_HOME', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR'];
    const relative = Object.fromEntries([...names, 'COPANE_SOCKET'].map((name) => [name, 'x/y']));
    expect(copanePaths({ HOME: '/h', ...relative })).toEqual(copanePaths({ HOME: '/h' }));
    const empty = Object.fromEntries(names.map((name) => [name, '']));
    expect(copanePaths({ HOME: '/h', ...empty })).toEqual(copanePaths({ HOME: '/h' }));
  });

  it('are used if absolute', () => {
    expect(copanePaths({ HOME: '/h', XDG_RUNTIME_DIR: '/run/u' }).socketFile).toBe('/run/u/copane/host.sock');
    expect(copanePaths({ HOME: '/h', COPANE_SOCKET: '/s' }).socketFile).toBe('/s');
    expect(copanePaths({ HOME: '/h', XDG_STATE_HOME: '/st' }).stateDir).toBe('/st/copane');
  });
});
