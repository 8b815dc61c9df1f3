/**
 * Installs the programs that `npm run bench` compares with: by Go and npm into a cache folder outside the repository,
 * by apt-get where we are root. Safe to repeat. What cannot be installed is named, with the reason.
 *
 *   npm run setup:peers
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findPeer, PEERS, type Peer, peerFolder } from '../bench/peers.ts';
import { run } from '../src/platform/run.ts';

const INSTALL_TIMEOUT_MS = 15 * 60_000;

/** Why it could not be installed; null on success. */
async function install(peer: Peer): Promise<string | null> {
  if (peer.installer === 'apt-get') {
    if (process.getuid?.() !== 0) return `install it yourself: sudo apt-get install ${peer.what}`;
    return failureOf('apt-get', ['install', '-y', '-qq', peer.what]);
  }
  const folder = peerFolder(peer);
  mkdirSync(folder, { recursive: true });
  if (peer.installer === 'go') return buildOf(peer);
  // Its own package.json, so that npm does not search the folders above.
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}\n');
  return failureOf('npm', ['install', '--no-audit', '--no-fund', peer.what], folder);
}

/** Not `go install`: it also asks for the list of all versions, which a proxy may not have. */
async function buildOf({ what, file }: Peer): Promise<string | null> {
  const asked = await run('go', ['mod', 'download', '-json', what], { timeoutMs: INSTALL_TIMEOUT_MS });
  if (asked.code !== 0) return wordsOf(asked);
  const { Dir } = JSON.parse(asked.stdout.toString('utf8')) as { readonly Dir: string };
  return failureOf('go', ['build', '-o', file, '.'], Dir);
}

async function failureOf(program: string, args: readonly string[], folder?: string): Promise<string | null> {
  const done = await run(program, args, {
    cwd: folder,
    timeoutMs: INSTALL_TIMEOUT_MS,
  });
  return done.code === 0 ? null : wordsOf(done);
}

const wordsOf = ({ failure, stdout, stderr }: Awaited<ReturnType<typeof run>>) =>
  failure ?? (stderr.trim() || stdout.toString('utf8').trim());

for (const peer of Object.values<Peer>(PEERS)) {
  const reason = findPeer(peer) === null ? await install(peer) : null;
  const file = findPeer(peer);
  if (file !== null) console.log(`${peer.name}: ${file}`);
  else {
    console.error(
      `${peer.name}: not installed: ${reason ?? `${peer.what} has no ${path.basename(peer.file)}`}`,
    );
    process.exitCode = 1;
  }
}
