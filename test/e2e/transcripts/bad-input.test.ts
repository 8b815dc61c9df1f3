/** Damaged session files: named in the problems, never a crash, the rest is still read. */
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import zlib from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../../src/platform/run.ts';
import type { CliId } from '../../../src/protocol/cli-id.ts';
import type { TranscriptReader, TranscriptRef } from '../../../src/responses/transcripts/port.ts';
import { createTranscriptReaders } from '../../../src/responses/transcripts/registry.ts';
import { claudeLines } from '../../helpers/claude-session.ts';
import { testProgram } from '../../helpers/product.ts';
import { removeTree } from '../../helpers/remove-tree.ts';

const READERS = createTranscriptReaders({ isAlive: () => false });
/** How much memory reading any file may add, far below the size of the large ones here. */
const MAX_GROWTH_MB = 120;

let scratch = '';
let count = 0;
beforeAll(() => {
  scratch = mkdtempSync(path.join(os.tmpdir(), 'copane-bad-'));
});
afterAll(() => removeTree(scratch));

function readerOf(cli: CliId): TranscriptReader {
  const reader = READERS.get(cli);
  if (reader === undefined) throw new Error(`no reader for ${cli}`);
  return reader;
}

function fresh(content: string | Uint8Array, extension = '.jsonl'): string {
  count += 1;
  const file = path.join(scratch, `${count}${extension}`);
  writeFileSync(file, content);
  return file;
}

function refTo(file: string, cli: CliId = 'claude'): TranscriptRef {
  return { cli, path: file, sessionId: 'x', tie: 'folder', modifiedAt: 0 };
}

const GOOD = claudeLines({ firstTurn: 0, turns: 3, resultCharacters: 10 });
const [, ...LATER] = GOOD.split('\n');
const FIRST = GOOD.split('\n', 1)[0] ?? '';

/** A damaged file; the turns that must remain; the expected problems. */
const SPOILED: [string, string | Buffer, number, RegExp | null][] = [
  ['nothing wrong', GOOD, 3, null],
  ['an empty file', '', 0, null],
  ['a corrupt line', `${FIRST}\n{"type":"user","uuid":\n${LATER.join('\n')}`, 3, /not JSON/],
  [
    'binary garbage',
    Buffer.concat([
      Buffer.from(`${FIRST}\n`),
      Buffer.from([0, 255, 254, 10, 128, 0, 10]),
      Buffer.from(LATER.join('\n')),
    ]),
    3,
    /not JSON/,
  ],
  ['nothing but garbage', Buffer.alloc(300_000, 0xff), 0, null],
  ['a block of zeros, as a crash leaves it', `${GOOD}${'\0'.repeat(4096)}\n`, 3, /not JSON/],
  [
    'unknown record types',
    `{"type":"hologram","uuid":"h"}\n${GOOD}{"type":"hologram"}\n`,
    3,
    /unknown record type "hologram" \(2×\)/,
  ],
  ['records that are not objects', `[1]\n"x"\nnull\n7\n${GOOD}`, 3, /unknown record type/],
  [
    'a record as deep as JSON goes',
    `${'['.repeat(50_000)}${']'.repeat(50_000)}\n${GOOD}`,
    3,
    /unknown record type|not JSON/,
  ],
  ['a half-written last line', `${GOOD}{"type":"user","uu`, 3, null],
  ['a byte order mark', `\ufeff${GOOD}`, 3, /not JSON/],
  ['line ends of another system', GOOD.replaceAll('\n', '\r\n'), 3, null],
];

