import { hash } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buffersOf, projectFolder, toolContext } from '../../../test/helpers/agent-tools.ts';
import { searchOutputSchema, searchProject } from './search-project.ts';
import type { ToolContext } from './tool.ts';

let project: ReturnType<typeof projectFolder>;
let outside: ReturnType<typeof projectFolder>;

beforeAll(() => {
  outside = projectFolder({ 'secret.md': 'needle outside\n' });
  project = projectFolder({
    'notes/a.md': 'one\r\ntwo Needle\r\nthree\r\n',
    'notes/b.md': Array.from({ length: 40 }, (_, i) => (i % 10 === 5 ? 'needle\n' : `line ${i}\n`)).join(''),
    'notes/new\nline.md': 'needle in a strange name\n',
    'notes/latin.md': Buffer.from('needle caf\xe9\n', 'latin1'),
    'notes/long.md': `needle ${'x'.repeat(5_000_000)}\n`,
    'picture.bin': Buffer.from('needle\0\0\0needle\n', 'latin1'),
    '.git/config': 'needle\n',
    '.jj/x': 'needle\n',
    '.DS_Store': 'needle\n',
    '.github/w.yml': 'needle\n',
    '.env': 'KEY=needle\n',
    '.env.example': 'KEY=needle\n',
    '.gitignore': 'ignored/\n',
    'ignored/x.md': 'needle\n',
    'regex.md': 'a.c\nabc\n-e\n',
  });
  mkdirSync(path.join(project.root, 'sub'));
  symlinkSync(path.join(outside.root, 'secret.md'), path.join(project.root, 'sub/link.md'));
  symlinkSync(outside.root, path.join(project.root, 'out'));
});
afterAll(() => {
  project.remove();
  outside.remove();
});

async function search(given: Record<string, unknown>, changes: Partial<ToolContext> = {}) {
  const outcome = await searchProject.run(
    searchProject.input.parse(given),
    toolContext(project.root, changes),
  );
  if (!outcome.ok) throw new Error(outcome.error.message);
  searchOutputSchema.parse(outcome.value.output);
  return outcome.value;
}

const pathsOf = (found: Awaited<ReturnType<typeof search>>) => [
  ...new Set(found.output.results.map((result) => result.file_path)),
];

test('searches where a person would, and nowhere else', async () => {
  expect(pathsOf(await search({ query: 'needle', limit: 50 }))).toEqual([
    '.env.example',
    '.github/w.yml',
    'notes/a.md',
    'notes/b.md',
    'notes/long.md',
    'notes/new\nline.md',
  ]);
});

test('finds files that git ignores if the setting says so, but never .git', async () => {
  const paths = pathsOf(await search({ query: 'needle', limit: 50 }, { skipIgnored: false }));
  expect(paths).toContain('ignored/x.md');
  expect(paths.filter((name) => name.startsWith('.git/'))).toEqual([]);
  expect(pathsOf(await search({ query: 'needle', glob: 'ignored/**' }))).toEqual([]);
});

test('a place has the exact hash of its lines, line ends included', async () => {
  const found = await search({ query: 'Needle', glob: 'notes/a.md' });
  const bytes = 'one\r\ntwo Needle\r\nthree\r\n';
  expect(found.output).toEqual({
    results: [
      {
        file_path: 'notes/a.md',
        start_line: 1,
        end_line: 3,
        snippet: 'one\ntwo Needle\nthree',
        hash: `sha256:${hash('sha256', bytes, 'hex')}`,
      },
    ],
    total_matches: 1,
    matching_files: 1,
  });
  expect(found.shown[0]?.lines.join('')).toBe(bytes);
  expect(found.blocks[0]).toContain('2→two Needle');
});

test('a cut line has no hash and was not shown', async () => {
  const found = await search({ query: 'needle', glob: '**/long.md' });
  expect(found.output.results[0]?.hash).toBeNull();
  expect(found.output.results[0]?.snippet.length).toBeLessThan(600);
  expect(found.shown).toEqual([]);
});

