/**
 * `npm run bench:maps -- FOLDER …`: how many of the names that Universal Ctags finds are in the file maps, by language,
 * over repositories on this machine (folders, or bare git directories as `NAME/repo`). Prints the table of
 * docs/map-recall.md. `--missing` lists what was not found. Keeps nothing from the repositories.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Grammars } from '../src/filemap/grammars.ts';
import { mapFile } from '../src/filemap/map-file.ts';
import type { FileSymbol } from '../src/protocol/file-map.ts';
import { treeRanges } from './tree-ranges.ts';

/** What ctags calls a declaration that a reader looks for: not members, locals or parameters. */
const KINDS: Readonly<Record<string, string>> = {
  C: 'function struct union enum typedef',
  'C++': 'function class struct union enum typedef namespace',
  'C#': 'class interface struct enum method namespace',
  Go: 'func type struct interface',
  Java: 'class interface enum method annotation',
  JavaScript: 'function class method generator',
  TypeScript: 'function class interface enum method namespace alias generator',
  Kotlin: 'class interface object method typealias',
  Lua: 'function',
  PHP: 'class interface trait function',
  Python: 'class function member',
  Ruby: 'class module method singletonMethod',
  Rust: 'function struct enum interface typedef method module macro',
  Sh: 'function',
};

/** Larger files are mapped line by line, in another way; nobody reads vendored and generated text. */
const FILE_MAX_BYTES = 300_000;
const FILES_MAX = 60;
const SKIPPED = /(?:^|\/)(?:node_modules|vendor|third_party|deps|dist|build|\.git)\/|[.-]min\.js$/;

interface Tag {
  readonly name: string;
  readonly line: number;
  readonly end?: number;
  readonly kind: string;
  readonly path: string;
  readonly language: string;
  readonly scopeKind?: string;
}

class Count {
  files = new Set<string>();
  tags = 0;
  found = 0;
  ranged = 0;
  rightRanges = 0;
  /** Compared with the tree, and where they begin and end right. */
  treed = 0;
  begins = 0;
  ends = 0;
  readonly repositories = new Set<string>();
}

function sourceOf(given: string): {
  readonly name: string;
  readonly folder: string;
  readonly remove: () => void;
} {
  const name = path.basename(given) === 'repo' ? path.basename(path.dirname(given)) : path.basename(given);
  const title = name.replace('+', '/');
  if (!existsSync(path.join(given, 'HEAD'))) return { name: title, folder: given, remove: () => undefined };
  const folder = mkdtempSync(path.join(os.tmpdir(), 'copane-recall-'));
  const git = (args: readonly string[], input = '') =>
    execFileSync('git', ['-C', given, ...args], { input, maxBuffer: 1 << 30 });
  const entries = git(['ls-tree', '-r', '-z', 'HEAD'])
    .toString('utf8')
    .split('\0')
    .flatMap((entry) => {
      const [, id, file] = /^100\d+ blob (\w+)\t([\s\S]+)$/.exec(entry) ?? [];
      return id !== undefined && file !== undefined && !SKIPPED.test(file) ? [{ id, file }] : [];
    });
  // Some snapshots lack their largest files.
  const checks = git(
    ['cat-file', '--batch-check=%(objectsize)'],
    entries.map(({ id }) => `${id}\n`).join(''),
  );
  const sizes = checks.toString('utf8').split('\n').map(Number);
  const wanted = entries.filter((_, at) => (sizes[at] ?? Number.NaN) <= FILE_MAX_BYTES);
  const blobs = git(['cat-file', '--batch'], wanted.map(({ id }) => `${id}\n`).join(''));
  let at = 0;
  for (const { file } of wanted) {
    const start = blobs.indexOf('\n', at) + 1;
    const end = start + Number(blobs.subarray(at, start).toString('latin1').split(' ')[2]);
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), blobs.subarray(start, end));
    at = end + 1;
  }
  return { name: title, folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function tagsOf(folder: string): Tag[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => !SKIPPED.test(file))
    .filter((file) => {
      const stats = statSync(path.join(folder, file), { throwIfNoEntry: false });
      return stats?.isFile() === true && stats.size <= FILE_MAX_BYTES;
    });
  const output = execFileSync(
    'ctags',
    [
      '--options=NONE',
      '--output-format=json',
      '--fields=+nels',
      '--sort=no',
      `--languages=${Object.keys(KINDS).join()}`,
      '-o',
      '-',
      '-L',
      '-',
    ],
    { cwd: folder, input: files.join('\n'), maxBuffer: 1 << 30, stdio: ['pipe', 'pipe', 'ignore'] },
  );
  const tags = output
    .toString('utf8')
    .split('\n')
    .flatMap((line): Tag[] => (line.startsWith('{') ? [JSON.parse(line) as Tag] : []));
  const lines = new Map<string, readonly string[]>();
  const lineOf = ({ path: file, line }: Tag) => {
    const known = lines.get(file) ?? readFileSync(path.join(folder, file), 'utf8').split('\n');
    lines.set(file, known);
    return known[line - 1] ?? '';
  };
  return tags.filter((tag) => !isMistaken(tag, lineOf(tag)) && isWanted(tag));
}