describe('a damaged session file', () => {
  it.each(SPOILED)('%s', async (_name, content, turns, problem) => {
    const session = readerOf('claude').open(refTo(fresh(content)));
    const snapshot = await session.read({ turns: 10 });
    expect(snapshot?.turns.length).toBe(turns);
    if (turns > 0) expect(snapshot?.turns.at(-1)?.response).toBe('answer 2');
    if (problem === null) expect(snapshot?.problems).toEqual([]);
    else expect(snapshot?.problems.join('\n')).toMatch(problem);
  });

  it.each([...READERS.keys()])('garbage of any kind does not stop the reader of %s', async (cli) => {
    for (const [, content] of SPOILED) {
      const extension = cli === 'opencode' ? '.db' : cli === 'gemini' && count % 2 === 0 ? '.json' : '.jsonl';
      const session = readerOf(cli).open(refTo(fresh(content, extension), cli));
      const snapshot = await session.read({ turns: 10 });
      expect(snapshot === null ? session.failure() : 'read').toBeTruthy();
    }
  });

  it('keeps the order of the file if the clock went backwards', async () => {
    const lines = GOOD.trimEnd().split('\n');
    const stamps = lines.map((line) => (JSON.parse(line) as { timestamp: string }).timestamp).reverse();
    const backwards = lines.map((line, index) =>
      JSON.stringify({ ...(JSON.parse(line) as object), timestamp: stamps[index] }),
    );
    const snapshot = await readerOf('claude')
      .open(refTo(fresh(backwards.join('\n'))))
      .read({ turns: 10 });
    expect(snapshot?.turns.map((turn) => turn.prompt)).toEqual(['prompt 0', 'prompt 1', 'prompt 2']);
  });
});

/** What replaces the file; each must give a reason. */
const ABSENT: [string, (file: string) => void][] = [
  ['deleted', () => undefined],
  ['a folder', (file) => mkdirSync(file)],
  ['a link to nowhere', (file) => symlinkSync('/nonexistent/target', file)],
  ['a link to itself', (file) => symlinkSync(file, file)],
];

describe('a missing session file', () => {
  describe.each([...READERS.keys()])('%s', (cli) => {
    it.each(ABSENT)('%s: null and a reason, so that the screen takes over', async (_name, replace) => {
      const file = fresh('', cli === 'opencode' ? '.db' : '.jsonl');
      unlinkSync(file);
      replace(file);
      const session = readerOf(cli).open(refTo(file, cli));
      expect(await session.read()).toBeNull();
      expect(session.failure()).toMatch(/\w/);
    });
  });

  it('is read again when it returns', async () => {
    const file = fresh(GOOD);
    const session = readerOf('claude').open(refTo(file));
    expect((await session.read())?.turns.length).toBe(3);
    unlinkSync(file);
    expect(await session.read()).toBeNull();
    writeFileSync(file, claudeLines({ firstTurn: 0, turns: 1, resultCharacters: 1 }));
    expect((await session.read())?.turns.length).toBe(1);
    expect(session.failure()).toBeNull();
  });

  it('survives being cut and deleted while it is read repeatedly', async () => {
    const file = fresh(claudeLines({ firstTurn: 0, turns: 2_000, resultCharacters: 2_000 }));
    const session = readerOf('claude').open(refTo(file));
    const readings = Array.from({ length: 20 }, () => session.read({ turns: 400 }));
    truncateSync(file, 100_000);
    readings.push(session.read({ turns: 400 }));
    unlinkSync(file);
    readings.push(session.read());
    const snapshots = await Promise.all(readings);
    expect(snapshots.at(-1)).toBeNull();
  });
});

interface Probe {
  readonly grewMb: number;
  readonly turns: number;
  readonly last: string;
  readonly complete: boolean;
  readonly problems: readonly string[];
}

async function probe(file: string, turns: number): Promise<Probe> {
  const script = testProgram('transcript-probe');
  const outcome = await run(process.execPath, [script, file, String(turns)], { timeoutMs: 60_000 });
  expect(outcome.stderr).toBe('');
  return JSON.parse(outcome.stdout.toString()) as Probe;
}

