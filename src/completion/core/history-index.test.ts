/** The order of lines in the index of the history. */
import { expect, it } from 'vitest';
import { addAll, filed } from '../../../test/helpers/history.ts';
import { HistoryIndex } from './history-index.ts';

it('does not move an old line up when the journal adds its folder', () => {
  const index = new HistoryIndex();
  addAll(
    index,
    Array.from({ length: 3_000 }, (_, at) => filed(`git show ${at}`)),
  );
  index.addOlder('git bisect');
  index.annotate({ ...filed('git bisect'), cwd: '/project' });
  index.sortByUse();
  const { matches } = index.match({ prefix: 'git ', cwd: '/project', previous: '', limit: 3_000 });
  expect(matches.map(({ line }) => line)).not.toContain('git bisect');
  expect(matches[0]?.line).toBe('git show 2999');
});

it('drops the least recent lines if there are too many', () => {
  const index = new HistoryIndex();
  addAll(
    index,
    Array.from({ length: 199_999 }, (_, at) => filed(`run ${at}`)),
  );
  index.addOlder('old');
  index.annotate({ ...filed('old'), cwd: '/project' });
  index.add(filed('new'), '');
  expect(index.usesOf('old')).toBe(0);
  expect(index.usesOf('new')).toBe(1);
});
