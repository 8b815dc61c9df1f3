/** Whatever a path leads to, reading it ends at once, with its bytes or with the reason. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRegular, readHeadOf, readRegular, readRegularSync, streamRegular } from './regular-file.ts';

const GIB = 1024 ** 3;
let folder = '';
const at = (name: string) => path.join(folder, name);
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'copane-regular-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const READERS = [
  ['readRegular', (file: string, maxBytes: number) => readRegular(file, { maxBytes })],
  ['readRegularSync', async (file: string, maxBytes: number) => readRegularSync(file, { maxBytes })],
  ['streamRegular', async (file: string, maxBytes: number) => buffer(streamRegular(file, { maxBytes }))],
] as const;

const codeOf = (reading: Promise<unknown>) =>
  reading.then(
    () => 'was read',
    (thrown: NodeJS.ErrnoException) => thrown.code,
  );

describe.each(READERS)('%s', (_, read) => {
  it('returns the bytes of a file up to its bound', async () => {
    writeFileSync(at('f'), 'twelve bytes');
    expect(String(await read(at('f'), 12))).toBe('twelve bytes');
    expect(await codeOf(read(at('f'), 11))).toBe('EFBIG');
    writeFileSync(at('empty'), '');
    expect(await read(at('empty'), 0)).toHaveLength(0);
    symlinkSync('f', at('link'));
    expect(String(await read(at('link'), 12))).toBe('twelve bytes');
  });

  it('refuses anything but a regular file, without waiting for it', async () => {
    execFileSync('mkfifo', [at('fifo')]);
    mkdirSync(at('folder'));
    symlinkSync('loop', at('loop'));
    symlinkSync('fifo', at('link-to-fifo'));
    const server = net.createServer();
    await new Promise<void>((resolve) => server.listen(at('socket'), resolve));
    expect(await codeOf(read(at('fifo'), GIB))).toBe('ENOTREG');
    expect(await codeOf(read(at('link-to-fifo'), GIB))).toBe('ENOTREG');
    expect(await codeOf(read(at('socket'), GIB))).toBe('ENOTREG');
    expect(await codeOf(read('/dev/zero', GIB))).toBe('ENOTREG');
    expect(await codeOf(read('/dev/tty', GIB))).toMatch(/ENOTREG|ENXIO/);
    expect(await codeOf(read(at('folder'), GIB))).toBe('EISDIR');
    expect(await codeOf(read(at('loop'), GIB))).toBe('ELOOP');
    expect(await codeOf(read(at('missing'), GIB))).toBe('ENOENT');
    expect(await codeOf(read(at('fifo/x'), GIB))).toBe('ENOTDIR');
    server.close();
  });

  it('allocates nothing for a file that is too large', async () => {
    writeFileSync(at('sparse'), '');
    truncateSync(at('sparse'), 100 * GIB);
    const before = process.memoryUsage().rss;
    expect(await codeOf(read(at('sparse'), GIB))).toBe('EFBIG');
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });

  it.skipIf(process.getuid?.() === 0)('reports a missing permission', async () => {
    writeFileSync(at('secret'), 'x');
    chmodSync(at('secret'), 0);
    expect(await codeOf(read(at('secret'), GIB))).toBe('EACCES');
  });
});

it('reads a kernel file, which has no size, up to the bound', async () => {
  expect(String(await readRegular('/proc/self/status', { maxBytes: GIB }))).toContain('VmRSS');
  expect(String(readRegularSync('/proc/self/status', { maxBytes: GIB }))).toContain('VmRSS');
  expect(await codeOf(readRegular('/proc/self/status', { maxBytes: 10 }))).toBe('EFBIG');
});

it('finishes reading a file that never stops growing', async () => {
  writeFileSync(at('log'), 'x'.repeat(1_000_000));
  const seen: number[] = [];
  for await (const piece of streamRegular(at('log'), { maxBytes: GIB })) {
    seen.push(piece.length);
    appendFileSync(at('log'), 'y'.repeat(1_000_000));
  }
  expect(seen.reduce((sum, length) => sum + length, 0)).toBe(1_000_000);
});

it('refuses a link if asked to, and reads only the beginning if asked to', async () => {
  writeFileSync(at('f'), 'twelve bytes');
  symlinkSync('f', at('link'));
  expect(await codeOf(openRegular(at('link'), { noLink: true }))).toBe('ELOOP');
  expect(String(await readHeadOf(at('f'), 6))).toBe('twelve');
  expect(String(await readHeadOf(at('f'), 600))).toBe('twelve bytes');
});
