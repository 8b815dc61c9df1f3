import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claudeLines } from '../../../test/helpers/claude-session.ts';
import { removeTree } from '../../../test/helpers/remove-tree.ts';
import type { ClaudeRecord } from './claude-records.ts';
import { claudeDialect } from './claude-turns.ts';
import { type Dialect, JsonlSession } from './jsonl-session.ts';
import { JsonlTail } from './jsonl-tail.ts';
import type { Gap } from './tool-facts.ts';

let folder = '';
let count = 0;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'copane-session-'));
});
afterAll(() => removeTree(folder));

interface Opened {
  readonly file: string;
  readonly session: JsonlSession<ClaudeRecord>;
  /** How many records each reading processed. */
  readonly sizes: number[];
}

function open(content: string, firstStretchBytes?: number): Opened {
  count += 1;
  const file = path.join(folder, `${count}.jsonl`);
  writeFileSync(file, content);
  const sizes: number[] = [];
  const dialect: Dialect<ClaudeRecord> = {
    ...claudeDialect,
    read: (records: readonly (ClaudeRecord | Gap)[], complete) => {
      sizes.push(records.length);
      return claudeDialect.read(records, complete);
    },
  };
  const ref = { cli: 'claude', path: file, sessionId: 's', tie: 'folder', modifiedAt: 0 } as const;
  const limits = firstStretchBytes === undefined ? {} : { firstStretchBytes };
  return { file, session: new JsonlSession(ref, dialect, new JsonlTail(file, limits)), sizes };
}

function lines(firstTurn: number, turns: number): string {
  return claudeLines({ firstTurn, turns, resultCharacters: 1 });
}

describe('JsonlSession', () => {
  it('returns the same object while nothing changed, also for concurrent reads', async () => {
    const { session, file } = open(lines(0, 2));
    const [first, second] = await Promise.all([session.read(), session.read()]);
    expect(second).toBe(first);
    appendFileSync(file, lines(2, 1));
    const third = await session.read();
    expect(third).not.toBe(first);
    expect(third?.turns).toHaveLength(3);
  });

  it('reads back as far as asked and no further', async () => {
    const { session } = open(lines(0, 200), 2_000);
    const one = await session.read();
    expect(one?.turns.at(-1)?.prompt).toBe('prompt 199');
    expect(one?.turns.length).toBeLessThan(20);
    expect(one?.complete).toBe(false);
    const fifty = await session.read({ turns: 50 });
    expect(fifty?.turns.length).toBeGreaterThanOrEqual(50);
    expect(fifty?.turns.length).toBeLessThan(200);
    const all = await session.read({ turns: 200 });
    expect(all?.turns.map((turn) => turn.prompt)).toEqual(
      Array.from({ length: 200 }, (_, turn) => `prompt ${turn}`),
    );
    expect(all?.complete).toBe(true);
  });

  it('holds as many turns as requested, for every number', async () => {
    const { session } = open(lines(0, 60), 300);
    for (let turns = 1; turns <= 60; turns += 1) {
      expect((await session.read({ turns }))?.turns.length).toBeGreaterThanOrEqual(turns);
    }
  });

  it('counts a last line without its line end once', async () => {
    const { session, file } = open(lines(0, 1).trimEnd());
    expect((await session.read())?.turns[0]?.response).toBe('answer 0');
    appendFileSync(file, '\n');
    expect((await session.read())?.turns[0]?.response).toBe('answer 0');
  });

  it('processes only the newest records when a long session grows', async () => {
    const { session, file, sizes } = open(lines(0, 600));
    await session.read({ turns: 500 });
    expect(sizes).toEqual([2_400]);
    appendFileSync(file, lines(600, 1));
    const snapshot = await session.read({ turns: 500 });
    expect(sizes.at(-1)).toBeLessThan(50);
    const fresh = await open(lines(0, 601)).session.read({ turns: 500 });
    expect(snapshot).toEqual(fresh);
  });

  it('processes all records when a long session was rewound', async () => {
    const { session, file, sizes } = open(lines(0, 600));
    await session.read({ turns: 500 });
    const row = { type: 'user', uuid: 'again', parentUuid: 'a99', message: { content: 'again' } };
    appendFileSync(file, `${JSON.stringify(row)}\n`);
    const snapshot = await session.read({ turns: 500 });
    expect(sizes.at(-1)).toBe(2_401);
    expect(snapshot?.turns).toHaveLength(101);
    expect(snapshot?.turns.at(-1)?.prompt).toBe('again');
    appendFileSync(
      file,
      lines(99, 1).replaceAll('99"', '99b"').replace('"parentUuid":"a98"', '"parentUuid":"again"'),
    );
    expect((await session.read({ turns: 500 }))?.turns).toHaveLength(102);
  });
});
