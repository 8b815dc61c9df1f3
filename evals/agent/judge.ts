/** Decides from the final files and the job whether a task was done. Pure. */
import type { EvalTask, TaskCheck } from './task.ts';

/** How a run ended. */
export interface RunFacts {
  /** Null: nothing was run. */
  readonly status: 'completed' | 'failed' | null;
  readonly message: string;
  readonly asked: readonly string[];
  readonly hunks: number;
  readonly toolCalls: number;
  /** A file of the project on disk; null when it does not exist. */
  readonly read: (file: string) => Uint8Array | null;
}

/** What is wrong; empty when the task was done. */
export function judge(task: EvalTask, facts: RunFacts): readonly string[] {
  const faults = task.checks.flatMap((check) => (holds(check, facts) ? [] : [describe(check)]));
  for (const file of task.keeps) {
    if (!isAsBefore(task, file, facts)) faults.push(`${file} was changed`);
  }
  const { max_hunks: hunks, max_tool_calls: calls } = task;
  if (hunks !== undefined && facts.hunks > hunks)
    faults.push(`${facts.hunks} hunks; at most ${hunks} are allowed`);
  if (calls !== undefined && facts.toolCalls > calls)
    faults.push(`${facts.toolCalls} tool calls; at most ${calls} are allowed`);
  return faults;
}

/** Checks that already hold before the job: they would prove nothing. */
export function idleChecks(task: EvalTask): readonly string[] {
  const facts: RunFacts = {
    status: null,
    message: '',
    asked: [],
    hunks: 0,
    toolCalls: 0,
    read: (file) => bytesOf(task, file),
  };
  return task.checks.filter((check) => holds(check, facts)).map(describe);
}

/** A file as the task starts with it; null when there is none. */
export function bytesOf(task: Pick<EvalTask, 'files'>, file: string): Uint8Array | null {
  const content = Object.hasOwn(task.files, file) ? task.files[file] : undefined;
  if (content === undefined) return null;
  return typeof content === 'string'
    ? new TextEncoder().encode(content)
    : Uint8Array.from(atob(content.base64), (char) => char.charCodeAt(0));
}

/** The BOM counts: a check of the whole text checks all bytes. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function holds(check: TaskCheck, { status, message, asked, read }: RunFacts): boolean {
  if ('status' in check) return status === check.status;
  if ('message' in check) return new RegExp(check.message, 'iu').test(message);
  if ('asked' in check) return asked.some((question) => new RegExp(check.asked, 'iu').test(question));
  if ('absent' in check) return read(check.absent) === null;
  const bytes = read(check.file);
  if (bytes === null) return false;
  const text = decoder.decode(bytes);
  if ('is' in check) return text === check.is;
  if ('contains' in check) return text.includes(check.contains);
  if ('lacks' in check) return !text.includes(check.lacks);
  return new RegExp(check.matches, 'mu').test(text);
}

function isAsBefore(task: EvalTask, file: string, facts: RunFacts): boolean {
  const before = lastWritten(task, file);
  const after = facts.read(file);
  if (before === null || after === null) return before === after;
  return before.length === after.length && before.every((byte, index) => byte === after[index]);
}

/** What the user wrote meanwhile must stay. */
function lastWritten(task: EvalTask, file: string): Uint8Array | null {
  const wrote = task.meanwhile.findLast(({ write }) => Object.hasOwn(write, file));
  if (wrote === undefined) return bytesOf(task, file);
  const content = wrote.write[file];
  return content === null || content === undefined ? null : bytesOf({ files: { [file]: content } }, file);
}

function describe(check: TaskCheck): string {
  return JSON.stringify(check).slice(1, -1).slice(0, 200);
}
