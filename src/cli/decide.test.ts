import { expect, it } from 'vitest';
import { coveredHunks } from './decide.ts';

it('asks about a hunk in conflict, as about any other open hunk', () => {
  const hunks = [
    { file: 'a', status: 'conflict' },
    { file: 'a', status: 'accepted' },
    { file: 'a', status: 'already_applied' },
    { file: 'b', status: 'pending' },
  ] as const;
  const meant = (which: string, file?: string) =>
    coveredHunks(hunks, which, file === undefined ? {} : { file }).map((one) => `${one.file} ${one.status}`);
  expect(meant('all')).toEqual(['a conflict', 'b pending']);
  expect(meant('all', 'a')).toEqual(['a conflict']);
  expect(meant('every', 'a')).toHaveLength(3);
});
