/**
 * All is rejected, undone, accepted and committed, with many states of a working tree beside each other. Each state by itself:
 * test/full/tree-states.test.ts.
 */
import { test } from 'vitest';
import { TREE_STATES, thereAndBack } from '../../../helpers/tree-states.ts';
import { workingTree } from '../../../helpers/working-tree.ts';

const tree = workingTree();

test('a review of many odd changes at once leads there and back', async () => {
  await thereAndBack(tree, ...TREE_STATES.flatMap(([, state]) => (state.alone ? [] : [state])));
});

test.each(TREE_STATES.filter(([, { alone }]) => alone))(
  'a review leads there and back where %s',
  async (_, state) => {
    await thereAndBack(tree, state);
  },
);
