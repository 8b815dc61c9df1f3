import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lateClock, linesOf, makeSourcesFolder } from '../../../test/helpers/completion-sources.ts';
import { removeTree } from '../../../test/helpers/remove-tree.ts';
import { createHostsSource } from './hosts.ts';
import type { Source } from './source.ts';

const now = lateClock();
let dir = '';
beforeAll(() => {
  dir = makeSourcesFolder();
});
afterAll(() => removeTree(dir));
const lines = (source: Source, line: string, cwd = dir) => linesOf(source, line, cwd);

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
