/**
 * A process that looks at a working tree repeatedly and records it as JSON lines; made to be killed at work.
 * Arguments: state folder, working tree, file of the lines. Says `looked` after each look.
 */
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { Observer } from '../../src/changes/snapshots/observer.ts';
import { ok } from '../../src/lib/result.ts';
import { BlobStore } from '../../src/store/blobs.ts';

const [stateDir = '', repo = '', log = ''] = process.argv.slice(2);
const observer = new Observer({ root: path.join(stateDir, 'snapshots'), blobs: new BlobStore(stateDir) });
for (;;) {
  const looked = await observer.look(repo, (_, seen) => {
    appendFileSync(log, `${JSON.stringify(seen)}\n`);
    return ok(undefined);
  });
  process.stdout.write(looked.ok ? 'looked\n' : `${looked.error.message}\n`);
}
