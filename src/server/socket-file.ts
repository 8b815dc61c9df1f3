/**
 * The Unix socket as a file: its folder must be ours and closed to others, and nothing of another user is
 * ever removed. A new socket takes the name by rename, so that there is no moment without one and no race.
 */
import { chmodSync, lstatSync, renameSync, rmSync, type Stats, statSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { errorMessage, fail, ok, type Result } from '../lib/result.ts';
import { ensurePrivateFolder } from '../platform/private-files.ts';

const OWN_SOCKET_HINT = 'Set COPANE_SOCKET to a path in a folder of your own.';

function ownUid(): number {
  return process.getuid?.() ?? -1;
}

/** lstat, or null when nothing is there, or nothing that we may look at. */
function look(file: string): Stats | null {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) ?? null;
  } catch {
    // ENOTDIR, EACCES: there is no socket to be found; listening there will say why not.
    return null;
  }
}

/** Makes the socket's folder (0700) or checks the one that is there. */
function ensureSocketFolder(socketPath: string): Result<void> {
  const folder = path.dirname(socketPath);
  try {
    // The runtime folder is made at login: where even its parent is missing, the path is a wrong one.
    if (look(folder) === null) ensurePrivateFolder(folder, 2);
    // Both the name and what it leads to: a link of another user could be turned at any time.
    for (const found of [lstatSync(folder), statSync(folder)]) {
      if (found.uid !== ownUid()) {
        return fail(
          'refused',
          `The socket's folder ${folder} belongs to another user (uid ${found.uid}).`,
          OWN_SOCKET_HINT,
        );
      }
    }
    const found = statSync(folder);
    if (!found.isDirectory()) return fail('refused', `${folder} is not a folder.`, OWN_SOCKET_HINT);
    if ((found.mode & 0o022) !== 0) {
      return fail('refused', `Others may write in the socket's folder ${folder}.`, OWN_SOCKET_HINT);
    }
    return ok(undefined);
  } catch (thrown) {
    return fail(
      'refused',
      `The socket's folder ${folder} cannot be used (${errorMessage(thrown)}).`,
      OWN_SOCKET_HINT,
    );
  }
}

/** Whether the socket may be connected to: `absent`, `ours`, or a failure when it belongs to somebody else. */
export function inspectSocket(socketPath: string): Result<'absent' | 'ours'> {
  const found = look(socketPath);
  if (found === null) return ok('absent');
  if (found.uid !== ownUid()) {
    return fail(
      'refused',
      `The socket ${socketPath} belongs to another user (uid ${found.uid}).`,
      OWN_SOCKET_HINT,
    );
  }
  if (!found.isSocket()) {
    return fail('refused', `${socketPath} is not a socket, and is left as it is.`, OWN_SOCKET_HINT);
  }
  return ok('ours');
}

/** Somebody accepts connections at `socketPath`. */
export function isServed(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = net.connect(socketPath);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
}

/** A socket that stands at its path under our inode. */
export interface PublishedSocket {
  readonly inode: number;
}

/**
 * Listens at `socketPath`, 0600. The server binds a short name beside it that is then renamed: closing a bound
 * server unlinks the name that it bound, which after a takeover would be the next leader's socket.
 */
export async function publishSocket(
  server: net.Server,
  socketPath: string,
): Promise<Result<PublishedSocket>> {
  const folder = ensureSocketFolder(socketPath);
  if (!folder.ok) return folder;
  const standing = inspectSocket(socketPath);
  if (!standing.ok) return standing;
  const temporary = path.join(path.dirname(socketPath), `.${process.pid.toString(36)}`);
  rmSync(temporary, { force: true });
  try {
    await listen(server, temporary);
    chmodSync(temporary, 0o600);
    const { ino } = lstatSync(temporary);
    renameSync(temporary, socketPath);
    return ok({ inode: ino });
  } catch (thrown) {
    server.close();
    return fail('internal', `Cannot listen at ${socketPath} (${errorMessage(thrown)}).`, OWN_SOCKET_HINT);
  }
}

/** What stands at the path now: `ours` under our inode, `absent`, or `other`. */
export function standingSocket(socketPath: string, published: PublishedSocket): 'ours' | 'absent' | 'other' {
  const found = look(socketPath);
  if (found === null) return 'absent';
  return found.ino === published.inode ? 'ours' : 'other';
}

/** Removes the socket if it is still the one that we published. */
export function withdrawSocket(socketPath: string, published: PublishedSocket): void {
  if (standingSocket(socketPath, published) === 'ours') rmSync(socketPath, { force: true });
}

function listen(server: net.Server, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(file, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
