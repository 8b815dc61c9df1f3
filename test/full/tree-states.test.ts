/** Rejects, undoes, accepts and commits everything in each single state of a working tree; and too many new files. */
import { expect, test } from 'vitest';
import { PATCH_MAX_FILES } from '../../src/review/core/patch-model.ts';
import { makeRepository, putTree } from '../helpers/git-fixture.ts';
import { reviewsPerTest } from '../helpers/reviews-per-test.ts';
import { TREE_STATES, thereAndBack } from '../helpers/tree-states.ts';
import { workingTree } from '../helpers/working-tree.ts';

const tree = workingTree();
const { tracked, publish } = reviewsPerTest();

test.each(TREE_STATES.filter(([, { alone }]) => !alone))(
  'a review and its undo restore a tree where %s',
  async (_, state) => {
    await thereAndBack(tree, state);
  },
);

test('an edit is never left out for new files, however many they are', async () => {
  const root = tracked(makeRepository({ f: 'x\ny\n' }));
  const fresh = Array.from({ length: PATCH_MAX_FILES + 6 }, (_, at) => [`a/${at}`, 'x\n'] as const);
  putTree(root, { f: 'X\ny\n', ...Object.fromEntries(fresh) });
  const { files, notes } = await publish(root, { kind: 'working_tree' });
  expect(files).toHaveLength(PATCH_MAX_FILES);
  expect(files).toContain('f');
  const why = `and 2 more: one of more than ${PATCH_MAX_FILES} changed files; not part of the review.`;
  expect(notes).toEqual([expect.stringContaining(why)]);
});
