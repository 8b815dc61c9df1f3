/** A project in a cage: everything around it, and its version control folder, must be unchanged in the end. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, putTree, readTree, type Tree } from './git-fixture.ts';
import { removeTree } from './remove-tree.ts';

const AROUND: Tree = { 'outside/f': 'outside\n', 'outside/d/f': 'deeper\n' };
const CONTROL: Tree = { HEAD: 'ref: refs/heads/main\n', 'hooks/sample': 'sample\n', config: '[core]\n' };

export class CagedProject {
  readonly cage = makeFolder();
  readonly root = path.join(this.cage, 'root');
  readonly outside = path.join(this.cage, 'outside');

  constructor(tree: Tree) {
    mkdirSync(path.join(this.root, '.git'), { recursive: true });
    mkdirSync(this.outside);
    putTree(this.cage, AROUND);
    putTree(path.join(this.root, '.git'), CONTROL);
    putTree(this.root, tree);
  }

  /** The project's own files. */
  files(): Record<string, string> {
    return readTree(this.root);
  }

  /** What must never change, including our leftovers in the project. */
  around(): unknown {
    const { root, cage } = this;
    const all = Object.entries(readTree(cage));
    return {
      outside: Object.fromEntries(all.filter(([name]) => !name.startsWith('root/'))),
      control: readTree(path.join(root, '.git')),
      leftovers: all.map(([name]) => name).filter((name) => name.includes('.copane-')),
    };
  }

  remove(): void {
    removeTree(this.cage);
  }
}
