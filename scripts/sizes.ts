/** Reports the longest files and functions of `src/`: it shows where rooms fill up, and is not a gate. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const FILE_LINES = 400;
const FUNCTION_LINES = 60;

interface Row {
  readonly lines: number;
  readonly place: string;
}

function sources(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => path.join(dir, name));
}

/** Top-level functions by indentation: the formatter guarantees that one begins and ends in the first column. */
function functionsOf(file: string, text: string): Row[] {
  const lines = text.split('\n');
  const rows: Row[] = [];
  lines.forEach((line, start) => {
    const name =
      /^(?:export )?(?:default )?(?:async )?function\*? (\w+)/.exec(line)?.[1] ??
      /^ {2}(?:async )?(#?\w+)\((?!\{$).*\{$/.exec(line)?.[1];
    if (name === undefined) return;
    const close = line.startsWith('  ') ? '  }' : '}';
    const length = lines.slice(start).indexOf(close) + 1;
    if (length > FUNCTION_LINES) rows.push({ lines: length, place: `${file}:${start + 1} ${name}` });
  });
  return rows;
}

const files: Row[] = [];
const functions: Row[] = [];
for (const file of sources(path.join(root, 'src'))) {
  const text = readFileSync(file, 'utf8');
  const name = path.relative(root, file);
  files.push({ lines: text.split('\n').length - 1, place: name });
  functions.push(...functionsOf(name, text));
}

function print(title: string, rows: readonly Row[]): void {
  console.log(title);
  for (const { lines, place } of [...rows].sort((a, b) => b.lines - a.lines))
    console.log(`${String(lines).padStart(6)}  ${place}`);
}

const total = files.reduce((sum, { lines }) => sum + lines, 0);
console.log(
  `${files.length} files, ${total} lines, ${Math.round(total / Math.max(1, files.length))} on average`,
);
print(
  `files over ${FILE_LINES} lines:`,
  files.filter(({ lines }) => lines > FILE_LINES),
);
print(`functions over ${FUNCTION_LINES} lines:`, functions);
