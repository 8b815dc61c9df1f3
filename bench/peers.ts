/** The programs that the benchmarks compare with: where each is found, and what installs it (`npm run setup:peers`). */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { findOnPath } from '../src/platform/exec.ts';
import { copanePaths } from '../src/platform/paths.ts';

/** Outside the repository, with one folder per peer. */
const PEERS_FOLDER = path.join(copanePaths(process.env).cacheDir, 'peers');

/** A program with its version; `file` is where its installer puts it. */
export interface Peer {
  readonly name: string;
  readonly installer: 'go' | 'npm' | 'apt-get';
  /** What to ask the installer for. */
  readonly what: string;
  /** A path, or a name to look up on the PATH. */
  readonly file: string;
}

const folderOf = (name: string) => path.join(PEERS_FOLDER, name);

/** Where `installer` puts `peer`; the system's package manager has its own places. */
export const peerFolder = (peer: Peer): string => folderOf(peer.name);

const INSHELLISENSE = '@microsoft/inshellisense-linux-x64';
const debian = (name: string, file = name): Peer => ({ name, installer: 'apt-get', what: name, file });

export const PEERS = {
  lazygit: {
    name: 'lazygit',
    installer: 'go',
    what: 'github.com/jesseduffield/lazygit@v0.64.1',
    file: path.join(folderOf('lazygit'), 'lazygit'),
  },
  inshellisense: {
    name: 'inshellisense',
    installer: 'npm',
    what: `${INSHELLISENSE}@0.0.4`,
    file: path.join(folderOf('inshellisense'), 'node_modules', INSHELLISENSE, path.basename(INSHELLISENSE)),
  },
  autosuggestions: debian('zsh-autosuggestions', '/usr/share/zsh-autosuggestions/zsh-autosuggestions.zsh'),
  less: debian('less'),
  tig: debian('tig'),
  zsh: debian('zsh'),
  socat: debian('socat'),
  jq: debian('jq'),
} as const satisfies Record<string, Peer>;

/** The file of an installed peer, or null. */
export function findPeer({ name, file }: Peer): string | null {
  if (existsSync(file)) return file;
  return findOnPath(file.includes('/') ? name : file, process.env);
}

/** The table's line for what could not be measured without `peer`. */
export function notMeasured(what: string, peer: Peer): string {
  return `| ${what} | not measured: no ${peer.name} (npm run setup:peers) | | | | | |`;
}
