/** `npm run bench [-- NAME …]`: every suite of this folder, or those named; prints one table. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { type BenchSuite, formatMeasured, measure, TABLE_HEAD } from './harness.ts';

const wanted = process.argv.slice(2);
const files = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.bench.ts'))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
  .sort();

console.log(TABLE_HEAD);
for (const file of files) {
  const { suite } = (await import(path.join(import.meta.dirname, file))) as { suite: BenchSuite };
  const prepared = await suite.prepare();
  if ('skip' in prepared) {
    console.log(`| ${suite.name} | not measured: ${prepared.skip} | | | | | |`);
    continue;
  }
  try {
    for (const row of prepared.rows) console.log(formatMeasured(await measure(row)));
  } finally {
    await prepared.cleanup();
  }
}
