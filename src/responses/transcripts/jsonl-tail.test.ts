import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inFull } from '../../../test/helpers/full-run.ts';
import { removeTree } from '../../../test/helpers/remove-tree.ts';
import type { Line } from '../../lib/line-splitter.ts';
import { JsonlTail, MAX_GROWTH_BYTES, type TailStep } from './jsonl-tail.ts';

const MAKE_PIPE = 'mkfifo';
const SEED = 20_260_102;

let folder = '';
let count = 0;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'copane-tail-'));
});
afterAll(() => removeTree(folder));

function fresh(content: string | Uint8Array): string {
  count += 1;
  const file = path.join(folder, `${count}.jsonl`);
  writeFileSync(file, content);
  return file;
}

function texts(lines: readonly Line[]): string[] {
  return lines.map((line) => (line.kind === 'line' ? line.text : `<${line.bytes}>`));
}

function linesOf(step: TailStep): string[] {
  return step.kind === 'grown' || step.kind === 'restarted' ? texts(step.lines) : [];
}

/** Everything in the file, by one poll and as many steps back as needed. */
async function readAll(tail: JsonlTail): Promise<string[]> {
  let all = linesOf(await tail.poll());
  while (tail.canReachBack) all = [...texts((await tail.back()) ?? []), ...all];
  return all;
}

