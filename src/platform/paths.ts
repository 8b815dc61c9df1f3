/** Where copane keeps its files: the XDG base directories, never a folder of the user's repository. */
import os from 'node:os';
import path from 'node:path';

export type Env = Readonly<Record<string, string | undefined>>;

export interface CopanePaths {
  /** Database, blobs, journal, log; 0700. */
  readonly stateDir: string;
  readonly configFile: string;
  readonly cacheDir: string;
  /** Downloads that the user wants to keep, such as models. */
  readonly dataDir: string;
  /** The host's Unix socket; its folder is 0700. */
  readonly socketFile: string;
}

/** A relative path is ignored, as the XDG specification requires. */
function absolute(value: string | undefined, fallback: string): string {
  return isAbsolute(value) ? value : fallback;
}

function isAbsolute(value: string | undefined): value is string {
  return value !== undefined && path.isAbsolute(value);
}

/** A folder that cannot be created: without a home folder copane writes nothing, and reports it. */
const NO_HOME = '/nonexistent';

/** The user's home folder: $HOME, or the one in the user database if $HOME is empty, relative or unset. */
export function homeFolder(env: Env): string {
  // The user database comes last: it may be on a network.
  return isAbsolute(env.HOME) ? env.HOME : homeOfAccount();
}

function homeOfAccount(): string {
  try {
    return absolute(os.userInfo().homedir, NO_HOME);
  } catch {
    // The account has no entry, as in containers.
    return NO_HOME;
  }
}

/** Linux allows 107 bytes for a socket path, macOS 103; a longer one cannot be bound. */
const MAX_SOCKET_PATH_BYTES = 103;

/** All paths, from the environment. Socket: `$COPANE_SOCKET`, else in the runtime folder, else in the state folder. */
export function copanePaths(env: Env): CopanePaths {
  const home = homeFolder(env);
  const stateDir = path.join(absolute(env.XDG_STATE_HOME, path.join(home, '.local/state')), 'copane');
  const runtime = absolute(env.XDG_RUNTIME_DIR, '');
  const usual = runtime === '' ? path.join(stateDir, 'host.sock') : path.join(runtime, 'copane/host.sock');
  const wanted = absolute(env.COPANE_SOCKET, usual);
  const tooLong = Buffer.byteLength(wanted) > MAX_SOCKET_PATH_BYTES;
  return {
    stateDir,
    configFile: path.join(absolute(env.XDG_CONFIG_HOME, path.join(home, '.config')), 'copane/config.jsonc'),
    cacheDir: path.join(absolute(env.XDG_CACHE_HOME, path.join(home, '.cache')), 'copane'),
    dataDir: path.join(absolute(env.XDG_DATA_HOME, path.join(home, '.local/share')), 'copane'),
    socketFile: tooLong ? path.join(os.tmpdir(), `copane-${process.getuid?.() ?? 0}`, 'host.sock') : wanted,
  };
}