describe('a large session file', () => {
  const LONG_LINE_BYTES = 200 * 1024 * 1024;

  /** Two turns with a line of 200 MB at `place`. */
  function withLongLine(place: 'first' | 'middle' | 'last' | 'unfinished'): string {
    const file = fresh('');
    const descriptor = openSync(file, 'w');
    const long = () => {
      writeSync(descriptor, '{"type":"user","uuid":"long","message":{"content":"');
      const chunk = Buffer.alloc(8 * 1024 * 1024, 0x78);
      for (let bytes = 0; bytes < LONG_LINE_BYTES; bytes += chunk.length) writeSync(descriptor, chunk);
      if (place !== 'unfinished') writeSync(descriptor, '"}}\n');
    };
    if (place === 'first') long();
    writeSync(descriptor, claudeLines({ firstTurn: 0, turns: 1, resultCharacters: 10 }));
    if (place === 'middle') long();
    writeSync(descriptor, claudeLines({ firstTurn: 1, turns: 1, resultCharacters: 10 }));
    if (place === 'last' || place === 'unfinished') long();
    closeSync(descriptor);
    return file;
  }

  it.each(['first', 'middle', 'last', 'unfinished'] as const)(
    'a line of 200 MB (%s) is left out in bounded memory',
    async (place) => {
      const file = withLongLine(place);
      const got = await probe(file, 10);
      rmSync(file);
      expect(got).toMatchObject({ turns: 2, last: 'answer 1', complete: true });
      // The first line is never reached: the chain of turns starts after it. The unfinished one may still complete.
      const isMet = place === 'middle' || place === 'last';
      expect(got.problems).toEqual(isMet ? ['a line is too long to read and was left out'] : []);
      expect(got.grewMb).toBeLessThan(MAX_GROWTH_MB);
    },
  );

  it('opens the last turn without reading the rest, and reads back on demand', async () => {
    const file = fresh('');
    const descriptor = openSync(file, 'w');
    for (let block = 0; block < 20; block += 1) {
      writeSync(descriptor, claudeLines({ firstTurn: block * 100, turns: 100, resultCharacters: 30_000 }));
    }
    closeSync(descriptor);
    const last = await probe(file, 1);
    expect(last).toMatchObject({ last: 'answer 1999', complete: false, problems: [] });
    expect(last.turns).toBeLessThan(60);
    const more = await probe(file, 400);
    expect(more.turns).toBeGreaterThanOrEqual(400);
    const all = await probe(file, 10_000);
    // The limit on turns: the newest ones, and a note that older ones exist.
    expect(all).toMatchObject({ turns: 500, complete: false });
    expect(all.grewMb).toBeLessThan(MAX_GROWTH_MB);
    rmSync(file);
  });
});

describe('a compressed session', () => {
  const lines = ['one', 'two'].flatMap((prompt) => [
    { type: 'event_msg', payload: { type: 'user_message', message: prompt } },
    {
      type: 'response_item',
      payload: {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: `to ${prompt}` }],
      },
    },
  ]);
  const text = lines.map((line) => JSON.stringify(line)).join('\n');

  it('is decompressed', async () => {
    const file = fresh(zlib.zstdCompressSync(Buffer.from(`${text}\n`)), '.jsonl.zst');
    const session = readerOf('codex').open(refTo(file, 'codex'));
    const snapshot = await session.read();
    expect(snapshot?.turns.map((turn) => turn.response)).toEqual(['to one', 'to two']);
    expect(snapshot?.complete).toBe(true);
    expect(await session.read()).toBe(snapshot);
  });

  it('that is truncated or invalid gives a reason', async () => {
    const packed = zlib.zstdCompressSync(Buffer.from(text));
    for (const content of [packed.subarray(0, packed.length - 9), Buffer.from('not packed')]) {
      const session = readerOf('codex').open(refTo(fresh(content, '.jsonl.zst'), 'codex'));
      expect(await session.read()).toBeNull();
      expect(session.failure()).toMatch(/\w/);
    }
  });
});

it('a document being rewritten keeps its old content until it is complete', async () => {
  const document = (text: string) =>
    JSON.stringify(
      {
        sessionId: 's',
        messages: [
          { id: 'u', type: 'user', content: 'one' },
          { id: 'a', type: 'gemini', content: text },
        ],
      },
      null,
      2,
    );
  const file = fresh(document('first'), '.json');
  const session = readerOf('gemini').open(refTo(file, 'gemini'));
  const first = await session.read();
  writeFileSync(file, document('second and longer').slice(0, -20));
  expect(await session.read()).toBe(first);
  writeFileSync(file, document('second and longer'));
  expect((await session.read())?.turns[0]?.response).toBe('second and longer');
  appendFileSync(file, '\n');
  expect((await session.read())?.turns[0]?.response).toBe('second and longer');
  expect(readFileSync(file, 'utf8').endsWith('\n')).toBe(true);
});