test.each([
  { limit: undefined, expected: 4 },
  { limit: 2, expected: 2 },
  { limit: 10_000, expected: 4 },
])('limit $limit shows $expected places of b.md', async ({ limit, expected }) => {
  const found = await search({ query: 'needle', glob: 'notes/b.md', ...(limit ? { limit } : {}) });
  expect(found.output.results).toHaveLength(expected);
  expect(found.output.total_matches).toBe(4);
});

test('the limit applies, whatever the model asks for', async () => {
  const limits = { ...toolContext('/').limits, max_search_results_cap: 3 };
  expect((await search({ query: 'needle', limit: 50 }, { limits })).output.results).toHaveLength(3);
});

test.each([
  { given: { query: 'a.c' }, line: 1, matches: 1 },
  { given: { query: '^a.c$', regex: true }, line: 1, matches: 2 },
  { given: { query: '-e' }, line: 1, matches: 1 },
])('$given finds $matches', async ({ given, matches }) => {
  expect((await search({ ...given, glob: 'regex.md' })).output.total_matches).toBe(matches);
});

test('explains a broken pattern', async () => {
  const outcome = await searchProject.run(
    searchProject.input.parse({ query: '(', regex: true }),
    toolContext(project.root),
  );
  expect(outcome).toMatchObject({ ok: false, error: { code: 'invalid' } });
});

test.each(['a\nb', '', 'x'.repeat(1001)])('refuses the query %j', (query) => {
  expect(searchProject.input.safeParse({ query }).success).toBe(false);
});

test('searches open buffers, not their files on disk', async () => {
  const buffers = buffersOf({
    'notes/a.md': 'nothing here\n',
    'notes/b.md': null,
    'notes/fresh.md': 'x\na needle in a buffer\n',
    'notes/.env': 'needle\n',
  });
  const found = await search({ query: 'needle', glob: 'notes/*' }, { buffers });
  expect(pathsOf(found)).toEqual(['notes/fresh.md', 'notes/long.md', 'notes/new\nline.md']);
  expect(found.output.results[0]).toMatchObject({ start_line: 1, end_line: 2 });
});

test('a flood of matches gives the same places each time', async () => {
  const flood = projectFolder(
    Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [`f${String(i).padStart(3, '0')}.md`, 'x\n'.repeat(150)]),
    ),
  );
  try {
    const run = async () => {
      const given = searchProject.input.parse({ query: 'x', limit: 5 });
      const outcome = await searchProject.run(given, toolContext(flood.root));
      return outcome.ok ? outcome.value.output : null;
    };
    const first = await run();
    expect(first?.total_matches).toBeNull();
    expect(first?.results.map((result) => result.file_path)).toEqual([
      'f000.md',
      'f001.md',
      'f002.md',
      'f003.md',
      'f004.md',
    ]);
    expect(await run()).toEqual(first);
  } finally {
    flood.remove();
  }
});

test.each([
  { lines: 199, total: 199 },
  { lines: 200, total: null },
])('of $lines matches in one file, $total are counted', async ({ lines, total }) => {
  writeFileSync(path.join(project.root, 'counted.txt'), 'countme\n'.repeat(lines));
  expect((await search({ query: 'countme' })).output.total_matches).toBe(total);
});

test('stops when the job is cancelled', async () => {
  await expect(search({ query: 'needle' }, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
});

test('needs no PATH: ripgrep is included', async () => {
  const elsewhere = { ...process.env, PATH: '/nowhere' };
  writeFileSync(path.join(project.root, 'z.md'), 'zebra\n');
  expect(pathsOf(await search({ query: 'zebra' }, { env: elsewhere }))).toEqual(['z.md']);
});

test('reports a missing project, not "nothing found"', async () => {
  const given = searchProject.input.parse({ query: 'needle' });
  const outcome = await searchProject.run(given, toolContext(path.join(project.root, 'no-such-folder')));
  expect(outcome).toMatchObject({ ok: false });
});
