import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FileMap, FileSymbol } from '../protocol/file-map.ts';
import { symbolLines } from './core/render-map.ts';
import { Grammars } from './grammars.ts';
import { languageOf } from './languages.ts';
import { MAX_PARSED_BYTES, mapFile } from './map-file.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../../test/fixtures/file-maps');
const SAMPLES = readdirSync(FIXTURES).filter((name) => !name.endsWith('.map'));
const grammars = new Grammars();

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'copane-map-'));
});
afterAll(() => rmSync(dir, { recursive: true }));

function write(name: string, content: string | Uint8Array): string {
  const file = path.join(dir, name);
  writeFileSync(file, content);
  return file;
}

async function mapped(file: string): Promise<FileMap> {
  const result = await mapFile(file, grammars);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

const hasScan = (name: string) => languageOf({ name, firstLine: '' })?.scan !== undefined;

function names(symbols: readonly FileSymbol[]): readonly string[] {
  return symbols.flatMap(({ name, children }) => [name, ...names(children ?? [])]);
}

function text({ imports, notes, symbols }: Pick<FileMap, 'imports' | 'notes' | 'symbols'>): string {
  return [`imports: ${imports.join(', ')}`, ...notes, ...symbolLines(symbols, 'full'), ''].join('\n');
}

describe('each language', () => {
  it.each(SAMPLES)('maps %s, and finds no symbols in strings and comments', async (name) => {
    const map = await mapped(path.join(FIXTURES, name));
    expect(names(map.symbols).filter((symbol) => /^(no\d*|## no|# no)$/.test(symbol))).toEqual([]);
    await expect(text(map)).toMatchFileSnapshot(path.join(FIXTURES, `${name}.map`));
  });

  it.each(SAMPLES.filter(hasScan))('scans the lines of %s if it cannot be parsed', async (name) => {
    const source = readFileSync(path.join(FIXTURES, name), 'utf8');
    const language = languageOf({ name, firstLine: source.split('\n', 1)[0] ?? '' });
    const scanner = language?.scan?.();
    const lines = source.replace(/\n$/, '').split('\n');
    for (const [index, line] of lines.entries()) scanner?.push(line, index + 1);
    const outline = scanner?.end(lines.length) ?? { symbols: [], imports: [], notes: [] };
    expect(names(outline.symbols).filter((symbol) => /^(no\d*|# no)$/.test(symbol))).toEqual([]);
    await expect(text(outline)).toMatchFileSnapshot(path.join(FIXTURES, `${name}.lines.map`));
  });

  it('recognizes a language by its whole file name and by its interpreter', () => {
    const of = (name: string, firstLine = '') => languageOf({ name, firstLine })?.name;
    expect(of('Dockerfile.dev')).toBe('Dockerfile');
    expect(of('GNUmakefile')).toBe('Makefile');
    expect(of('run', '#!/usr/bin/env python3')).toBe('Python');
    expect(of('run', '#!/bin/sh -e')).toBe('Shell');
    expect(of('run', 'python3')).toBeUndefined();
    expect(of('A.TSX')).toBe('TSX');
  });
});

it('counts UTF-16 units and lines, whatever the characters are', async () => {
  const file = write(
    'cjk.ts',
    '// 漢字 😀\nexport function 名前(a: "😀") {\n}\nconst s = "漢字";\nfunction b() {}\n',
  );
  expect(symbolLines((await mapped(file)).symbols, 'full')).toEqual([
    'export function 名前(a: "😀"): [2-3] — 漢字 😀',
    'const s: [4]',
    'function b(): [5]',
  ]);
});

it('maps the readable parts of broken code, and says that it is broken', async () => {
  const map = await mapped(write('broken.ts', 'function a() {}\nclass {{{ ]]\nfunction b() {\n'));
  expect(names(map.symbols)).toContain('a');
  expect(map.notes[0]).toContain('syntax errors');
});

it('scans the lines of code that is too large to parse', async () => {
  const body = '  return 1;\n'.repeat(1000);
  const file = write('large.ts', '');
  for (let n = 0; n * body.length <= MAX_PARSED_BYTES; n++)
    appendFileSync(file, `export function f${n}() {\n${body}}\n`);
  const map = await mapped(file);
  expect(map.notes).toEqual(['outline from the lines alone: the file is too large to parse']);
  expect(map.symbols.slice(0, 2).map(({ name, startLine, endLine }) => [name, startLine, endLine])).toEqual([
    ['f0', 1, 1002],
    ['f1', 1003, 2004],
  ]);
});

it('handles lines of any length, and bytes that are not UTF-8', async () => {
  const file = write('long.jsonl', `{"type":"a","x":"${'y'.repeat(5_000_000)}"}\n`);
  appendFileSync(file, Buffer.from([0xff, 0xfe, 0x0a]));
  appendFileSync(file, '{"type":"b"}');
  const map = await mapped(file);
  expect(map.totalLines).toBe(3);
  expect(names(map.symbols)).toEqual(['a', 'b']);
});

it.each([
  ['an empty file', '', 0],
  ['no last line feed', 'a\nb', 2],
  ['CRLF', 'a\r\nb\r\n', 2],
])('counts the lines of %s', async (_, content, lines) => {
  expect((await mapped(write('count.txt', content))).totalLines).toBe(lines);
  expect((await mapped(write('count.ts', content))).totalLines).toBe(lines);
});

describe('refuses with a message', () => {
  it.each([
    ['a missing file', () => path.join(dir, 'missing.ts'), 'not_found', 'There is no file'],
    ['a folder', () => dir, 'invalid', 'is not a file'],
    ['a binary', () => write('x.ts', new Uint8Array([0x7f, 0x45, 0, 1])), 'invalid', 'is binary'],
    ['a path through a file', () => `${write('f', '')}/x.ts`, 'not_found', 'There is no file'],
  ])('%s', async (_, make, code, message) => {
    const result = await mapFile(make(), grammars);
    expect(result.ok ? null : result.error.code).toBe(code);
    expect(result.ok ? '' : result.error.message).toContain(message);
  });

  it.skipIf(process.getuid?.() === 0)('a file that may not be read', async () => {
    const file = write('secret.ts', 'x');
    chmodSync(file, 0);
    const result = await mapFile(file, grammars);
    expect(result.ok ? '' : result.error.message).toContain('permission denied');
  });
});