describe('JsonlTail', () => {
  it.each(['', '\n', '\nlast\n'])(
    'gives up searching the start of a line in a sparse file of 100 GB that ends with %j',
    async (end) => {
      const file = fresh('first\n');
      truncateSync(file, 100_000_000_000);
      appendFileSync(file, end);
      const tail = new JsonlTail(file);
      const expected = end.startsWith('\n') ? ['<100000000000>'] : [];
      expect(await readAll(tail)).toEqual([...expected, ...end.split('\n').filter((text) => text !== '')]);
      expect(tail.complete).toBe(true);
      appendFileSync(file, '\nnew\n');
      expect(linesOf(await tail.poll()).at(-1)).toBe('new');
    },
  );

  it('returns every line once, whatever the stretch', async () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replaceAll('\n', ' '));
    await fc.assert(
      fc.asyncProperty(
        fc.array(line),
        fc.integer({ min: 1, max: 64 }),
        fc.boolean(),
        async (lines, stretch, ends) => {
          const file = fresh(lines.join('\n') + (ends && lines.length > 0 ? '\n' : ''));
          const tail = new JsonlTail(file, { firstStretchBytes: stretch });
          const whole = (ends ? lines : lines.slice(0, -1)).filter((text) => text !== '');
          expect(await readAll(tail)).toEqual(whole);
          expect(tail.pendingText() ?? '').toBe(ends ? '' : (lines.at(-1) ?? ''));
          expect(tail.complete).toBe(true);
        },
      ),
      { seed: SEED, numRuns: inFull(50, 150) },
    );
  });

  it('returns appended text, wherever a write ends', async () => {
    const text = 'first\nzweite ü\n三番目\n';
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 30 }), { maxLength: 6 }), async (cuts) => {
        const bytes = Buffer.from(text);
        const edges = [...new Set(cuts.map((cut) => cut % bytes.length)), bytes.length].sort((a, b) => a - b);
        const file = fresh('');
        const tail = new JsonlTail(file);
        const got = linesOf(await tail.poll());
        let from = 0;
        for (const edge of edges) {
          appendFileSync(file, bytes.subarray(from, edge));
          from = edge;
          got.push(...linesOf(await tail.poll()));
        }
        expect(got).toEqual(['first', 'zweite ü', '三番目']);
      }),
      { seed: SEED, numRuns: inFull(20, 60) },
    );
  });

  it('reads nothing while nothing changed, and then only the new bytes', async () => {
    const file = fresh('a\nb\n');
    const tail = new JsonlTail(file);
    expect((await tail.poll()).kind).toBe('restarted');
    expect(await tail.poll()).toEqual({ kind: 'unchanged' });
    appendFileSync(file, 'c\n');
    expect(await tail.poll()).toEqual({ kind: 'grown', lines: [{ kind: 'line', text: 'c' }] });
  });

  const changes: [string, (file: string) => void, string[]][] = [
    ['truncated', (file) => truncateSync(file, 2), ['a']],
    [
      'truncated and written longer',
      (file) => writeFileSync(file, 'other\nlines\nof\nmore\n'),
      ['other', 'lines', 'of', 'more'],
    ],
    ['emptied', (file) => truncateSync(file, 0), []],
    [
      'replaced by another file',
      (file) => {
        writeFileSync(`${file}.new`, 'a\nb\nc\nd\n');
        renameSync(`${file}.new`, file);
      },
      ['a', 'b', 'c', 'd'],
    ],
  ];
  it.each(changes)('restarts with a file that was %s', async (_name, change, wanted) => {
    const file = fresh('a\nb\nc\n');
    const tail = new JsonlTail(file);
    await tail.poll();
    change(file);
    const step = await tail.poll();
    expect(step.kind).toBe('restarted');
    expect(linesOf(step)).toEqual(wanted);
  });

  it('returns no older lines of a replaced file', async () => {
    const file = fresh('a\nb\nc\nd\n');
    const tail = new JsonlTail(file, { firstStretchBytes: 2 });
    await tail.poll();
    expect(tail.canReachBack).toBe(true);
    writeFileSync(`${file}.new`, 'x\ny\n');
    renameSync(`${file}.new`, file);
    expect(await tail.back()).toBeNull();
  });

  const absences: [string, (file: string) => void][] = [
    ['deleted', unlinkSync],
    [
      'a folder',
      (file) => {
        unlinkSync(file);
        mkdirSync(file);
      },
    ],
    [
      'a pipe without a writer',
      (file) => {
        unlinkSync(file);
        execFileSync(MAKE_PIPE, [file]);
      },
    ],
    [
      'a link to itself',
      (file) => {
        unlinkSync(file);
        execFileSync('ln', ['-s', file, file]);
      },
    ],
  ];
  it.each(absences)(
    'a file that is %s is unavailable, with a reason, and may come back',
    async (_name, change) => {
      const file = fresh('a\n');
      const tail = new JsonlTail(file);
      await tail.poll();
      change(file);
      const step = await tail.poll();
      expect(step.kind).toBe('unavailable');
      expect(step.kind === 'unavailable' && step.reason).toContain(file);
      removeTree(file);
      writeFileSync(file, 'back\n');
      expect(linesOf(await tail.poll())).toEqual(['back']);
    },
  );

  it.each([1, 7, 4096])(
    'reports a line beyond the limit and reads the others (stretch %i)',
    async (stretch) => {
      const file = fresh(`a\n${'x'.repeat(16)}\nb\n${'y'.repeat(17)}\nc\n`);
      const tail = new JsonlTail(file, { maxLineBytes: 16, firstStretchBytes: stretch });
      expect(await readAll(tail)).toEqual(['a', 'x'.repeat(16), 'b', '<17>', 'c']);
    },
  );

  it.each([1, 7, 4096])('reports a first and a last line beyond the limit (stretch %i)', async (stretch) => {
    const file = fresh(`${'x'.repeat(40)}\nb\n${'y'.repeat(40)}`);
    const tail = new JsonlTail(file, { maxLineBytes: 16, firstStretchBytes: stretch });
    expect(await readAll(tail)).toEqual(['<40>', 'b']);
    expect(tail.pendingText()).toBeNull();
    appendFileSync(file, 'y\nz\n');
    expect(linesOf(await tail.poll())).toEqual(['<41>', 'z']);
  });

  it('restarts at the end of a file that grew by more than the limit', async () => {
    const file = fresh('a\n');
    const tail = new JsonlTail(file);
    await tail.poll();
    const line = `${'x'.repeat(1023)}\n`;
    appendFileSync(file, line.repeat(MAX_GROWTH_BYTES / 1024 + 1));
    const step = await tail.poll();
    expect(step.kind).toBe('restarted');
    expect(tail.complete).toBe(false);
  });

  it('never writes to the file and leaves it closed', async () => {
    const file = fresh('a\nb');
    const tail = new JsonlTail(file);
    await tail.poll();
    const open = execFileSync('sh', ['-c', `ls -l /proc/${process.pid}/fd 2>/dev/null || true`]).toString();
    expect(open).not.toContain(file);
  });
});
