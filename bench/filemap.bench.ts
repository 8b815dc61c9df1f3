/** The cost of mapping a long file: code beside a full parse, a conversation beside reading its lines. */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { Grammars } from '../src/filemap/grammars.ts';
import { mapFile } from '../src/filemap/map-file.ts';
import { typescript } from '../src/filemap/mappers/typescript.ts';
import { readLines } from '../src/filemap/read-lines.ts';
import type { BenchSuite } from './harness.ts';

const CODE_BYTES = 10_000_000;
const RECORDS_BYTES = 1_000_000_000;

function makeCode(file: string): void {
  let text = '';
  for (let n = 0; text.length < CODE_BYTES; n++) {
    text += `/** Number ${n}. */\nexport class C${n} extends B {\n  private x = 1;\n  run(a: string): void {\n    if (a === "x") return;\n    console.log("{", a);\n  }\n}\n\n`;
  }
  writeFileSync(file, text);
}

function makeRecords(file: string): void {
  const prompt = {
    type: 'user',
    timestamp: '2026-01-02T03:04:05Z',
    message: { role: 'user', content: 'Why?' },
  };
  const answer = { type: 'assistant', message: { role: 'assistant', content: 'y'.repeat(20_000) } };
  const block = `${JSON.stringify(prompt)}\n${`${JSON.stringify(answer)}\n`.repeat(20)}`;
  const descriptor = openSync(file, 'w');
  for (let bytes = 0; bytes < RECORDS_BYTES; ) bytes += writeSync(descriptor, block);
  closeSync(descriptor);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export const suite: BenchSuite = {
  name: 'file maps',
  prepare: async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'copane-bench-'));
    const code = path.join(folder, 'code.ts');
    const records = path.join(folder, 'records.jsonl');
    makeCode(code);
    makeRecords(records);
    const grammars = new Grammars();
    const map = (file: string) =>
      timed(async () => {
        const mapped = await mapFile(file, grammars);
        if (!mapped.ok || mapped.value.symbols.length === 0) throw new Error(`${file} was not mapped`);
      });
    return {
      rows: [
        {
          name: 'map of 10 MB of TypeScript',
          peer: 'tree-sitter over all of it',
          target: 0.25,
          rounds: 3,
          ours: () => map(code),
          theirs: () =>
            timed(() =>
              grammars.outline(
                readFileSync(code, 'utf8'),
                typescript.grammar as NonNullable<typeof typescript.grammar>,
              ),
            ),
        },
        {
          name: 'map of a 1 GB conversation',
          peer: 'reading its lines',
          target: 1.5,
          rounds: 3,
          ours: () => map(records),
          theirs: () => timed(() => readLines(records, () => undefined)),
        },
      ],
      cleanup: async () => rmSync(folder, { recursive: true }),
    };
  },
};
