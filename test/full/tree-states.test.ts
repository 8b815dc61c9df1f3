/** Rejects, undoes, accepts and commits everything in each single state of a working tree. */
import { test } from 'vitest';
import { TREE_STATES, thereAndBack } from '../helpers/tree-states.ts';
import { workingTree } from '../helpers/working-tree.ts';

const tree = workingTree();

test.each(TREE_STATES.filter(([, { alone }]) => !alone))(
  'a review and its undo restore a tree where %s',
  async (_, state) => {
    await thereAndBack(tree, state);
  },
);
