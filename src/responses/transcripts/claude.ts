/** Claude Code's sessions: `projects/<folder>/<session>.jsonl`, tied to a process by `sessions/<pid>.json`. */
import path from 'node:path';
import type { AiState } from '../../protocol/pane.ts';
import { claudeDialect } from './claude-turns.ts';
import {
  type FoundFile,
  fileAt,
  filesIn,
  headOf,
  homeOf,
  MAX_CANDIDATES,
  namesIn,
  refTo,
  smallFile,
  spellingsOf,
  whyUnreadable,
} from './files.ts';
import { asObject, asString, asTime, parseJson } from './json.ts';
import { JsonlSession } from './jsonl-session.ts';
import { JsonlTail, type TailLimits } from './jsonl-tail.ts';
import {
  NOT_WRITTEN_YET,
  type TranscriptPlace,
  type TranscriptReader,
  type TranscriptRef,
  type TranscriptTie,
} from './port.ts';

/** The CLI truncates longer folder names here, and adds a hash that we do not compute. */
const MAX_FOLDER_CHARACTERS = 200;
const MAX_PID_FILE_BYTES = 256 * 1024;
/** How much of the start of a session is searched for `/clear`, which is among the first records. */
const HEAD_BYTES = 16 * 1024;
const CLEARED = '<command-name>/clear</command-name>';
const STATES: Readonly<Record<string, AiState>> = { busy: 'working', idle: 'idle', waiting: 'waiting' };

/** What `sessions/<pid>.json` says. */
interface PidFile {
  readonly pid: number;
  readonly sessionId: string;
  readonly startedAt: number;
  readonly updatedAt: number;
  /** Null in versions without it, whose session id is also stale after `/clear`. */
  readonly status: string | null;
}

export interface ClaudeOptions {
  readonly isAlive: (pid: number) => boolean;
}

/** The reader of Claude Code's sessions. */
export function createClaudeReader(options: ClaudeOptions, limits: TailLimits = {}): TranscriptReader {
  return {
    cli: 'claude',
    find: (place) => findSessions(place, options),
    trouble: async (place) => {
      const config = configOf(place);
      return whyUnreadable([path.join(config, 'projects'), ...(await projectFolders(config, place))]);
    },
    open: (ref, open) => {
      const dialect = { ...claudeDialect, ...liveWitness(ref, options) };
      return new JsonlSession(ref, dialect, new JsonlTail(ref.path, limits), open);
    },
  };
}

function configOf({ env }: TranscriptPlace): string {
  return env.CLAUDE_CONFIG_DIR || path.join(homeOf(env), '.claude');
}

const claudeFolderName = (cwd: string): string => cwd.replace(/[^A-Za-z0-9-]/g, '-');

async function findSessions(
  place: TranscriptPlace,
  options: ClaudeOptions,
): Promise<readonly TranscriptRef[]> {
  const config = configOf(place);
  const folders = await projectFolders(config, place);
  const lists = await Promise.all(folders.map((folder) => filesIn(folder, isSessionName)));
  const files = lists.flat().sort((a, b) => b.modifiedAt - a.modifiedAt);
  const pidFiles = (await readPidFiles(path.join(config, 'sessions'))).filter((file) =>
    options.isAlive(file.pid),
  );
  const own = pidFiles.find((file) => file.pid === place.pid);
  const tied = own === undefined ? null : await tiedFile(config, own, files, pidFiles);
  // A session that another process has open is not this pane's; without a process, all count.
  const others = new Set(
    (place.pid === null ? [] : pidFiles)
      .filter((file) => file !== own)
      .map(({ sessionId }) => `${sessionId}.jsonl`),
  );
  const rest = files
    .filter((file) => file.path !== tied?.path && !others.has(file.name))
    .map((file) => toRef(file, 'folder'));
  const { limit = MAX_CANDIDATES } = place;
  if (own === undefined) return rest.slice(0, limit);
  const isShared = pidFiles.some(({ pid, sessionId }) => pid !== own.pid && sessionId === own.sessionId);
  const known = tied === null ? unwritten(own, folders[0] ?? config) : toRef(tied, 'pid');
  const first = { ...known, pid: own.pid, isShared };
  return [first, ...rest].sort(byTieThenAge).slice(0, limit);
}

/** The process names its session; the file is created with the first prompt. */
function unwritten({ sessionId }: PidFile, folder: string): TranscriptRef {
  const file = path.join(folder, `${sessionId}.jsonl`);
  return { cli: 'claude', path: file, sessionId, tie: 'pid', modifiedAt: NOT_WRITTEN_YET };
}