/** Ctags wrongly takes these for declarations. */
function isMistaken({ language, kind, name, scopeKind }: Tag, line: string): boolean {
  // A type inside a function is as local as its variables.
  if ((kind === 'typedef' || kind === 'alias') && scopeKind === 'function') return true;
  switch (`${language} ${kind}`) {
    case 'JavaScript class':
      return !/\b(?:class|function)\b/.test(line);
    case 'TypeScript alias':
      return !/\btype\s+\w+\s*(?:<|=)/.test(line);
    case 'Kotlin method':
      return !/\bfun\b/.test(line);
    case 'Java method':
      // Enum constants with a body.
      return name === name.toUpperCase() && !/\bvoid\b|\w+\s+\w+\s*\(/.test(line);
    case 'Lua function':
      // A table field without a name; the second result of a call.
      return !/^[A-Za-z_]/.test(name) || !/\bfunction\b/.test(line) || /\bpcall\b|,\s*\w+\s*=/.test(line);
    case 'Sh function':
      // Awk inside a string; a list that something is appended to.
      return /\(\s*\w|\+?=\(/.test(line);
    case 'PHP class':
      return /^AnonymousClass/.test(name);
    default:
      return false;
  }
}

function isWanted({ kind, language, name }: Tag): boolean {
  return (
    KINDS[language]?.split(' ').includes(kind) === true &&
    !/^(?:__anon|anonymousFunction|AnonymousFunction|<lambda>)/.test(name)
  );
}

interface Flat {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

function flat(symbols: readonly FileSymbol[]): Flat[] {
  return symbols.flatMap(({ name, startLine: from, endLine: to, children = [] }) => [
    { name, from, to },
    ...flat(children),
  ]);
}

/** The last word of a name: maps say `exports.x` and `A::b`, ctags says `x` and `b`. */
const lastWord = (name: string) => {
  const plain = name.replace(/^["'`]|["'`]$/g, '').replace(/^.*\boperator\s*/, 'operator');
  return (
    plain
      .split(/[.:#\s]+/)
      .filter(Boolean)
      .at(-1) ?? name
  );
};

/** The map symbol of `tag`. In a map, a declaration includes the decorators and modifiers above it. */
function symbolOf(tag: Tag, symbols: readonly Flat[]): Flat | undefined {
  const wanted = lastWord(tag.name);
  return symbols.findLast(
    ({ name, from, to }) =>
      (lastWord(name) === wanted || name.includes(tag.name)) && from <= tag.line && tag.line <= to,
  );
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { missing: { type: 'boolean' } },
});
const grammars = new Grammars();
const counts = new Map<string, Count>();
for (const given of positionals) {
  if (!existsSync(given)) {
    console.error(`${given} is not here: left out`);
    continue;
  }
  const { name, folder, remove } = sourceOf(realpathSync(given));
  try {
    const byFile = Map.groupBy(tagsOf(folder), (tag) => tag.path);
    const seen = new Map<string, number>();
    for (const [file, tags] of byFile) {
      const language = tags[0]?.language ?? '';
      seen.set(language, (seen.get(language) ?? 0) + 1);
      if ((seen.get(language) ?? 0) > FILES_MAX) continue;
      const map = await mapFile(path.join(folder, file), grammars);
      const symbols = map.ok ? flat(map.value.symbols) : [];
      const inTree = await treeRanges(language, readFileSync(path.join(folder, file), 'utf8'));
      const count = counts.get(language) ?? new Count();
      counts.set(language, count);
      count.repositories.add(name);
      count.files.add(`${name}/${file}`);
      for (const tag of tags) {
        const symbol = symbolOf(tag, symbols);
        count.tags += 1;
        if (symbol === undefined) {
          if (values.missing)
            console.log(`${language}\t${name}/${file}:${tag.line}\t${tag.kind}\t${tag.name}`);
          continue;
        }
        count.found += 1;
        const right = inTree?.(tag, symbol);
        if (right) {
          count.treed += 1;
          if (right.begins) count.begins += 1;
          if (right.ends) count.ends += 1;
          if (values.missing && !(right.begins && right.ends))
            console.log(
              `${language}\t${name}/${file}:${tag.line}\t${tag.name}\tmap says ${symbol.from}-${symbol.to}, not so the tree`,
            );
        }
        if (tag.end === undefined) continue;
        count.ranged += 1;
        if (Math.abs(symbol.to - tag.end) <= 1) count.rightRanges += 1;
        else if (values.missing)
          console.log(
            `${language}\t${name}/${file}:${tag.line}-${tag.end}\tends at ${symbol.to}\t${tag.name}`,
          );
      }
    }
  } finally {
    remove();
  }
}

const percent = (part: number, whole: number) =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
console.log(
  '| language | repositories | files | ctags names | of these in the map | ends where ctags says |',
);
console.log('|---|---|---|---|---|---|');
const sorted = [...counts].sort();
for (const [language, { repositories, files, tags, found, ranged, rightRanges }] of sorted) {
  const where = [...repositories].sort().join(', ');
  console.log(
    `| ${language} | ${where} | ${files.size} | ${tags} | ${percent(found, tags)} | ${percent(rightRanges, ranged)} |`,
  );
}
console.log('\n| language | files | entries | begin where the tree says | end where the tree says |');
console.log('|---|---|---|---|---|');
for (const [language, { files, treed, begins, ends }] of sorted) {
  if (treed === 0) continue;
  console.log(
    `| ${language} | ${files.size} | ${treed} | ${percent(begins, treed)} | ${percent(ends, treed)} |`,
  );
}
