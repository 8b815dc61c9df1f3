/** The functions of this repository, changed as small models change them: each is placed exactly, or not at all. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { inFull } from '../../../test/helpers/full-run.ts';
import { placeSnippet } from './snippet.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const FILES_MAX = inFull(60, 1_000);

interface Language {
  readonly name: string;
  readonly folder: string;
  readonly file: RegExp;
  readonly header: RegExp;
  /** The start of a function's last line; null if only indentation ends it. */
  readonly close: string | null;
  /** Lines to leave out of the files. */
  readonly leaves?: RegExp;
  readonly wrap: readonly [head: string, end: string];
}

const LUA_HEADER = /^(\s*)(?:local )?function\b/;

const LANGUAGES: readonly Language[] = [
  {
    name: 'TypeScript',
    folder: 'src',
    file: /(?<!\.test)\.ts$/,
    header:
      /^(\s*)(?!if|for|while|switch|catch)(?:export |async |static )*(?:function\b|#?\w+\([^)]*\).*\{$)/,
    close: '}',
    wrap: ['if (isReady) {', '}'],
  },
  {
    name: 'Lua',
    folder: 'nvim',
    file: /\.lua$/,
    header: LUA_HEADER,
    close: 'end',
    wrap: ['if ready then', 'end'],
  },
  {
    name: 'Lua without its ends, so that indentation alone tells them',
    ...{ folder: 'nvim', file: /\.lua$/, header: LUA_HEADER, close: null },
    leaves: /^\s*end\b[\s,)]*$/,
    wrap: ['if ready:', ''],
  },
];

interface Taken {
  readonly lines: readonly string[];
  readonly start: number;
  readonly end: number;
}

const indentOf = (line: string): string => /^\s*/.exec(line)?.[0] ?? '';

/** Some hundred functions of 3 to 25 lines in files of the language. */
function functionsOf({ folder, file, header, close, leaves }: Language): readonly Taken[] {
  const names = readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => file.test(name) && !name.includes('node_modules')).sort();
  const step = Math.max(1, Math.floor(files.length / FILES_MAX));
  return files
    .filter((_, at) => at % step === 0)
    .flatMap((name) => {
      const lines = readFileSync(path.join(ROOT, folder, name), 'utf8')
        .trimEnd()
        .split('\n')
        .filter((line) => leaves?.test(line) !== true);
      return lines.flatMap((line, start) => {
        const indent = header.exec(line)?.[1];
        if (indent === undefined) return [];
        const rest = lines.slice(start + 1);
        const isOut = (one: string) => one.trim() !== '' && indentOf(one).length <= indent.length;
        const length =
          close === null ? rest.findIndex(isOut) : rest.findIndex((one) => one === indent + close) + 1;
        let end = start + 1 + (length === -1 ? rest.length : length);
        while (lines[end - 1]?.trim() === '') end -= 1;
        return end - start >= 3 && end - start <= 25 ? [{ lines, start, end }] : [];
      });
    });
}

/** A model's output, and the function and file that it is meant for; null if nothing may be placed. */
type Change = (lines: readonly string[], language: Language) => readonly string[];

const changes: Readonly<Record<string, Change>> = {
  'one line changed': (lines) =>
    lines.map((line, at) => (at === lines.length >> 1 ? line.replace(/\w+(?=\W*$)/, 'changedName') : line)),
  'a line added': ([head = '', ...rest]) => [head, `${indentOf(rest[0] ?? '')}check_first()`, ...rest],
  'its body wrapped': ([head = '', ...rest], { close, wrap }) => {
    const deeper = indentOf(rest[0] ?? '').slice(indentOf(head).length);
    const body = close === null ? rest : rest.slice(0, -1);
    const wrapped = body.map((line) => (line.trim() === '' ? line : deeper + line));
    const [open, end] = wrap.map((line) => indentOf(rest[0] ?? '') + line);
    return [head, open ?? '', ...wrapped, ...(close === null ? [] : [end ?? '', rest.at(-1) ?? ''])];
  },
  'written without its indent': ([head = '', ...rest]) => {
    const depth = indentOf(head).length;
    return [head.slice(depth), ...rest.map((line) => line.slice(depth)), ''];
  },
};

/** Whether the piece is placed correctly. */
function outcome({ lines, start, end }: Taken, snippet: readonly string[], meant: readonly string[] | null) {
  const place = placeSnippet(lines, snippet);
  if (place === null) return 'refused';
  const got = [...lines.slice(0, place.start), ...place.newText.split('\n'), ...lines.slice(place.end)];
  const want = meant === null ? null : [...lines.slice(0, start), ...meant, ...lines.slice(end)];
  return want !== null && got.join('\n') === want.join('\n') ? 'right' : 'wrong';
}

const CASES = LANGUAGES.map((language) => [language.name, language, functionsOf(language)] as const);

test.each(CASES)('a changed function in %s is placed correctly or not at all', (_, language, functions) => {
  expect(functions.length).toBeGreaterThan(5);
  for (const [name, change] of Object.entries(changes)) {
    const counts = { right: 0, refused: 0, wrong: 0 };
    for (const taken of functions) {
      const here = taken.lines.slice(taken.start, taken.end);
      const snippet = change(here, language);
      const meant = name.includes('indent') ? here : snippet;
      counts[outcome(taken, snippet, meant)] += 1;
    }
    expect(counts.wrong, name).toBe(0);
    expect(counts.right, `${name}: ${JSON.stringify(counts)}`).toBeGreaterThan(functions.length / 2);
  }
});

test.each(CASES)('a renamed function in %s, and one of two, is not placed', (_, __, functions) => {
  for (const taken of functions) {
    const { lines, start, end } = taken;
    const [head = '', ...rest] = lines.slice(start, end);
    const snippet = [head, '  added()', ...rest];
    const renamed = [head.replace(/[\w#]+(?=\()/, 'anotherName'), ...rest];
    if (renamed[0] !== head) expect(outcome(taken, renamed, null)).toBe('refused');
    const twice = { ...taken, lines: [...lines, '', ...lines.slice(start, end)] };
    expect(outcome(twice, snippet, null)).toBe('refused');
  }
});

test.each(CASES)('the first half of a function in %s leaves the rest unchanged', (_, __, functions) => {
  const counts = { right: 0, refused: 0, wrong: 0 };
  for (const taken of functions) {
    const [head = '', ...rest] = taken.lines.slice(taken.start, taken.end);
    const meant = [head, `${indentOf(rest[0] ?? '')}check_first()`, ...rest];
    counts[outcome(taken, meant.slice(0, meant.length >> 1), meant)] += 1;
  }
  expect(counts).toMatchObject({ wrong: 0 });
  expect(counts.right).toBeGreaterThan(functions.length / 3);
});

test.each(CASES)('a function in %s without its middle is not placed', (_, __, functions) => {
  for (const taken of functions) {
    const here = taken.lines.slice(taken.start, taken.end);
    const hasMiddle = here.slice(2, -2).some((line) => /\w/.test(line));
    if (hasMiddle) expect(outcome(taken, [...here.slice(0, 2), ...here.slice(-2)], null)).toBe('refused');
  }
});
