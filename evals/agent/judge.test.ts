import { expect, test } from 'vitest';
import { idleChecks, judge, type RunFacts } from './judge.ts';
import { type EvalTask, taskSchema } from './task.ts';

function taskWith(fields: Partial<EvalTask>): EvalTask {
  return taskSchema.parse({
    name: 't',
    kind: 'notes',
    prompt: 'do it',
    files: { 'a.md': 'one\n', 'bytes.bin': { base64: 'AAE=' } },
    checks: [{ absent: 'a.md' }],
    ...fields,
  });
}

function facts(files: Readonly<Record<string, string | Uint8Array>>, more: Partial<RunFacts> = {}): RunFacts {
  const read = (file: string) => {
    const found = files[file];
    return found === undefined ? null : typeof found === 'string' ? Buffer.from(found) : found;
  };
  return { status: 'completed', message: 'Done.', asked: [], hunks: 1, toolCalls: 2, read, ...more };
}

test.each<[EvalTask['checks'][number], RunFacts, RunFacts]>([
  [{ file: 'a', is: '\ufeffx' }, facts({ a: '\ufeffx' }), facts({ a: 'x' })],
  [{ file: 'a', contains: 'x' }, facts({ a: 'axb' }), facts({})],
  [{ file: 'a', lacks: 'x' }, facts({ a: 'ab' }), facts({ a: 'axb' })],
  [{ file: 'a', lacks: 'x' }, facts({ a: '' }), facts({})],
  [{ file: 'a', matches: '^b$' }, facts({ a: 'a\nb\n' }), facts({ a: 'ab\n' })],
  [{ absent: 'a' }, facts({}), facts({ a: '' })],
  [{ status: 'completed' }, facts({}), facts({}, { status: 'failed' })],
  [{ message: 'done' }, facts({}), facts({}, { message: '' })],
  [{ asked: 'which' }, facts({}, { asked: ['Which?'] }), facts({}, { asked: ['Who?'] })],
])('%j', (check, good, bad) => {
  const task = taskWith({ checks: [check] });
  expect(judge(task, good)).toEqual([]);
  expect(judge(task, bad)).toEqual([JSON.stringify(check).slice(1, -1)]);
});

test('files to keep are compared byte by byte, including what the user changed meanwhile', () => {
  const task = taskWith({ keeps: ['bytes.bin', 'none', 'a.md'] });
  const same = { 'bytes.bin': Uint8Array.of(0, 1), 'a.md': 'one\n' };
  const keepFaults = (one: EvalTask, files: Parameters<typeof facts>[0]) =>
    judge(one, facts(files)).filter((fault) => fault.endsWith('was changed'));
  expect(keepFaults(task, same)).toEqual([]);
  expect(keepFaults(task, { ...same, 'bytes.bin': Uint8Array.of(0, 2) })).toEqual(['bytes.bin was changed']);
  expect(keepFaults(task, { ...same, none: '' })).toEqual(['none was changed']);
  const meanwhile = [{ before_step: 0, write: { 'a.md': null } }];
  expect(keepFaults({ ...task, meanwhile }, same)).toEqual(['a.md was changed']);
});

test('limits include their bound', () => {
  const task = taskWith({ max_hunks: 1, max_tool_calls: 2 });
  expect(judge(task, facts({}))).toEqual([]);
  expect(judge(task, facts({}, { hunks: 2, toolCalls: 3 }))).toEqual([
    '2 hunks; at most 1 are allowed',
    '3 tool calls; at most 2 are allowed',
  ]);
});

test('a check that already holds before the job is reported', () => {
  const checks: EvalTask['checks'] = [
    { file: 'a.md', is: 'two\n' },
    { file: 'a.md', lacks: 'two' },
  ];
  expect(idleChecks(taskWith({ checks }))).toEqual(['"file":"a.md","lacks":"two"']);
});
