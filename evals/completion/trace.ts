/** Command histories to replay: who ran what, where, when, and the exit status. Reads folders of JSON records. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

export interface TraceCommand {
  readonly line: string;
  readonly cwd: string;
  /** Seconds since the epoch. */
  readonly at: number;
  readonly exit: number | null;
}

export interface UserTrace {
  readonly user: string;
  /** Earlier lines of the history file: learned, not measured. */
  readonly before?: readonly TraceCommand[];
  readonly commands: readonly TraceCommand[];
}

/** Nobody types more: a longer line was pasted, and so was a long single word (a key, line by line). */
const MAX_TYPED_CHARS = 200;
const PASTED = /^\S{40,}$/;
/** A user with fewer commands shows no habits. */
const MIN_COMMANDS = 20;

/** The record format of the KYPO shell command data set (Švábenský et al., CC BY 4.0). */
const recordSchema = z.object({
  cmd_type: z.string(),
  timestamp_str: z.string(),
  cmd: z.string(),
  wd: z.string().default(''),
});

/** All users under `folder`: one JSON array of records per file. */
export function readTraces(folder: string): readonly UserTrace[] {
  return jsonFiles(folder)
    .map((file) => ({ user: path.relative(folder, file), commands: readCommands(file) }))
    .filter(({ commands }) => commands.length >= MIN_COMMANDS);
}

/** The user whose history is `file`, one command per line; `newestFirst`: the last command is at the top. */
export function readTextTrace(file: string, newestFirst: boolean): UserTrace {
  const lines = readFileSync(file, 'utf8').split('\n').filter(isTyped);
  const ordered = newestFirst ? lines.reverse() : lines;
  return {
    user: path.basename(file),
    commands: ordered.map((line, at) => ({ line, cwd: '', at, exit: null })),
  };
}

/** The last `count` commands of a long history: a replay asks at each letter. `warm`: earlier ones are learned. */
export function lastOf(trace: UserTrace, count: string | undefined, warm: boolean): UserTrace {
  const at = Math.max(0, trace.commands.length - Number(count ?? trace.commands.length));
  return {
    ...trace,
    commands: trace.commands.slice(at),
    before: warm ? trace.commands.slice(0, at) : [],
  };
}

const isTyped = (line: string): boolean =>
  line !== '' && line.length <= MAX_TYPED_CHARS && !PASTED.test(line) && !line.includes('\n');

function jsonFiles(folder: string): readonly string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const file = path.join(folder, name);
      if (statSync(file).isDirectory()) return jsonFiles(file);
      return name.endsWith('.json') ? [file] : [];
    });
}

function readCommands(file: string): readonly TraceCommand[] {
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!Array.isArray(value)) return [];
  return value
    .flatMap((record) => {
      const parsed = recordSchema.safeParse(record);
      return parsed.success && parsed.data.cmd_type === 'bash-command' ? [parsed.data] : [];
    })
    .map(({ cmd, wd, timestamp_str }) => ({
      line: cmd.trim(),
      cwd: wd,
      at: Math.floor(Date.parse(timestamp_str) / 1000),
      exit: null,
    }))
    .filter(({ line }) => isTyped(line))
    .sort((a, b) => a.at - b.at);
}
