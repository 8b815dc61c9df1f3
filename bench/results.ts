/**
 * Keeps each run as one line of JSON in the user's state folder, and compares two commits row by row. Ratios are
 * compared, not milliseconds: both sides of a ratio were measured in the same minutes.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Measured, spreadOf } from './harness.ts';

/** A row that got worse by more than this share is reported. */
const WORSE_BY = 0.15;

export interface KeptRow {
  /** Suite, name, peer and unit. */
  readonly key: string;
  readonly ours: number;
  readonly theirs: number;
  readonly ratio: number;
}

export interface KeptRun {
  readonly commit: string;
  /** The run included uncommitted changes. */
  readonly dirty: boolean;
  readonly machine: string;
  readonly at: string;
  readonly rows: readonly KeptRow[];
}

export const RESULTS_FILE = path.join(
  process.env.XDG_STATE_HOME ?? path.join(os.homedir(), '.local/state'),
  'copane-bench/runs.jsonl',
);

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
}

const machineName = () => `${os.hostname()}, ${os.cpus().length} × ${os.cpus()[0]?.model ?? 'unknown'}`;

/** The row as stored. */
export function keptRow(suite: string, { row, ours, theirs, ratio }: Measured): KeptRow {
  const key = `${suite}: ${row.name} / ${row.peer} (${row.unit ?? 'ms'})`;
  return { key, ours: ours.median, theirs: theirs.median, ratio };
}

/** Stores this run, unless it has no rows. */
export function keepRun(rows: readonly KeptRow[]): void {
  if (rows.length === 0) return;
  const run: KeptRun = {
    commit: git('rev-parse', 'HEAD'),
    dirty: git('status', '--porcelain') !== '',
    machine: machineName(),
    at: new Date().toISOString(),
    rows,
  };
  mkdirSync(path.dirname(RESULTS_FILE), { recursive: true });
  appendFileSync(RESULTS_FILE, `${JSON.stringify(run)}\n`);
}

/** The runs of this machine, oldest first. */
function runsHere(): readonly KeptRun[] {
  const runs = readFileSync(RESULTS_FILE, 'utf8').trim().split('\n');
  return runs.map((line) => JSON.parse(line) as KeptRun).filter(({ machine }) => machine === machineName());
}

/** The lines that compare two commits, the rows that got worse first. Rows that only one commit has are marked. */
export function compareRuns(runs: readonly KeptRun[], before: string, after: string): readonly string[] {
  const [old, now] = [before, after].map((commit) => {
    const ratios = new Map<string, number[]>();
    for (const run of runs.filter((each) => each.commit === commit && !each.dirty))
      for (const { key, ratio } of run.rows) ratios.set(key, [...(ratios.get(key) ?? []), ratio]);
    return new Map([...ratios].map(([key, all]) => [key, spreadOf(all).median]));
  }) as [Map<string, number>, Map<string, number>];
  const changes = [...new Set([...old.keys(), ...now.keys()])].map((key) => {
    const [from, to] = [old.get(key), now.get(key)];
    if (from === undefined || to === undefined)
      return { change: 0, line: `          ${key}: not measured at ${from === undefined ? before : after}` };
    const change = to / from - 1;
    const percent = `${change < 0 ? '' : '+'}${Math.round(change * 100)} %`.padStart(8);
    const verdict = change > WORSE_BY ? '  WORSE' : '';
    return { change, line: `${percent}  ${key}: ${from.toPrecision(3)}x → ${to.toPrecision(3)}x${verdict}` };
  });
  return changes.sort((a, b) => b.change - a.change).map(({ line }) => line);
}

/** `compare A B`: prints the comparison and returns the exit code. */
export function printComparison(names: readonly string[]): number {
  const [before, after] = names.map((name) => git('rev-parse', '--verify', `${name}^{commit}`));
  if (before === undefined || after === undefined) {
    console.error('Usage: npm run bench -- compare COMMIT COMMIT');
    return 2;
  }
  const lines = compareRuns(runsHere(), before, after);
  console.log(lines.length === 0 ? 'Neither commit was measured on this machine.' : lines.join('\n'));
  return lines.some((line) => line.endsWith('WORSE')) ? 1 : 0;
}
