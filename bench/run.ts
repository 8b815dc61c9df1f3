/**
 * `npm run bench [-- NAME …]`: runs every suite of this folder, or those named, on the packed and installed copane;
 * prints one table and keeps the run.
 * `npm run bench -- compare COMMIT COMMIT` compares the kept runs of two commits.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { plainNode, setUp } from '../test/set-up.ts';
import {
  type BenchSuite,
  formatGrowth,
  formatMeasured,
  type Measured,
  measure,
  TABLE_HEAD,
} from './harness.ts';
import { type KeptRow, keepRun, keptRow, printComparison, RESULTS_FILE } from './results.ts';

const wanted = process.argv.slice(2);
if (wanted[0] === 'compare') process.exit(printComparison(wanted.slice(1)));

const files = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.bench.ts'))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
  .sort();

const tearDown = await setUp(plainNode);
const kept: KeptRow[] = [];
try {
  console.log(TABLE_HEAD);
  for (const file of files) {
    const { suite } = (await import(path.join(import.meta.dirname, file))) as { suite: BenchSuite };
    const prepared = await suite.prepare();
    if ('skip' in prepared) {
      console.log(`| ${suite.name} | not measured: ${prepared.skip} | | | | | |`);
      continue;
    }
    const measured: Measured[] = [];
    try {
      for (const row of prepared.rows) {
        const one = await measure(row);
        console.log(formatMeasured(one));
        measured.push(one);
      }
      for (const line of formatGrowth(measured)) console.log(line);
    } finally {
      kept.push(...measured.map((one) => keptRow(suite.name, one)));
      await prepared.cleanup();
    }
  }
} finally {
  tearDown();
}
keepRun(kept);
console.error(`Kept in ${RESULTS_FILE}`);
