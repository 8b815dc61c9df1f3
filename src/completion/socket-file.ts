/**
 * Puts a listening Unix socket at a path where others may already be. Never removes a file that is no socket,
 * another user's socket, or one that somebody listens on; the socket is 0600 before it can be found.
 */
import { chmod, link, lstat, mkdtemp, rename, rm, unlink } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { errorMessage, fail, ok, type Result } from '../lib/result.ts';

/** Linux allows 107 bytes, macOS 103. */
const MAX_PATH_BYTES = 103;
const PROBE_TIMEOUT_MS = 500;
/** A thousand shells may connect in one moment; the kernel caps it. */
const BACKLOG = 2_048;

export interface PublishedSocket {
  /** Whether the path still leads to this socket. */
  isInPlace(): Promise<boolean>;
  /** Stops listening and takes the path away, if it is still ours. */
  close(): Promise<void>;
}

/** `$ASHLET_SOCKET`, else in the runtime folder, else in /tmp. */
export function completionSocketFile(env: Readonly<Record<string, string | undefined>>, uid: number): string {
  if (env.ASHLET_SOCKET) return env.ASHLET_SOCKET;
  return env.XDG_RUNTIME_DIR ? path.join(env.XDG_RUNTIME_DIR, 'ashlet.sock') : `/tmp/ashlet-${uid}.sock`;
}

/** Makes `server` listen at `file`. */
export async function publishSocket(
  server: net.Server,
  file: string,
  uid: number,
): Promise<Result<PublishedSocket>> {
  const free = await clearStale(file, uid);
  if (!free.ok) return free;
  let nest: string;
  try {
    nest = await mkdtemp(path.join(path.dirname(file), '.a'));
  } catch (error) {
    return fail('refused', `cannot write in ${path.dirname(file)}: ${errorMessage(error)}`);
  }
  try {
    return await listenThrough(server, path.join(nest, 's'), file);
  } catch (error) {
    server.close();
    const taken = (error as NodeJS.ErrnoException).code === 'EEXIST';
    return taken
      ? fail('refused', `${file} was taken by another daemon in this moment`)
      : fail('internal', `cannot listen on ${file}: ${errorMessage(error)}`);
  } finally {
    await rm(nest, { recursive: true, force: true });
  }
}

/** Listens at a private path first, so that nobody can connect before the mode is right; `link` never replaces. */
async function listenThrough(
  server: net.Server,
  hidden: string,
  file: string,
): Promise<Result<PublishedSocket>> {
  if (Buffer.byteLength(hidden) > MAX_PATH_BYTES || Buffer.byteLength(file) > MAX_PATH_BYTES)
    return fail('invalid', `the socket path is too long: ${file}`, 'Set ASHLET_SOCKET to a shorter path.');
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path: hidden, backlog: BACKLOG }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  await chmod(hidden, 0o600);
  const { ino, dev } = await lstat(hidden);
  await link(hidden, file);
  const isInPlace = async () => {
    const now = await lstatOrNull(file);
    return now !== null && now.ino === ino && now.dev === dev;
  };
  return ok({
    isInPlace,
    async close() {
      if (await isInPlace()) await unlink(file);
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  });
}

async function lstatOrNull(file: string) {
  try {
    return await lstat(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Takes away a socket of ours that nobody listens on; refuses everything else. */
async function clearStale(file: string, uid: number): Promise<Result<void>> {
  try {
    const there = await lstatOrNull(file);
    if (there === null) return ok(undefined);
    if (!there.isSocket())
      return fail('refused', `${file} exists and is not a socket`, 'Set ASHLET_SOCKET to another path.');
    if (there.uid !== uid)
      return fail('refused', `${file} belongs to another user`, 'Set ASHLET_SOCKET to another path.');
    if (await isAlive(file)) return fail('refused', `another daemon listens on ${file}`);
    const aside = `${file}.${process.pid}`;
    await rename(file, aside);
    const moved = await lstat(aside);
    if (moved.ino !== there.ino) {
      // Between look and move somebody else came: his socket goes back.
      await link(aside, file);
      await unlink(aside);
      return fail('refused', `another daemon listens on ${file}`);
    }
    await unlink(aside);
    return ok(undefined);
  } catch (error) {
    return fail('refused', `cannot use ${file}: ${errorMessage(error)}`);
  }
}

/** Only a refused connection proves that nobody is there: a stopped daemon accepts, or makes us wait. */
function isAlive(file: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = net.connect(file);
    const settle = (alive: boolean) => {
      clearTimeout(timer);
      probe.destroy();
      resolve(alive);
    };
    const timer = setTimeout(() => settle(true), PROBE_TIMEOUT_MS);
    probe.once('connect', () => settle(true));
    probe.once('error', (error: NodeJS.ErrnoException) =>
      settle(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'),
    );
  });
}
