/** Project links whose own names run: their targets run too, whatever they are called. */
import { readdir, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { type RunningLinks, whyItRuns } from '../core/self-running.ts';

/** Most folders to scan besides the root, and most entries of each. */
const MAX_FOLDERS = 50;
const MAX_ENTRIES = 2000;

/** Scans the root and its folders that begin with a dot, where such names are. */
export async function runningLinks(root: string): Promise<RunningLinks> {
  const top = await entriesOf(root);
  const folders = top.flatMap((entry) =>
    entry.isDirectory() && entry.name.startsWith('.') && entry.name !== '.git' ? [entry.name] : [],
  );
  const links = new Map<string, string>();
  const add = async (folder: string, entries: typeof top) => {
    for (const entry of entries) {
      const link = path.posix.join(folder, entry.name);
      if (!entry.isSymbolicLink() || whyItRuns(link) === null) continue;
      for (const target of await targetsOf(root, link)) links.set(target, link);
    }
  };
  await add('', top);
  for (const folder of folders.slice(0, MAX_FOLDERS))
    await add(folder, await entriesOf(path.join(root, folder)));
  return links;
}

async function entriesOf(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.slice(0, MAX_ENTRIES);
}

/** Most links to follow in a chain. */
const MAX_STEPS = 10;

/** Every name in the project on the way, and the file or folder at the end. */
async function targetsOf(root: string, link: string): Promise<readonly string[]> {
  const targets: string[] = [];
  let at = link;
  for (let step = 0; step < MAX_STEPS; step++) {
    const destination = await readlink(path.join(root, at)).catch(() => null);
    if (destination === null) break;
    const target = nameIn(root, path.resolve(root, path.dirname(at), destination));
    if (target === null) break;
    targets.push(target);
    at = target;
  }
  // A folder on the way may be a link too.
  const end = await realpath(path.join(root, link)).catch(() => null);
  const name = end === null ? null : nameIn(await realpath(root), end);
  return name === null ? targets : [...targets, name];
}

/** Null for the root itself, and for anything outside it. */
function nameIn(root: string, file: string): string | null {
  const name = path.relative(root, file);
  return name === '' || name === '..' || name.startsWith(`..${path.sep}`) ? null : name;
}
