/** Where copane keeps things: the XDG base directories. Never a folder of the user's repository. */
import os from 'node:os';
import path from 'node:path';

export type Env = Readonly<Record<string, string | undefined>>;

export interface CopanePaths {
  /** Database, blobs, journal, log; 0700. */
  readonly stateDir: string;
  readonly configFile: string;
  readonly cacheDir: string;
  /** What the user had brought by us and wants to keep: models. */
  readonly dataDir: string;
  /** The host's Unix socket; its folder is 0700. */
  readonly socketFile: string;
}

/** A relative XDG value is invalid by the XDG specification and ignored. */
function xdg(env: Env, name: string, fallback: string): string {
  const value = env[name];
  return value !== undefined && path.isAbsolute(value) ? value : fallback;
}

/** Linux allows 107 bytes for a socket path, macOS 103; a longer one cannot be bound. */
const MAX_SOCKET_PATH_BYTES = 103;

/** All paths, from the environment. Socket: `$COPANE_SOCKET`, else the runtime folder, else the state folder. */
export function copanePaths(env: Env): CopanePaths {
  const home = env.HOME ?? os.homedir();
  const stateDir = path.join(xdg(env, 'XDG_STATE_HOME', path.join(home, '.local/state')), 'copane');
  const runtime = env.XDG_RUNTIME_DIR;
  const wanted =
    env.COPANE_SOCKET || path.join(runtime || stateDir, runtime ? 'copane/host.sock' : 'host.sock');
  const tooLong = Buffer.byteLength(wanted) > MAX_SOCKET_PATH_BYTES;
  return {
    stateDir,
    configFile: path.join(xdg(env, 'XDG_CONFIG_HOME', path.join(home, '.config')), 'copane/config.jsonc'),
    cacheDir: path.join(xdg(env, 'XDG_CACHE_HOME', path.join(home, '.cache')), 'copane'),
    dataDir: path.join(xdg(env, 'XDG_DATA_HOME', path.join(home, '.local/share')), 'copane'),
    socketFile: tooLong ? path.join(os.tmpdir(), `copane-${process.getuid?.() ?? 0}`, 'host.sock') : wanted,
  };
}
