import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeTree } from '../../../test/helpers/remove-tree.ts';
import { checkPi } from './pi-version.ts';

let bin = '';
beforeEach(() => {
  bin = mkdtempSync(path.join(os.tmpdir(), 'copane-pi-'));
});
afterEach(() => removeTree(bin));

const write = (name: string, script: string) =>
  writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
const check = async (program = 'pi-acp', more = {}) => {
  const checked = await checkPi(program, { PATH: `${bin}:/usr/bin:/bin`, ...more });
  return checked.ok ? 'usable' : checked.error.message;
};

it.each([
  ['0.73.1', 'echo 0.73.1', /needs pi 1\.6 or later; .*\/pi is 0\.73\.1\.$/],
  ['0.9.0 on stderr', 'echo 0.9.0 >&2', /is 0\.9\.0/],
  ['a name before it', 'echo "pi v0.70.2 (node 24)"', /is 0\.70\.2/],
  ['1.6.0', 'echo 1.6.0', /^usable$/],
  ['10.0.1', 'echo 10.0.1', /^usable$/],
  ['a development version', 'echo 2.0.0-dev.3', /^usable$/],
  ['no version', 'echo unknown', /^usable$/],
  ['a failure', 'exit 3', /^usable$/],
])('a pi that prints %s', async (_, script, words) => {
  write('pi', script);
  expect(await check()).toMatch(words);
  expect(await check(path.join(bin, 'pi-acp'))).toMatch(words);
});

it('another pi that the adapter is told to use, or none; other programs are not asked', async () => {
  expect(await check()).toBe('usable');
  write('old-pi', 'echo 0.73.1');
  write('pi', 'echo 1.6.0');
  expect(await check('pi-acp', { PI_ACP_PI_COMMAND: path.join(bin, 'old-pi') })).toContain(
    'old-pi is 0.73.1',
  );
  write('pi', 'echo 0.73.1');
  expect(await check('opencode')).toBe('usable');
});
