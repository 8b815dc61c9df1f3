/** The evaluation's tasks and recordings on disk: one task per file, `traces/NAME.jsonl` beside them. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { errorMessage, fail, ok, type Result } from '../../src/lib/result.ts';
import { readRegular } from '../../src/platform/regular-file.ts';
import { type TraceEntry, traceEntrySchema } from './replay.ts';
import { type EvalTask, taskSchema } from './task.ts';

const TASK_MAX_BYTES = 64 * 1024 * 1024;

const readText = async (file: string) => String(await readRegular(file, { maxBytes: TASK_MAX_BYTES }));

/** Every task of a folder, by name. */
export async function readTasks(folder: string): Promise<Result<readonly EvalTask[]>> {
  const where = path.join(folder, 'tasks');
  const tasks: EvalTask[] = [];
  try {
    for (const name of (await readdir(where)).filter((file) => file.endsWith('.json')).sort()) {
      const parsed = taskSchema.safeParse(JSON.parse(await readText(path.join(where, name))));
      if (!parsed.success) return fail('invalid', `${name} is not a task: ${z.prettifyError(parsed.error)}`);
      if (`${parsed.data.name}.json` !== name) {
        return fail('invalid', `${name} holds a task of another name: ${parsed.data.name}.`);
      }
      tasks.push(parsed.data);
    }
  } catch (thrown) {
    return fail('not_found', `The tasks in ${where} cannot be read: ${errorMessage(thrown)}`);
  }
  return tasks.length === 0 ? fail('not_found', `There is no task in ${where}.`) : ok(tasks);
}

const tracesOf = (folder: string) => path.join(folder, 'traces');
const traceFile = (folder: string, task: string) => path.join(tracesOf(folder), `${task}.jsonl`);
/** Every request repeats prompts and tool descriptions: they are stored once. */
const sharedFile = (folder: string) => path.join(tracesOf(folder), 'shared.json');
const IS_SHARED = /^\["(?:system|tool)","/;
const REFERENCE = /^@(\d+)$/;
const sharedSchema = z.array(z.string());

/** A task's recording; empty when there is none. */
export async function readTrace(folder: string, task: string): Promise<Result<readonly TraceEntry[]>> {
  const file = traceFile(folder, task);
  try {
    const shared = sharedSchema.parse(JSON.parse(await readText(sharedFile(folder))));
    const lines = (await readText(file)).split('\n').filter((line) => line !== '');
    return ok(lines.map((line) => expanded(traceEntrySchema.parse(JSON.parse(line)), shared)));
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return ok([]);
    return fail('invalid', `${file} is not a recording: ${errorMessage(thrown)}`);
  }
}

function expanded(entry: TraceEntry, shared: readonly string[]): TraceEntry {
  const request = entry.request.map((line) => {
    const at = REFERENCE.exec(line)?.[1];
    return at === undefined ? line : (shared[Number(at)] ?? line);
  });
  return { ...entry, request };
}

/** Replaces the whole recording. */
export async function writeTraces(
  folder: string,
  traces: ReadonlyMap<string, readonly TraceEntry[]>,
): Promise<void> {
  const shared: string[] = [];
  const placeOf = (line: string) => {
    if (!shared.includes(line)) shared.push(line);
    return `@${shared.indexOf(line)}`;
  };
  await rm(tracesOf(folder), { recursive: true, force: true });
  await mkdir(tracesOf(folder), { recursive: true });
  for (const [task, entries] of traces) {
    const lines = entries.map((entry) => {
      const request = entry.request.map((line) => (IS_SHARED.test(line) ? placeOf(line) : line));
      return `${JSON.stringify({ ...entry, request })}\n`;
    });
    await writeFile(traceFile(folder, task), lines.join(''));
  }
  await writeFile(sharedFile(folder), `${JSON.stringify(shared, null, 2)}\n`);
}
