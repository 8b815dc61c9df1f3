/**
 * Everything is rejected, undone, accepted and committed, with many states of a working tree side by side.
 * test/full/tree-states.test.ts tests each state alone.
 */
import { test } from 'vitest';
import { TREE_STATES, thereAndBack } from '../../../helpers/tree-states.ts';
import { workingTree } from '../../../helpers/working-tree.ts';

const tree = workingTree();

test('a review of many odd changes at once, and its undo, restore the tree', async () => {
  await thereAndBack(tree, ...TREE_STATES.flatMap(([, state]) => (state.alone ? [] : [state])));
});

test.each(TREE_STATES.filter(([, { alone }]) => alone))(
  'a review and its undo restore a tree where %s',
  async (_, state) => {
    await thereAndBack(tree, state);
  },
);
