/** The process that holds a GGUF model, with a substitute for node-llama-cpp: crashes, hangs, missing parts. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installStandIn } from '../../../test/helpers/llama-stand-in.ts';
import { removeTree } from '../../../test/helpers/remove-tree.ts';
import { isAlive } from '../../platform/process-state.ts';
import { buildPrompt } from '../core/model-prompt.ts';
import { createGguf } from './gguf.ts';
import type { CompletionModel, ModelSettings } from './model.ts';
import { runtimeBinary } from './model-files.ts';

const NEVER = new AbortController().signal;
const SUM = 'a'.repeat(64);
let dataDir = '';
let model: CompletionModel | null = null;

beforeEach(() => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'copane-models-'));
  mkdirSync(path.join(dataDir, 'models'));
  writeFileSync(path.join(dataDir, 'models/tiny.gguf'), 'GGUF weights');
});
afterEach(() => {
  model?.close();
  removeTree(dataDir);
});

function create(fields: Partial<ModelSettings> = {}, idleMs?: number): CompletionModel {
  model = createGguf(
    { kind: 'gguf', url: null, name: 'tiny.gguf', key: null, sha256: null, ...fields },
    {
      dataDir,
      env: { PATH: process.env.PATH, HOME: dataDir, OPENAI_API_KEY: 'sk-test' },
      ...(idleMs === undefined ? {} : { idleMs }),
    },
  );
  return model;
}

const promptOf = (line: string) =>
  buildPrompt({ line, cursor: line.length, cwd: '/w', session: 's', limit: 4 }, { habits: [], recent: [] });
const ask = (line: string, signal = NEVER) => model?.ask(promptOf(line), signal);

/** The process that answered. */
async function pidOf(line: string): Promise<number> {
  const answer = await ask(line);
  return answer?.ok ? Number(answer.text.split('-of-')[1]) : 0;
}

describe('reports what is missing', () => {
  it('no file named', async () => {
    create({ name: null });
    expect(await ask('git com')).toMatchObject({ problem: { code: 'not_configured' } });
  });

  it('no such file: with what is needed to download it, if it can be verified', async () => {
    create({ name: 'other.gguf', url: 'https://example.org/other.gguf', sha256: SUM });
    expect(await ask('git com')).toMatchObject({
      problem: {
        code: 'model_not_found',
        models: [
          {
            name: 'other.gguf',
            url: 'https://example.org/other.gguf',
            file: 'other.gguf',
            dir: path.join(dataDir, 'models'),
            sha256: SUM,
          },
        ],
      },
    });
    create({ name: '/nowhere/other.gguf', url: 'https://example.org/other.gguf' });
    expect(await ask('git com')).toMatchObject({ problem: { code: 'model_not_found', models: [] } });
  });

  it('no runtime', async () => {
    create();
    expect(await ask('git com')).toMatchObject({
      problem: { code: 'not_configured', message: expect.stringContaining('copane model install') as string },
    });
  });
});

describe('with its runtime', () => {
  beforeEach(() => installStandIn(dataDir));

  it('answers from one process, with only the necessary environment', async () => {
    create();
    const pid = await pidOf('git com');
    expect(pid).toBeGreaterThan(0);
    expect(pid).not.toBe(process.pid);
    expect(await pidOf('git pus')).toBe(pid);
    const told = await ask('env');
    expect(told?.ok && told.text).not.toMatch(/KEY/);
  });

  it('a file that is not a model', async () => {
    writeFileSync(path.join(dataDir, 'models/tiny.gguf'), 'HTML');
    create();
    expect(await ask('git com')).toMatchObject({
      problem: {
        code: 'inference_unavailable',
        message: expect.stringContaining('not a GGUF file') as string,
      },
    });
  });

  it('a crash of native code costs one answer', async () => {
    create();
    const first = await pidOf('git com');
    expect(await ask('crash')).toMatchObject({
      problem: { code: 'inference_unavailable', message: expect.stringContaining('SIGSEGV') as string },
    });
    const second = await pidOf('git com');
    expect(second).toBeGreaterThan(0);
    expect(second).not.toBe(first);
  });

  it('reports an error in the middle of an answer', async () => {
    create();
    expect(await ask('throw')).toMatchObject({ problem: { message: 'no room left in the context' } });
  });

  it('abandons a question that nobody waits for, without delaying the next', async () => {
    create();
    const pid = await pidOf('git com');
    const controller = new AbortController();
    const slow = ask('slow', controller.signal);
    controller.abort();
    expect(await slow).toMatchObject({ ok: false });
    expect(await pidOf('git com')).toBe(pid);
  });

  it('frees its memory when idle, and when closed', async () => {
    create({}, 200);
    const first = await pidOf('git com');
    await expect.poll(() => isAlive(first)).toBe(false);
    const second = await pidOf('git com');
    expect(second).not.toBe(first);
    model?.close();
    await expect.poll(() => isAlive(second)).toBe(false);
  });
});

it.each([
  ['linux', 'x64', 'linux-x64'],
  ['darwin', 'arm64', 'mac-arm64-metal'],
  ['linux', 'riscv64', null],
])('the binary of %s %s is %s', (platform, arch, name) => {
  expect(runtimeBinary(platform, arch)).toBe(name);
});
