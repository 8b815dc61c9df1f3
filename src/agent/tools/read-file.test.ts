import { hash } from 'node:crypto';
import { linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buffersOf, projectFolder, toolContext } from '../../../test/helpers/agent-tools.ts';
import { fail, ok } from '../../lib/result.ts';
import { run as runProgram } from '../../platform/run.ts';
import { readFile, readOutputSchema } from './read-file.ts';
import type { FileMapPort, ToolContext } from './tool.ts';

let project: ReturnType<typeof projectFolder>;
let outside: ReturnType<typeof projectFolder>;
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join('');

beforeAll(async () => {
  outside = projectFolder({ 'secret.md': 'outside\n' });
  project = projectFolder({
    'a.md': '\ufeffone\r\ntwo\r\nthree',
    'empty.md': '',
    'many.md': numbered(1_000),
    'wide.md': `${'日'.repeat(40_000)}\nend\n`,
    'latin.md': Buffer.from('caf\xe9\n', 'latin1'),
    'late.bin': Buffer.concat([Buffer.from('text\n'), Buffer.from([0]), Buffer.from('\n')]),
    '.env': 'KEY=1\n',
    '.env.example': 'KEY=\n',
    'keys/server.pem': 'x\n',
    '.git/hooks/pre-commit': 'x\n',
    'quote"\'$(touch pwned).md': 'strange\n',
    'notes/b.md': 'b\n',
  });
  const at = (name: string) => path.join(project.root, name);
  symlinkSync(path.join(outside.root, 'secret.md'), at('link-out.md'));
  symlinkSync(outside.root, at('folder-out'));
  symlinkSync('a.md', at('link-in.md'));
  symlinkSync('.git/hooks/pre-commit', at('link-git.md'));
  symlinkSync('loop.md', at('loop.md'));
  symlinkSync('.env', at('harmless.md'));
  await runProgram('mkfifo', [at('fifo')]);
  linkSync(at('many.md'), at('hard.md'));
  mkdirSync(at('folder'));
});
afterAll(() => {
  project.remove();
  outside.remove();
});

function read(given: Record<string, unknown>, changes: Partial<ToolContext> = {}) {
  return readFile.run(readFile.input.parse(given), toolContext(project.root, changes));
}

async function readWell(given: Record<string, unknown>, changes: Partial<ToolContext> = {}) {
  const outcome = await read(given, changes);
  if (!outcome.ok) throw new Error(outcome.error.message);
  readOutputSchema.parse(outcome.value.output);
  return outcome.value;
}

test('returns the exact text, its hash, and numbered lines for the model', async () => {
  const { output, blocks, shown } = await readWell({ file_path: 'a.md' });
  const text = '\ufeffone\r\ntwo\r\nthree';
  expect(output).toEqual({
    file_path: 'a.md',
    content: text,
    start_line: 1,
    end_line: 3,
    total_lines: 3,
    hash: `sha256:${hash('sha256', text, 'hex')}`,
    notice: null,
  });
  expect(blocks).toEqual(['<file path="a.md" lines="1-3" line_ends="CRLF">\n1→one\n2→two\n3→three\n</file>']);
  expect(shown).toMatchObject([{ filePath: 'a.md', startLine: 1, totalLines: 3 }]);
});

test.each([
  { given: { start_line: 2, end_line: 2 }, content: 'two\r\n', end: 2 },
  { given: { start_line: 2, end_line: 99 }, content: 'two\r\nthree', end: 3 },
  { given: { start_line: 3 }, content: 'three', end: 3 },
])('$given', async ({ given, content, end }) => {
  const { output } = await readWell({ file_path: 'a.md', ...given });
  expect(output).toMatchObject({ content, end_line: end, total_lines: 3, notice: null });
});

test('an empty file is an answer', async () => {
  const { output } = await readWell({ file_path: 'empty.md' });
  expect(output).toMatchObject({ content: '', start_line: 1, end_line: 0, total_lines: 0, notice: null });
});

test.each([
  { given: {}, last: 800, of: '1,000' },
  { given: { end_line: 900 }, last: 800, of: '1,000' },
  { given: { max_bytes: 100 }, last: 13, of: '1,000' },
])('is cut once, with one notice: $given', async ({ given, last, of }) => {
  const { output, blocks } = await readWell({ file_path: 'many.md', ...given });
  const notice = `[Showing lines 1-${last} of ${of}. Read on with start_line ${last + 1}.]`;
  expect(output).toMatchObject({ end_line: last, notice });
  expect(blocks).toHaveLength(1);
  expect(blocks[0]?.split('[Showing')).toHaveLength(2);
});

test.each([
  { bound: 'max_read_lines_default', value: 1_000, notice: false },
  { bound: 'max_read_lines_default', value: 999, notice: true },
  { bound: 'max_read_bytes_default', value: numbered(1_000).length, notice: false },
  { bound: 'max_read_bytes_default', value: numbered(1_000).length - 1, notice: true },
])('$bound = $value', async ({ bound, value, notice }) => {
  const limits = { ...toolContext('/').limits, max_read_lines_default: 5_000, [bound]: value };
  const { output } = await readWell({ file_path: 'many.md' }, { limits });
  expect(output.notice !== null).toBe(notice);
});

