/** What the index of history lines remembers of their order. */
import { expect, it } from 'vitest';
import { addAll, filed } from '../../../test/helpers/history.ts';
import { HistoryIndex } from './history-index.ts';

it('does not move an old line up when the journal adds the folder where it ran', () => {
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

it('drops the lines that ran longest ago when there are too many', () => {
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
