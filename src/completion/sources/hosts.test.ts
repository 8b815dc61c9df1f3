import { describe, expect, it } from 'vitest';
import { sourcesStage } from '../../../test/helpers/completion-sources.ts';
import { createHostsSource } from './hosts.ts';

const stage = sourcesStage();
const { lines, now } = stage;

describe('hosts', () => {
  const source = () => createHostsSource({ home: stage.dir, now });
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