/** The file of the pid comes first, even if others are newer. */
function byTieThenAge(a: TranscriptRef, b: TranscriptRef): number {
  if (a.tie !== b.tie) return a.tie === 'pid' ? -1 : 1;
  return b.modifiedAt - a.modifiedAt;
}

const toRef = (file: FoundFile, tie: TranscriptTie): TranscriptRef =>
  refTo(file, 'claude', path.basename(file.name, '.jsonl'), tie);

const isSessionName = (name: string): boolean => name.endsWith('.jsonl') && !name.startsWith('agent-');

async function projectFolders(config: string, place: TranscriptPlace): Promise<readonly string[]> {
  const projects = path.join(config, 'projects');
  const named = place.env.CLAUDE_CODE_PROJECT_DIR_NAME;
  if (named !== undefined && /^[A-Za-z0-9_-]{1,64}$/.test(named)) return [path.join(projects, named)];
  const names = new Set((await spellingsOf(place.cwd)).map(claudeFolderName));
  const folders = [...names].filter((name) => name.length <= MAX_FOLDER_CHARACTERS);
  const prefixes = [...names]
    .filter((name) => name.length > MAX_FOLDER_CHARACTERS)
    .map((name) => name.slice(0, MAX_FOLDER_CHARACTERS));
  if (prefixes.length > 0) {
    const present = await namesIn(projects);
    folders.push(...present.filter((name) => prefixes.some((prefix) => name.startsWith(prefix))));
  }
  return folders.map((name) => path.join(projects, name));
}

async function readPidFiles(folder: string): Promise<readonly PidFile[]> {
  const pids = (await namesIn(folder)).flatMap((name) => /^(\d+)\.json$/.exec(name)?.[1] ?? []);
  return (await Promise.all(pids.map((pid) => readPidFile(folder, Number(pid))))).flat();
}

async function readPidFile(folder: string, pid: number): Promise<readonly PidFile[]> {
  return toPidFile(await smallFile(path.join(folder, `${pid}.json`), MAX_PID_FILE_BYTES));
}

function toPidFile(text: string | null): PidFile[] {
  const value = text === null ? null : asObject(parseJson(text));
  const sessionId = asString(value?.sessionId);
  const pid = value?.pid;
  if (sessionId === null || typeof pid !== 'number') return [];
  const startedAt = asTime(value?.startedAt) ?? 0;
  const updatedAt = asTime(value?.updatedAt) ?? startedAt;
  return [{ pid, sessionId, startedAt, updatedAt, status: asString(value?.status) }];
}

/** The file of a live process: the one named by its pid file, unless `/clear` started a newer one. */
async function tiedFile(
  config: string,
  own: PidFile,
  files: readonly FoundFile[],
  live: readonly PidFile[],
): Promise<FoundFile | null> {
  const name = `${own.sessionId}.jsonl`;
  const named = files.find((file) => file.name === name) ?? (await searchProjects(config, name));
  if (own.status !== null) return named;
  const claimed = new Set(live.map((file) => `${file.sessionId}.jsonl`));
  const since = Math.max(named?.modifiedAt ?? 0, own.startedAt);
  const newer = files.filter((file) => !claimed.has(file.name) && file.modifiedAt > since);
  for (const file of newer) {
    if ((await headOf(file.path, HEAD_BYTES)).includes(CLEARED)) return file;
  }
  const after = newer.find((file) => file.bornAt > Math.max(since, own.updatedAt));
  return after ?? named;
}

/** Finds a session that was started in another folder and resumed here. */
async function searchProjects(config: string, name: string): Promise<FoundFile | null> {
  const projects = path.join(config, 'projects');
  const found = await Promise.all(
    (await namesIn(projects)).map((folder) => fileAt(path.join(projects, folder, name))),
  );
  return found.find((file) => file !== null) ?? null;
}

/** Reads the state in the CLI's pid file, and remembers the file. Null if no live process has the session. */
function liveWitness(ref: TranscriptRef, options: ClaudeOptions) {
  const folder = path.join(path.dirname(path.dirname(path.dirname(ref.path))), 'sessions');
  let known: number | null = null;
  return {
    liveState: async (): Promise<AiState | null> => {
      const files = known === null ? await readPidFiles(folder) : [await readPidFile(folder, known)].flat();
      const live = files.filter((file) => file.sessionId === ref.sessionId && options.isAlive(file.pid));
      const own = live.find(({ pid }) => pid === ref.pid) ?? live[0];
      known = own?.pid ?? null;
      return own?.status == null ? null : (STATES[own.status] ?? null);
    },
    sideFiles: () => (known === null ? [] : [path.join(folder, `${known}.json`)]),
  };
}
