import { describe, expect, it } from 'vitest';
import { type RunNowOptions, type RunOutcome, run, runNow } from './run.ts';

type Start = (file: string, args: readonly string[], options?: RunNowOptions) => Promise<RunOutcome>;

const starts: readonly (readonly [string, Start])[] = [
  ['run', run],
  ['runNow', async (file, args, options) => runNow(file, args, options)],
];

const SCRIPTS: readonly (readonly [
  what: string,
  script: string,
  options: RunNowOptions,
  outcome: Partial<Omit<RunOutcome, 'stdout'>> & { readonly out?: string },
])[] = [
  ['output and exit code', 'echo out; echo err >&2; exit 3', {}, { code: 3, out: 'out\n', stderr: 'err\n' }],
  ['input', 'cat', { input: 'a\u00e4\n' }, { code: 0, out: 'a\u00e4\n' }],
  ['no input, which has an end', 'cat', {}, { code: 0, out: '' }],
  ['input that nobody reads', 'exit 4', { input: 'x'.repeat(1_000_000) }, { code: 4, failure: null }],
  ['a signal', 'kill -TERM $$', {}, { code: null, failure: 'SIGTERM' }],
  ['a program that hangs', 'exec sleep 60', { timeoutMs: 50 }, { code: null, failure: 'timeout' }],
  ['a flood', 'exec yes', { maxOutputBytes: 10_000 }, { code: null, failure: 'too much output' }],
  ['a folder and variables', 'echo "$A"; pwd', { cwd: '/', env: { A: 'b' } }, { code: 0, out: 'b\n/\n' }],
];

describe.each(starts)('%s', (_name, start) => {
  it.each(SCRIPTS)('reports %s', async (_what, script, options, { out, ...outcome }) => {
    const got = await start('/bin/sh', ['-c', script], options);
    expect(got).toMatchObject(outcome);
    if (out !== undefined) expect(got.stdout.toString()).toBe(out);
  });

  it.each(['/nowhere/at/all', '/etc/passwd'])('reports %s, which is no program', async (file) => {
    const got = await start(file, []);
    expect(got).toMatchObject({ code: null, failure: 'not found', stderr: '' });
    expect(got.stdout).toHaveLength(0);
  });
});