test('a line longer than the limit shows its beginning, only complete characters, and no hash', async () => {
  const { output, shown } = await readWell({ file_path: 'wide.md' });
  expect(output.content).toBe('日'.repeat(Math.floor(65_536 / 3)));
  expect(output.hash).toBeNull();
  expect(shown).toEqual([]);
  expect(output.notice).toContain('too long');
});

test.each([
  ['latin.md', 'refused', 'not UTF-8'],
  ['late.bin', 'refused', 'binary'],
  ['.env', 'refused', 'secrets'],
  ['harmless.md', 'refused', 'secrets'],
  ['keys/server.pem', 'refused', 'secrets'],
  ['../x', 'refused', 'leaves the project'],
  ['notes/../../x', 'refused', 'leaves the project'],
  ['/etc/passwd', 'refused', 'leaves the project'],
  ['link-out.md', 'refused', 'off limits'],
  ['folder-out/secret.md', 'refused', 'off limits'],
  ['folder-out/not-there.md', 'refused', 'off limits'],
  ['link-git.md', 'refused', 'off limits'],
  ['.git/hooks/pre-commit', 'refused', 'version control'],
  ['.GIT/config', 'refused', 'version control'],
  ['a\0.md', 'refused', 'NUL'],
  ['loop.md', 'refused', 'cannot be reached'],
  ['fifo', 'refused', 'not a regular file'],
  ['folder', 'refused', 'is a folder'],
  ['.', 'refused', 'folder'],
  ['missing.md', 'not_found', 'no file'],
  ['a.md/b', 'not_found', 'no file'],
])('%j is %s: %s', async (file_path, code, words) => {
  const outcome = await read({ file_path });
  expect(outcome).toMatchObject({ ok: false, error: { code } });
  expect(outcome.ok ? '' : outcome.error.message).toContain(words);
});

test('a start after the end reports how long the file is', async () => {
  const outcome = await read({ file_path: 'a.md', start_line: 4 });
  expect(outcome).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect(outcome.ok ? '' : outcome.error.message).toContain('only 3 lines');
});

test('a link inside the project is read under the name of its target', async () => {
  expect((await readWell({ file_path: 'link-in.md' })).output.file_path).toBe('a.md');
  expect((await readWell({ file_path: path.join(project.root, 'notes/./b.md') })).output.file_path).toBe(
    'notes/b.md',
  );
  expect((await readWell({ file_path: '.env.example' })).output.content).toBe('KEY=\n');
});

test('shell syntax in a name is just a name', async () => {
  expect((await readWell({ file_path: 'quote"\'$(touch pwned).md' })).output.content).toBe('strange\n');
});

test('reads a working buffer, not the disk', async () => {
  const buffers = buffersOf({ 'a.md': 'buffer\n', 'notes/b.md': null, 'notes/new.md': 'new\n' });
  expect((await readWell({ file_path: 'a.md' }, { buffers })).output.content).toBe('buffer\n');
  expect((await readWell({ file_path: 'notes/new.md' }, { buffers })).output.content).toBe('new\n');
  expect(await read({ file_path: 'notes/b.md' }, { buffers })).toMatchObject({ ok: false });
});

test('distinguishes another version of a file', async () => {
  const before = await readWell({ file_path: 'notes/b.md' });
  writeFileSync(path.join(project.root, 'notes/b.md'), 'changed\n');
  const after = await readWell({ file_path: 'notes/b.md' });
  expect(after.shown[0]?.version).not.toBe(before.shown[0]?.version);
});

test('the map is the second block of a cut read, as large as allowed, and of no other', async () => {
  const asked: number[] = [];
  const maps: FileMapPort = {
    outline: async (file, maxBytes) => {
      asked.push(maxBytes);
      return ok({
        text: `map of ${file.relativePath}`,
        filePath: file.relativePath,
        symbolCount: 1,
        totalLines: 1_000,
        language: 'markdown',
      });
    },
  };
  const cut = await readWell({ file_path: 'many.md' }, { maps, mapMaxBytes: 777 });
  expect(cut.blocks).toHaveLength(2);
  expect(cut.blocks[1]).toBe('map of many.md');
  expect(asked).toEqual([777]);
  expect((await readWell({ file_path: 'a.md' }, { maps })).blocks).toHaveLength(1);
  expect((await readWell({ file_path: 'many.md' }, { maps, mapMaxBytes: 0 })).blocks).toHaveLength(1);
  const buffers = buffersOf({ 'many.md': numbered(900) });
  expect((await readWell({ file_path: 'many.md' }, { maps, buffers })).blocks).toHaveLength(1);
});

test('a cut read says why its map is missing', async () => {
  const maps: FileMapPort = { outline: async () => fail('internal', 'The parser did not start.') };
  const cut = await readWell({ file_path: 'many.md' }, { maps });
  expect(cut.blocks[1]).toBe('[No outline: The parser did not start.]');
  expect(cut.map).toBeUndefined();
});

test('reads a huge sparse file with little memory and time', async () => {
  const file = path.join(project.root, 'huge.md');
  writeFileSync(file, numbered(10));
  truncateSync(file, 3 * 1024 ** 3);
  const { output } = await readWell({ file_path: 'huge.md', end_line: 2 });
  expect(output).toMatchObject({ content: 'line 1\nline 2\n', total_lines: null });
});
