/** What the index of history lines remembers of their order. */
import { expect, it } from 'vitest';
import { addAll } from '../../../test/helpers/history.ts';
import { HistoryIndex } from './history-index.ts';

const ran = (line: string, cwd = '') => ({ line, cwd, session: '', at: 0, exit: null });

it('takes an old line for no newer one because the journal says where it ran', () => {
  const index = new HistoryIndex();
  addAll(
    index,
    Array.from({ length: 3_000 }, (_, at) => ran(`git show ${at}`)),
  );
  index.addOlder('git bisect');
  index.annotate(ran('git bisect', '/project'));
  index.sortByUse();
  const { matches } = index.match({ prefix: 'git ', cwd: '/project', previous: '', limit: 3_000 });
  expect(matches.map(({ line }) => line)).not.toContain('git bisect');
  expect(matches[0]?.line).toBe('git show 2999');
});

it('drops the lines that ran longest ago when there are too many', () => {
  const index = new HistoryIndex();
  addAll(
    index,
    Array.from({ length: 199_999 }, (_, at) => ran(`run ${at}`)),
  );
  index.addOlder('old');
  index.annotate(ran('old', '/project'));
  index.add(ran('new'), '');
  expect(index.usesOf('old')).toBe(0);
  expect(index.usesOf('new')).toBe(1);
});
