/** Odd files of every language: each is mapped quickly, and keeps the symbol in its middle. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inFull } from '../../test/helpers/full-run.ts';
import type { FileSymbol } from '../protocol/file-map.ts';
import { Grammars } from './grammars.ts';
import { mapFile } from './map-file.ts';

/** A function or class called `wanted`, and the start and end of a block. */
const LANGUAGES: Readonly<Record<string, readonly [wanted: string, open: string, close: string]>> = {
  ts: ['export function wanted(a: string): void {\n  run();\n}', 'if (x) {', '}'],
  js: ['function wanted(a) {\n  run();\n}', 'if (x) {', '}'],
  py: ['def wanted(a):\n    return 1', 'if x:', ''],
  go: ['func wanted(a int) int {\n\treturn 1\n}', 'type T struct {', '}'],
  rs: ['fn wanted(a: u8) -> u8 {\n    1\n}', 'mod m {', '}'],
  c: ['int wanted(int a) {\n  return 1;\n}', 'struct s {', '};'],
  cpp: ['int wanted(int a) {\n  return 1;\n}', 'namespace n {', '}'],
  java: ['class wanted {\n  void run() {}\n}', 'class A {', '}'],
  kt: ['fun wanted(a: Int): Int {\n  return 1\n}', 'class A {', '}'],
  cs: ['class wanted {\n  void Run() {}\n}', 'namespace N {', '}'],
  rb: ['def wanted(a)\n  1\nend', 'module M', 'end'],
  php: ['function wanted($a) {\n  return 1;\n}', 'if ($x) {', '}'],
  lua: ['function wanted(a)\n  return 1\nend', 'local t = {', '}'],
  sh: ['wanted() {\n  echo 1\n}', '{', '}'],
};

const ODD: Readonly<Record<string, (wanted: string, open: string, close: string) => string>> = {
  'a byte order mark': (wanted) => `\uFEFF${wanted}\n`,
  CRLF: (wanted) => `\n${wanted}\n`.replaceAll('\n', '\r\n'),
  'no last line end': (wanted) => `\n\n${wanted}`,
  'blocks inside of blocks': (wanted, open, close) =>
    `${wanted}\n${`${open}\n`.repeat(400)}${`${close}\n`.repeat(400)}`,
  'a block that is never closed': (wanted, open) => `${wanted}\n\n${open}\n`,
  'ends that end nothing': (wanted, _, close) => `${wanted}\n${`${close}\n`.repeat(20)}`,
  'marks of a merge': (wanted) => `<<<<<<< HEAD\n=======\n>>>>>>> other\n\n${wanted}\n`,
  'a line without end': (wanted) => `${wanted}\n\n${'x '.repeat(inFull(20_000, 100_000))}\n`,
  'brackets without end': (wanted) => `${wanted}\n\n${'([{<'.repeat(2_000)}\n`,
  'other scripts': (wanted) => `${wanted}\n\n日本語 = "🦊 é\u0301";\n`,
};

/** Processor time: elapsed time would depend on other processes. */
const MAP_MAX_CPU_MS = 10_000;
let folder = '';
const grammars = new Grammars();
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'copane-odd-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const names = (symbols: readonly FileSymbol[]): string[] =>
  symbols.flatMap(({ name, children = [] }) => [name, ...names(children)]);

const cases = Object.keys(LANGUAGES).flatMap((language) =>
  Object.keys(ODD).map((odd) => [language, odd] as const),
);

test.each(cases)('%s: %s', async (language, odd) => {
  const parts = LANGUAGES[language];
  const make = ODD[odd];
  if (parts === undefined || make === undefined) throw new Error('no such case');
  const head = language === 'php' ? '<?php\n' : '';
  const file = path.join(folder, `odd.${language}`);
  writeFileSync(file, head + make(...parts));
  const start = process.cpuUsage();
  const map = await mapFile(file, grammars);
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1000).toBeLessThan(MAP_MAX_CPU_MS);
  expect(map.ok ? names(map.value.symbols) : map.error.message).toContain('wanted');
});
