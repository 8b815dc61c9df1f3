/**
 * The processes below a pane's first one, their words, folder and environment: from /proc where there is one,
 * else from `ps` and `lsof`. Reads only; a process that ends meanwhile is simply not there.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { run } from './run.ts';

export interface ProcessInfo {
  readonly pid: number;
  readonly ppid: number;
  /** The words it was started with; one word when it renamed itself; its name when the words are hidden. */
  readonly argv: readonly string[];
  readonly foreground: boolean;
  readonly stopped: boolean;
}

/** A process table at one moment. */
interface ProcessTable {
  /** `root` and everything below it, parents first. */
  below(root: number): readonly ProcessInfo[];
}

/** Reads the processes of this machine. */
export interface ProcessSource {
  snapshot(roots: readonly number[]): Promise<ProcessTable>;
  /** Working folder of a process; null when it may not be known. */
  cwd(pid: number): Promise<string | null>;
  /** Environment of a process as it was started; null when it may not be known. */
  environ(pid: number): Promise<Readonly<Record<string, string>> | null>;
  /** When a process was started, ms since the epoch, to about 20 ms; null when it may not be known. */
  startedAt(pid: number): Promise<number | null>;
}

interface Stat {
  readonly pid: number;
  readonly ppid: number;
  readonly name: string;
  readonly foreground: boolean;
  readonly stopped: boolean;
}

/** One `/proc/PID/stat`. The name may hold blanks and parentheses, so the fields are counted from its last `)`. */
export function parseProcStat(stat: string): Stat | null {
  const open = stat.indexOf('(');
  const close = stat.lastIndexOf(')');
  if (open === -1 || close === -1) return null;
  const [state, ppid, pgrp, , , tpgid] = stat.slice(close + 2).split(' ');
  return {
    pid: Number(stat.slice(0, open)),
    ppid: Number(ppid),
    name: stat.slice(open + 1, close),
    foreground: tpgid !== undefined && pgrp === tpgid,
    stopped: state === 'T' || state === 't',
  };
}

const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(-?\d+)\s+(-?\d+)\s+(\S+)\s+(.*)$/;

/** The lines of `ps -axo pid=,ppid=,pgid=,tpgid=,stat=,command=`. `ps` joins the words: a blank inside one is lost. */
export function parsePs(output: string): readonly ProcessInfo[] {
  return output.split('\n').flatMap((line) => {
    const match = PS_LINE.exec(line);
    if (match === null) return [];
    const [, pid, ppid, pgid, tpgid, state = '', command = ''] = match;
    const argv = command.trim().split(/\s+/);
    const facts = { foreground: pgid === tpgid, stopped: state.startsWith('T') };
    return [{ pid: Number(pid), ppid: Number(ppid), argv, ...facts }];
  });
}

function collectBelow<T extends { readonly pid: number; readonly ppid: number }>(
  all: readonly T[],
  root: number,
): readonly T[] {
  const children = Map.groupBy(all, (each) => each.ppid);
  const found = all.filter((each) => each.pid === root);
  // A pid that is its own ancestor (the table is not read in one moment) must not loop.
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

/** What a read of a vanished or foreign process gives. */
function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function splitNul(text: string): readonly string[] {
  return text.split('\0').filter((word) => word !== '');
}

/** Ticks of the clock in which Linux tells times to programs, on every architecture. */
const TICKS_PER_SECOND = 100;
/** Where the time of the start stands behind the name in `/proc/PID/stat`. */
const START_FIELD = 19;

/** How long after the start of the machine a process was started, in seconds. */
function startInStat(stat: string): number {
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[START_FIELD]) / TICKS_PER_SECOND;
}

/** Reads at once: /proc waits for no disk, and a promise for each of its small files costs ten times the read. */
function createProcSource(procDir: string): ProcessSource {
  const read = (pid: number | string, name: string) =>
    orNull(() => readFileSync(`${procDir}/${pid}/${name}`, 'utf8'));
  const readStat = (pid: string) => {
    const text = read(pid, 'stat');
    return text === null ? null : parseProcStat(text);
  };
  const withArgv = ({ name, ...stat }: Stat): ProcessInfo => {
    const words = splitNul(read(stat.pid, 'cmdline') ?? '');
    return { ...stat, argv: words.length === 0 ? [name] : words };
  };
  return {
    async snapshot(roots) {
      const pids = readdirSync(procDir).filter((name) => /^\d+$/.test(name));
      const stats = pids.map(readStat).filter((stat) => stat !== null);
      const wanted = new Set(roots.flatMap((root) => collectBelow(stats, root)));
      const infos = [...wanted].map(withArgv);
      return { below: (root) => collectBelow(infos, root) };
    },
    async startedAt(pid) {
      const stat = read(pid, 'stat');
      const uptime = Number((read('.', 'uptime') ?? '').split(' ')[0]);
      const sinceBoot = stat === null ? Number.NaN : startInStat(stat);
      return Number.isNaN(sinceBoot) || uptime === 0 ? null : Date.now() - (uptime - sinceBoot) * 1000;
    },
    cwd: async (pid) => orNull(() => readlinkSync(`${procDir}/${pid}/cwd`)),
    async environ(pid) {
      const text = read(pid, 'environ');
      if (text === null) return null;
      return Object.fromEntries(
        splitNul(text)
          .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)])
          .filter(([name]) => name !== ''),
      );
    },
  };
}

/** `ps` and `lsof` for systems without /proc (written for macOS, not run there). */
function createPsSource(): ProcessSource {
  return {
    async snapshot() {
      const { stdout } = await run('ps', ['-axo', 'pid=,ppid=,pgid=,tpgid=,stat=,command=']);
      const all = parsePs(stdout.toString('utf8'));
      return { below: (root) => collectBelow(all, root) };
    },
    async cwd(pid) {
      const { stdout } = await run('lsof', ['-a', '-p', String(pid), '-d', 'cwd', '-Fn']);
      const line = stdout
        .toString('utf8')
        .split('\n')
        .find((each) => each.startsWith('n'));
      return line === undefined ? null : line.slice(1);
    },
    environ: () => Promise.resolve(null),
    startedAt: () => Promise.resolve(null),
  };
}

/** The process source of this platform. */
export function createProcessSource(platform: NodeJS.Platform): ProcessSource {
  return platform === 'linux' ? createProcSource('/proc') : createPsSource();
}
