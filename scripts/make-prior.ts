/**
 * Makes the shipped prior from a checkout of tldr-pages: the literal starts of its examples, one per line, sorted. Run
 * by hand to update it: `node scripts/make-prior.ts CHECKOUT`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const [checkout] = process.argv.slice(2);
if (checkout === undefined) throw new Error('usage: make-prior.ts CHECKOUT');
const OUT = path.resolve(import.meta.dirname, '../src/completion/prior/tldr.txt');
const FOLDERS = ['pages/common', 'pages/linux'];
const MAX_LINE_CHARS = 80;

/** `{{[-C|--directory]}}` offers two spellings: people type the short one. */
function chooseSpelling(example: string): string {
  return example.replace(/\{\{\[([^|\]{}]+)\|[^\]{}]+\]\}\}/g, '$1');
}

/** The example up to its first placeholder or shell expansion. */
function literalStart(example: string): string {
  const [start = ''] = chooseSpelling(example).split('{{');
  const whole = start.length === chooseSpelling(example).length;
  // A word that runs into the placeholder is incomplete.
  const words = (whole ? start : start.replace(/\S+$/, '')).trim();
  return /["'`$\\<>|;&(){}]/.test(words) ? words.replace(/\s*\S*["'`$\\<>|;&(){}].*$/, '') : words;
}

const lines = new Set<string>();
for (const folder of FOLDERS) {
  for (const file of readdirSync(path.join(checkout, folder))) {
    const text = readFileSync(path.join(checkout, folder, file), 'utf8');
    for (const [, example] of text.matchAll(/^`(.+)`$/gm)) {
      const start = literalStart(example ?? '').trim();
      if (start.includes(' ') && start.length <= MAX_LINE_CHARS && !/[^\x20-\x7e]/.test(start))
        lines.add(start);
    }
  }
}
const sorted = [...lines].sort((a, b) => (a < b ? -1 : 1));
writeFileSync(OUT, `${sorted.join('\n')}\n`);
console.log(`${sorted.length} lines`);
