/** Reads processes, their arguments, folder and environment: from /proc, else by `ps` and `lsof`. */
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs';
import { run } from './run.ts';

export interface ProcessInfo {
  readonly pid: number;
  readonly ppid: number;
  /** Its arguments; one word if it renamed itself; its name if its arguments are hidden. */
  readonly argv: readonly string[];
  readonly foreground: boolean;
  readonly stopped: boolean;
}

interface ProcessTable {
  /** `root` and its descendants, parents first. */
  below(root: number): readonly ProcessInfo[];
}

/** Reads the processes of this machine. */
export interface ProcessSource {
  snapshot(roots: readonly number[]): Promise<ProcessTable>;
  /** A process, its parent and so on; empty if it has ended. */
  above(pid: number): Promise<readonly ProcessInfo[]>;
  /** The exact arguments of a process, including empty ones; null if unknown. */
  words(pid: number): Promise<readonly string[] | null>;
  /** Working folder of a process; null if unknown. */
  cwd(pid: number): Promise<string | null>;
  /** The environment that a process was started with; null if unknown. */
  environ(pid: number): Promise<Readonly<Record<string, string>> | null>;
  /** When a process was started, in ms since the epoch, at most a second too early; null if unknown. */
  startedAt(pid: number): Promise<number | null>;
  /** Absolute paths of the files that a process has open; empty if unknown. */
  openFiles(pid: number): Promise<readonly string[]>;
}

interface Stat {
  readonly pid: number;
  readonly ppid: number;
  readonly name: string;
  readonly foreground: boolean;
  readonly stopped: boolean;
}

/** Ended but not reaped by its parent yet, so still listed. */
const ENDED = /^[ZX]/;

/** Parses `/proc/PID/stat`; null for an ended process. Names may contain `)`, so fields count from the last one. */
export function parseProcStat(stat: string): Stat | null {
  const open = stat.indexOf('(');
  const close = stat.lastIndexOf(')');
  if (open === -1 || close === -1) return null;
  const [state = '', ppid, pgrp, , , tpgid] = stat.slice(close + 2).split(' ', 6);
  if (ENDED.test(state)) return null;
  return {
    pid: Number(stat.slice(0, open)),
    ppid: Number(ppid),
    name: stat.slice(open + 1, close),
    foreground: tpgid !== undefined && pgrp === tpgid,
    stopped: state === 'T' || state === 't',
  };
}

const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(-?\d+)\s+(-?\d+)\s+(\S+)\s+(.*)$/;

/** The lines of `ps -axo pid=,ppid=,pgid=,tpgid=,stat=,command=`. `ps` joins arguments: a blank in one is lost. */
export function parsePs(output: string): readonly ProcessInfo[] {
  return output.split('\n').flatMap((line) => {
    const match = PS_LINE.exec(line);
    if (match === null) return [];
    const [, pid, ppid, pgid, tpgid, state = '', command = ''] = match;
    if (ENDED.test(state)) return [];
    const argv = command.trim().split(/\s+/);
    const facts = { foreground: pgid === tpgid, stopped: state.startsWith('T') };
    return [{ pid: Number(pid), ppid: Number(ppid), argv, ...facts }];
  });
}

function collectBelow<T extends { readonly pid: number; readonly ppid: number }>(
  all: readonly T[],
  ...roots: readonly number[]
): readonly T[] {
  const children = Map.groupBy(all, (each) => each.ppid);
  const found = all.filter((each) => roots.includes(each.pid));
  // The table is not read atomically, so a pid may be its own ancestor; that must not loop.
  const seen = new Set(found.map((each) => each.pid));
  for (const parent of found) {
    for (const child of children.get(parent.pid) ?? []) {
      if (seen.has(child.pid)) continue;
      seen.add(child.pid);
      found.push(child);
    }
  }
  return found;
}

/** A process and its ancestors, each once: pids may be reused during the read. */
function chainOf(pid: number, find: (pid: number) => ProcessInfo | undefined): readonly ProcessInfo[] {
  const chain = new Map<number, ProcessInfo>();
  for (let at = find(pid); at !== undefined && !chain.has(at.pid); at = find(at.ppid)) chain.set(at.pid, at);
  return [...chain.values()];
}

/** Null if the process has ended or belongs to another user. */
function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

const splitNul = (text: string): readonly string[] => text.split('\0').filter((word) => word !== '');

function variablesOf(entries: readonly string[]): Readonly<Record<string, string>> {
  const pairs = entries.map((entry) => [
    entry.slice(0, entry.indexOf('=')),
    entry.slice(entry.indexOf('=') + 1),
  ]);
  return Object.fromEntries(pairs.filter(([name]) => name !== ''));
}

/** Clock ticks per second in `/proc`, on every architecture. */
const TICKS_PER_SECOND = 100;
/** Field number of the start time, counted after the name in `/proc/PID/stat`. */
const START_FIELD = 19;

/** Seconds from boot to the start of a process. */
function startInStat(stat: string): number {
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[START_FIELD]) / TICKS_PER_SECOND;
}

/** A larger file in /proc is read again without this buffer. */
const PROC_FILE_BYTES = 64 * 1024;

/** Reads a file into `scratch`: a buffer for each of hundreds of files would wake the garbage collector's threads. */
function readSmall(file: string, scratch: Buffer): string {
  const fd = openSync(file, 'r');
  try {
    let end = 0;
    for (let more = -1; more !== 0 && end < scratch.length; end += more)
      more = readSync(fd, scratch, end, scratch.length - end, null);
    return end < scratch.length ? scratch.toString('utf8', 0, end) : readFileSync(file, 'utf8');
  } finally {
    closeSync(fd);
  }
}

