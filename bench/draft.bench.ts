/**
 * What a typed character costs when the leading companion saves the draft: the time on its thread from the changed
 * draft to the answer, and the bytes that reach the disk. At three sizes: it must not grow with the draft.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { connectHost } from '../src/app/client/connect.ts';
import { DraftClient } from '../src/app/responses/draft-client.ts';
import { lazy } from '../src/lib/lazy.ts';
import { copanePaths } from '../src/platform/paths.ts';
import type { Client } from '../src/protocol/client.ts';
import type { Draft } from '../src/protocol/draft.ts';
import type { BenchRow, BenchSuite } from './harness.ts';

const SIZES = [100, 1_000, 10_000];
const SAVES = 50;

function draftOf(count: number): Draft {
  const texts = Array.from(
    { length: count },
    (_, n) => `Line ${n} of an answer that is as long as such lines are.`,
  );
  const lines = texts.map((text, row) => {
    return { id: row + 1, text, tag: 'response' as const, changed: false, origin: { turnId: 't', row } };
  });
  return { lines, pulls: [{ turnId: 't', lines: texts }], nextLineId: count + 1 };
}

const typed = (draft: Draft, at: number): Draft => ({
  ...draft,
  lines: draft.lines.with(at, {
    ...(draft.lines[at] as Draft['lines'][number]),
    text: `${draft.lines[at]?.text}x`,
    changed: true,
  }),
});

/** Bytes that this process has written so far. */
function writtenBytes(): number {
  return Number(/wchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1] ?? 0);
}

interface Cost {
  readonly ms: number;
  readonly bytes: number;
}

/** A leading companion with a draft of this many lines. */
class Typist {
  readonly #drafts: DraftClient;
  readonly #key: { readonly project: string; readonly pane: string };
  #draft: Draft;
  #revision = 0;

  constructor(client: Client, lines: number) {
    this.#drafts = new DraftClient(client);
    this.#key = { project: '/p', pane: `%${lines}` };
    this.#draft = draftOf(lines);
  }

  async begin(): Promise<void> {
    const before = await this.#drafts.load(this.#key);
    if (!before.ok) throw new Error(before.error.message);
    await this.#save();
  }

  /** The mean cost of one save. */
  async cost(): Promise<Cost> {
    const [bytes, before] = [writtenBytes(), performance.now()];
    for (let n = 0; n < SAVES; n++) {
      this.#draft = typed(this.#draft, Math.floor(this.#draft.lines.length / 2));
      await this.#save();
    }
    return { ms: (performance.now() - before) / SAVES, bytes: (writtenBytes() - bytes) / SAVES };
  }

  async #save(): Promise<void> {
    const saved = await this.#drafts.save(this.#key, this.#draft, this.#revision);
    if (!saved.ok) throw new Error(saved.error.message);
    this.#revision = saved.value.revision;
  }
}

export const suite: BenchSuite = {
  name: 'saving a draft',
  prepare: async () => {
    if (process.platform !== 'linux') return { skip: '/proc is not here' };
    const home = mkdtempSync(path.join(os.tmpdir(), 'copane-bench-'));
    const connected = await connectHost({ paths: copanePaths({ HOME: home }), version: 'bench' });
    if (!connected.ok) return { skip: connected.error.message };
    const client = connected.value;
    const rows = SIZES.map((size): readonly BenchRow[] => {
      const typist = new Typist(client, size);
      const begun = lazy(() => typist.begin());
      const cost = async () => {
        await begun();
        return typist.cost();
      };
      const name = `save one character in ${size} lines`;
      const growth = { of: 'saving one character in a draft', size };
      return [
        {
          name,
          peer: 'what is allowed',
          target: 1,
          growth,
          ours: async () => (await cost()).ms,
          theirs: async () => 5,
        },
        {
          name,
          peer: 'what is allowed',
          target: 1,
          unit: 'bytes',
          growth,
          ours: async () => (await cost()).bytes,
          theirs: async () => 16 * 1024,
        },
      ];
    });
    return {
      rows: rows.flat(),
      cleanup: async () => {
        await client.close();
        rmSync(home, { recursive: true, force: true });
      },
    };
  },
};
