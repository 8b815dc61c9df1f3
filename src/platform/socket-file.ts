/** Publishes Unix sockets as files, mode 0600, atomically. Never touches another user's file, or a non-socket. */
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdtempSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { link, lstat, rename, unlink } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { errorMessage, fail, ok, type Result } from '../lib/result.ts';
import { ensurePrivateFolder } from './private-files.ts';

/** Linux allows 107 bytes, macOS 103. */
const MAX_PATH_BYTES = 103;
const PROBE_TIMEOUT_MS = 500;
/** A thousand shells may connect at once; the kernel caps this. */
const BACKLOG = 2_048;

export interface SocketPlace {
  readonly file: string;
  /** The environment variable that overrides the path. */
  readonly variable: 'COPANE_SOCKET' | 'ASHLET_SOCKET';
  /** `ours`: the caller holds a lock on the name in a private folder. `shared`: in /tmp, say; spare a served socket. */
  readonly name: 'ours' | 'shared';
}

export interface PublishedSocket {
  readonly file: string;
  readonly inode: number;
  readonly device: number;
}

const hintFor = (variable: SocketPlace['variable']) => `Set ${variable} to a path in a folder of your own.`;

const ownUid = (): number => process.getuid?.() ?? -1;

/** lstat; null if there is nothing or we may not look. */
function look(file: string): Stats | null {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) ?? null;
  } catch {
    // ENOTDIR, EACCES: no socket can be found here; listening will report the reason.
    return null;
  }
}

/** Creates the socket's folder (0700) or checks the existing one. */
function ensureSocketFolder({ file, variable }: SocketPlace): Result<void> {
  const folder = path.dirname(file);
  const refuse = (why: string) => fail('refused', why, hintFor(variable));
  try {
    // Login creates the runtime folder: if even its parent is missing, the path is wrong.
    if (look(folder) === null) ensurePrivateFolder(folder, 2);
    // Checks the link and its target: another user could retarget a link at any time.
    for (const { uid } of [lstatSync(folder), statSync(folder)])
      if (uid !== ownUid())
        return refuse(`The socket's folder ${folder} belongs to another user (uid ${uid}).`);
    const found = statSync(folder);
    if (!found.isDirectory()) return refuse(`${folder} is not a folder.`);
    if ((found.mode & 0o022) !== 0) return refuse(`Others may write in the socket's folder ${folder}.`);
    return ok(undefined);
  } catch (thrown) {
    return refuse(`The socket's folder ${folder} cannot be used (${errorMessage(thrown)}).`);
  }
}

/** Whether the socket may be connected to: `absent`, `ours`, or a failure when it belongs to someone else. */
export function inspectSocket(
  file: string,
  variable: SocketPlace['variable'] = 'COPANE_SOCKET',
): Result<'absent' | 'ours'> {
  const found = look(file);
  if (found === null) return ok('absent');
  const hint = hintFor(variable);
  if (found.uid !== ownUid())
    return fail('refused', `The socket ${file} belongs to another user (uid ${found.uid}).`, hint);
  if (!found.isSocket()) return fail('refused', `${file} is not a socket, and is left as it is.`, hint);
  return ok('ours');
}

/** Whether a process serves the socket. Only a refused connection means no: a stopped process accepts or hangs. */
export function isServed(file: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = net.connect(file);
    const settle = (served: boolean) => {
      clearTimeout(timer);
      probe.destroy();
      resolve(served);
    };
    const timer = setTimeout(() => settle(true), PROBE_TIMEOUT_MS);
    probe.once('connect', () => settle(true));
    probe.once('error', (error: NodeJS.ErrnoException) =>
      settle(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'),
    );
  });
}

/**
 * Listens at the path. Binds in a private folder, then renames: right mode, and no successor's socket is unlinked. All in
 * one turn of the event loop, so that no signal leaves the folder behind.
 */
export async function publishSocket(
  server: net.Server,
  place: SocketPlace,
): Promise<Result<PublishedSocket>> {
  const { file, variable } = place;
  const free = await prepare(place);
  if (!free.ok) return free;
  let nest: string;
  try {
    nest = mkdtempSync(path.join(path.dirname(file), '.a'));
  } catch (thrown) {
    return fail(
      'refused',
      `Cannot write in ${path.dirname(file)} (${errorMessage(thrown)}).`,
      hintFor(variable),
    );
  }
  const hidden = path.join(nest, 's');
  try {
    if (Math.max(Buffer.byteLength(hidden), Buffer.byteLength(file)) > MAX_PATH_BYTES)
      return fail(
        'invalid',
        `The path of the socket is too long: ${file}`,
        `Set ${variable} to a shorter one.`,
      );
    await listen(server, hidden);
    chmodSync(hidden, 0o600);
    const { ino, dev } = lstatSync(hidden);
    if (place.name === 'ours') renameSync(hidden, file);
    else linkSync(hidden, file);
    return ok({ file, inode: ino, device: dev });
  } catch (thrown) {
    server.close();
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST')
      return fail('refused', `Another program took ${file} at the same moment.`);
    return fail('internal', `Cannot listen at ${file} (${errorMessage(thrown)}).`, hintFor(variable));
  } finally {
    rmSync(nest, { recursive: true, force: true });
  }
}

/** Whether the name may be used. First removes a socket of ours that no process serves. */
async function prepare(place: SocketPlace): Promise<Result<void>> {
  const { file, variable, name } = place;
  const folder = name === 'ours' ? ensureSocketFolder(place) : ok(undefined);
  if (!folder.ok) return folder;
  const found = inspectSocket(file, variable);
  if (!found.ok) return found;
  if (name === 'ours' || found.value === 'absent') return ok(undefined);
  if (await isServed(file)) return fail('refused', `Another program listens on ${file}.`);
  return clearStale(file);
}

async function clearStale(file: string): Promise<Result<void>> {
  try {
    const { ino } = await lstat(file);
    const aside = `${file}.${process.pid}`;
    await rename(file, aside);
    if ((await lstat(aside)).ino === ino) {
      await unlink(aside);
      return ok(undefined);
    }
    // Another process took the name between check and rename: restore its socket.
    await link(aside, file);
    await unlink(aside);
    return fail('refused', `Another program listens on ${file}.`);
  } catch (thrown) {
    return fail('refused', `Cannot use ${file} (${errorMessage(thrown)}).`);
  }
}

/** What is at the path now: `ours` (our inode), `absent` or `other`. */
export function socketAtName({ file, inode, device }: PublishedSocket): 'ours' | 'absent' | 'other' {
  const found = look(file);
  if (found === null) return 'absent';
  return found.ino === inode && found.dev === device ? 'ours' : 'other';
}

/** Removes the socket if it is still the one that we published. */
export function withdrawSocket(published: PublishedSocket): void {
  if (socketAtName(published) === 'ours') rmSync(published.file, { force: true });
}

function listen(server: net.Server, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path: file, backlog: BACKLOG }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
