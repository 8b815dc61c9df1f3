/** All is rejected, undone, accepted and committed in each state of a working tree by itself. */
import { test } from 'vitest';
import { TREE_STATES, thereAndBack } from '../helpers/tree-states.ts';
import { workingTree } from '../helpers/working-tree.ts';

const tree = workingTree();

test.each(TREE_STATES.filter(([, { alone }]) => !alone))(
  'a review leads there and back where %s',
  async (_, state) => {
    await thereAndBack(tree, state);
  },
);