/**
 * `/proc` as proc(5) describes it. Reads synchronously: it never waits for a disk, and a promise per small file costs ten
 * times the read.
 */
export function createProcSource(procDir = '/proc'): ProcessSource {
  const scratch = Buffer.allocUnsafe(PROC_FILE_BYTES);
  const read = (pid: number | string, name: string) =>
    orNull(() => readSmall(`${procDir}/${pid}/${name}`, scratch));
  const readStat = (pid: number | string) => {
    const text = read(pid, 'stat');
    return text === null ? null : parseProcStat(text);
  };
  const numbersIn = (folder: string) => readdirSync(folder).map(Number).filter(Number.isInteger);
  const all = () => numbersIn(procDir);
  // A process's children are listed by the thread that started them. Some kernels do not list them.
  const listsChildren = read('thread-self', 'children') !== null;
  const childrenOf = (pid: number) =>
    (orNull(() => numbersIn(`${procDir}/${pid}/task`)) ?? []).flatMap((thread) =>
      (read(pid, `task/${thread}/children`) ?? '')
        .split(' ')
        .filter((word) => word !== '')
        .map(Number),
    );
  const descend = (roots: readonly number[]) => {
    const found = new Set(roots);
    for (const pid of found) for (const child of childrenOf(pid)) found.add(child);
    return [...found];
  };
  const withArgv = ({ name, ...stat }: Stat): ProcessInfo => {
    const words = splitNul(read(stat.pid, 'cmdline') ?? '');
    return { ...stat, argv: words.length === 0 ? [name] : words };
  };
  return {
    async snapshot(roots) {
      const stats = (listsChildren ? descend(roots) : all()).map(readStat).filter((stat) => stat !== null);
      const infos = collectBelow(stats, ...roots).map(withArgv);
      return { below: (root) => collectBelow(infos, root) };
    },
    async above(pid) {
      return chainOf(pid, (at) => {
        const stat = readStat(String(at));
        return stat === null ? undefined : withArgv(stat);
      });
    },
    async startedAt(pid) {
      const stat = read(pid, 'stat');
      const uptime = Number((read('.', 'uptime') ?? '').split(' ')[0]);
      const sinceBoot = stat === null ? Number.NaN : startInStat(stat);
      return Number.isNaN(sinceBoot) || uptime === 0 ? null : Date.now() - (uptime - sinceBoot) * 1000;
    },
    words: async (pid) => read(pid, 'cmdline')?.split('\0').slice(0, -1) ?? null,
    cwd: async (pid) => orNull(() => readlinkSync(`${procDir}/${pid}/cwd`)),
    async openFiles(pid) {
      const numbers = orNull(() => readdirSync(`${procDir}/${pid}/fd`)) ?? [];
      const targets = numbers.map((fd) => orNull(() => readlinkSync(`${procDir}/${pid}/fd/${fd}`)));
      return [...new Set(targets)].filter((target) => target?.startsWith('/') === true) as string[];
    },
    async environ(pid) {
      const text = read(pid, 'environ');
      if (text === null) return null;
      return variablesOf(splitNul(text));
    },
  };
}

/** The output of a program as text; empty if it failed. */
type Ask = (program: string, args: readonly string[]) => Promise<string>;

const askProgram: Ask = async (program, args) => {
  // Month names and date order depend on the locale.
  const { stdout } = await run(program, args, { env: { ...process.env, LC_ALL: 'C' } });
  return stdout.toString('utf8');
};

/** `ps` and `lsof` for systems without /proc, in the form that macOS has: ps(1), lsof(8). */
export function createPsSource(ask: Ask = askProgram): ProcessSource {
  // Without -ww, a BSD `ps` cuts its lines at a terminal's width.
  const psOf = async (pid: number, flags: string, column: string) =>
    (await ask('ps', [flags, '-o', `${column}=`, '-p', String(pid)])).trim();
  const filesOf = async (pid: number, which: readonly string[]) =>
    (await ask('lsof', ['-a', '-p', String(pid), ...which, '-Fn']))
      .split('\n')
      .filter((line) => line.startsWith('n/'))
      .map((line) => line.slice(1));
  const all = async () => parsePs(await ask('ps', ['-axww', '-o', 'pid=,ppid=,pgid=,tpgid=,stat=,command=']));
  return {
    async snapshot() {
      const infos = await all();
      return { below: (root) => collectBelow(infos, root) };
    },
    async above(pid) {
      const byPid = new Map((await all()).map((info) => [info.pid, info]));
      return chainOf(pid, (at) => byPid.get(at));
    },
    // `ps` joins them.
    words: async () => null,
    cwd: async (pid) => (await filesOf(pid, ['-d', 'cwd']))[0] ?? null,
    openFiles: (pid) => filesOf(pid, ['-d', '0-9999']),
    async environ(pid) {
      const command = await psOf(pid, '-ww', 'command');
      const withEnvironment = await psOf(pid, '-Eww', 'command');
      return command === '' ? null : parsePsEnvironment(withEnvironment.slice(command.length));
    },
    async startedAt(pid) {
      const at = Date.parse(await psOf(pid, '-ww', 'lstart'));
      return Number.isNaN(at) ? null : at;
    },
  };
}

/** The variables after a command, by spaces. A space in a value stays unless the next word looks like a variable. */
function parsePsEnvironment(text: string): Readonly<Record<string, string>> | null {
  // The system shows nothing for protected programs.
  return text.trim() === '' ? null : variablesOf(text.trim().split(/\s(?=[A-Za-z_]\w*=)/));
}

/** The processes of this machine. */
export const systemProcesses: ProcessSource =
  process.platform === 'linux' ? createProcSource() : createPsSource();
