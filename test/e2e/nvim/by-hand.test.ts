/**
 * One file, edited by hand in Neovim while four other clients decide its hunks: by HTTP, by WebSocket, by commands and
 * by intents on the host's socket. In the end, buffer and file match a model of both, byte for byte.
 */
import type { ChildProcess } from 'node:child_process';
import http from 'node:http';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { connectHost } from '../../../src/app/client/connect.ts';
import type { HostConnection } from '../../../src/app/client/host-connection.ts';
import { copanePaths } from '../../../src/platform/paths.ts';
import { copaneEnv } from '../../helpers/companion-pane.ts';
import { rowsOf } from '../../helpers/full-run.ts';
import { readText } from '../../helpers/git-fixture.ts';
import { NEOVIMS, Neovim } from '../../helpers/neovim.ts';
import { ReviewDesk } from '../../helpers/review-desk.ts';
import { must } from '../../helpers/review-subject.ts';
import { serve } from '../../helpers/serve.ts';
import { until } from '../../helpers/until.ts';

const ROUNDS = 60;
const HUNKS = 12;
/** Lines from one hunk to the next. */
const SPACING = 14;
const HUNK_AT = 7;
const BUSY_MS = 60;

/** What replaces the lines of a hunk: fewer, as many, or more; only additions, only deletions. */
const SHAPES = [
  { old: 1, updated: 1 },
  { old: 1, updated: 3 },
  { old: 2, updated: 0 },
  { old: 0, updated: 2 },
  { old: 3, updated: 1 },
] as const;

type Item =
  | { readonly kind: 'line'; text: string }
  | { readonly kind: 'hunk'; readonly old: string[]; readonly updated: string[]; isIn: boolean };

/** The file as a list of lines and hunks. No edit touches the lines of a hunk, nor the lines beside it. */
class Model {
  readonly items: Item[] = [];
  readonly hunks: Extract<Item, { kind: 'hunk' }>[] = [];

  constructor() {
    for (let at = 0; at < HUNKS * SPACING; at += 1) {
      const shape = SHAPES[Math.floor(at / SPACING) % SHAPES.length] ?? SHAPES[0];
      const inHunk = (at % SPACING) - HUNK_AT;
      if (inHunk === 0) {
        const lines = (count: number, word: string) =>
          Array.from({ length: count }, (_, i) => `${word} ${at}.${i}`);
        const hunk = {
          kind: 'hunk' as const,
          old: lines(shape.old, 'old'),
          updated: lines(shape.updated, 'new'),
          isIn: false,
        };
        this.hunks.push(hunk);
        this.items.push(hunk);
      }
      this.items.push({ kind: 'line', text: `line ${at}` });
    }
  }

  text(): string {
    const lines = this.items.flatMap((item) =>
      item.kind === 'line' ? [item.text] : item.isIn ? item.updated : item.old,
    );
    return lines.map((line) => `${line}\n`).join('');
  }

  /** Places in `items` of lines that may be edited. */
  free(): number[] {
    return [...this.items.keys()].filter((at) =>
      [at - 1, at, at + 1].every((near) => this.items[near]?.kind === 'line'),
    );
  }
}

type Decided = readonly { readonly id: string; readonly status: string }[];
/** Returns the hunks that it decided, none if refused. Undo by a key may affect another hunk. */
type Client = (hunk: string, action: 'accept' | 'reject' | 'undo') => Promise<Decided>;

/** How the bytes of the file follow from its lines; each seed uses one of them. */
const FORMATS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replaceAll('\n', '\r\n'),
  (text) => `${text}z\xe9ro\n`,
  (text) => text.slice(0, -1),
  (text) => `\xef\xbb\xbf${text.replaceAll('\n', '\r\n').slice(0, -2)}`,
];

const seeds = process.env.COPANE_TEST_SEEDS?.split(',').map(Number) ?? rowsOf(1, [1, 2]);

describe.each(NEOVIMS)('%s', (binary) => {
  let desk: ReviewDesk;
  let model: Model;
  let host: ChildProcess;
  let nvim: Neovim;
  const closers: (() => unknown)[] = [];
  let format: (text: string) => string;
  async function open(seed: number): Promise<void> {
    model = new Model();
    format = FORMATS[seed % FORMATS.length] ?? expect.unreachable();
    desk = await ReviewDesk.open({ base: { f: format(model.text()) }, columns: 100, rows: 30 });
    host = await serve(place());
    nvim = await Neovim.startAt(binary, place(), { before: 'vim.o.fixeol = false' });
  }
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
    await nvim.close();
    host.kill('SIGKILL');
    await desk.close();
  });
  const place = () => ({ root: desk.root, project: desk.project });

  /** Makes one suggestion of all hunks in the model. */
  function publish(): { readonly id: string; readonly hunks: readonly string[] } {
    const want = new Model();
    for (const hunk of want.hunks) hunk.isIn = true;
    const id = desk.publish({ f: format(want.text()) }, 'Many');
    const shown = JSON.parse(desk.copane(['show', id, '--json'])) as { hunks: { id: string }[] };
    expect(shown.hunks).toHaveLength(HUNKS);
    return { id, hunks: shown.hunks.map((hunk) => hunk.id) };
  }

  async function clients(suggestion: string): Promise<Client[]> {
    const paths = copanePaths(copaneEnv(place()));
    const connection: HostConnection = must(await connectHost({ paths, version: 'test', lead: false }));
    const socket = new WebSocket(`ws+unix://${paths.socketFile}:/ws`);
    closers.push(
      () => connection.close(),
      () => socket.terminate(),
    );
    await new Promise((resolve) => socket.once('open', resolve));
    type Answer = { hunks?: Decided };
    const decidedIn = ({ hunks }: Answer) => hunks ?? [];
    const waiting = new Map<string, (answer: Answer) => void>();
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as { id?: string; data?: Answer };
      waiting.get(message.id ?? '')?.(message.data ?? {});
    });
    const fields = (hunk: string, action: string) => ({
      suggestion_id: suggestion,
      hunk_id: hunk,
      ...(action === 'undo' ? {} : { action }),
    });
    const operation = (action: string) => (action === 'undo' ? 'undo' : 'feedback');
    return [
      async (hunk, action) =>
        decidedIn(
          JSON.parse(await post(paths.socketFile, `/${operation(action)}`, fields(hunk, action))) as Answer,
        ),
      (hunk, action) =>
        new Promise((resolve) => {
          const id = `r${waiting.size}`;
          waiting.set(id, (answer) => resolve(decidedIn(answer)));
          socket.send(JSON.stringify({ type: operation(action), id, ...fields(hunk, action) }));
        }),
      async (hunk, action) => {
        const done =
          action === 'undo'
            ? await connection.request('review/undo', { suggestion, hunk })
            : await connection.request('review/decide', { suggestion, hunk, action, onlyUndecided: true });
        return done.ok ? done.value.hunks : [];
      },
      async (hunk, kind) => {
        const intent =
          kind === 'undo'
            ? ({ kind, hunk, seen: null } as const)
            : ({ kind, hunk, seen: null, lines: null } as const);
        const done = await connection.request('review/intend', { suggestion, intent, confirmed: null });
        return done.ok && done.value.kind === 'done' ? done.value.hunks : [];
      },
    ];
  }

  /** One edit by hand, in the model and as keys. Anything may happen between the two halves of the keys. */
  function edit(kind: number, which: number, name: string): readonly [string, string] {
    const free = model.free();
    const at = free[which % free.length] ?? 0;
    const item = model.items[at];
    if (item?.kind !== 'line') throw new Error('no line');
    const find = `:call search('\\V\\^${item.text}\\$', 'cw')<CR>`;
    switch (kind % 4) {
      case 0:
        model.items.splice(at + 1, 0, { kind: 'line', text: name });
        return [`${find}o`, `${name}<Esc>`];
      case 1:
        model.items.splice(at, 0, { kind: 'line', text: name });
        return [`${find}O${name.slice(0, 3)}`, `${name.slice(3)}<Esc>`];
      case 2:
        item.text = name;
        return [`${find}cc${name}`, '<Esc>'];
      default:
        // Only as many lines are deleted as keep the hunks apart.
        if (free.length < HUNKS * 4) return edit(0, which, name);
        model.items.splice(at, 1);
        return [find, 'dd'];
    }
  }

  it.each(seeds)('60 edits by hand between 60 decisions of four clients (seed %i)', async (seed) => {
    await open(seed);
    const { id, hunks } = publish();
    const all = await clients(id);
    await nvim.lua("require('copane').follow() return true");
    await until('a connection', () =>
      nvim.lua(`return select(2, require('copane.review.session').peek()).kind == 'connected'`),
    );
    await nvim.act(':silent edit f');
    await nvim.lua(`function busy()
        local till = vim.loop.hrtime() + ${BUSY_MS} * 1e6
        while vim.loop.hrtime() < till do end
      end
      return true`);
    const rounds = fc.sample(
      fc.record({
        edit: fc.nat(3),
        line: fc.nat(10_000),
        hunk: fc.nat(HUNKS - 1),
        client: fc.nat(3),
        action: fc.constantFrom('accept' as const, 'accept' as const, 'reject' as const, 'undo' as const),
        writes: fc.nat(2),
        waits: fc.nat(2),
        busy: fc.nat(2),
      }),
      { numRuns: ROUNDS, seed },
    );
    const log: string[] = [];
    for (const [at, round] of rounds.entries()) {
      const [first, second] = edit(round.edit, round.line, `user ${at}`);
      // A slow plugin: text typed meanwhile comes before the host's messages.
      await nvim.keys(`${round.busy === 0 ? ':lua busy()<CR>' : ''}${first}`);
      const deciding = all[round.client]?.(hunks[round.hunk] ?? '', round.action);
      if (round.waits === 0) await deciding;
      await nvim.keys(`${second}${round.writes === 0 ? ':silent write<CR>' : ''}`);
      const decided = await deciding;
      const became = decided?.map(({ id: one, status }) => `${hunks.indexOf(one)} ${status}`).join();
      log.push(
        `${at} ${first}${second} ${round.writes === 0 ? ':w' : ''}; ${round.action} ${round.hunk}: ${became}`,
      );
      for (const { id: one, status } of decided ?? []) {
        const hunk = model.hunks[hunks.indexOf(one)];
        if (hunk !== undefined) hunk.isIn = status === 'accepted';
      }
      expect(await nvim.lua('return vim.fn.mode(1)'), log.join('\n')).toBe('n');
    }
    const buffer = async () => `${(await nvim.lines()).join('\n')}\n`.replace('zéro\n', '');
    const told = async () =>
      [
        await nvim.lua<string>("return vim.fn.execute('messages')"),
        ...log,
        `on disk: ${readText(desk.project, 'f') === format(await buffer()) ? 'as in the buffer' : 'another text'}`,
        desk.copane(['show', id]),
      ].join('\n');
    const wanted = model.text();
    let last = '';
    try {
      await until('the decisions in the buffer', async () => {
        last = await buffer();
        return last === wanted;
      });
    } catch {
      expect(last, await told()).toBe(wanted);
    }
    await nvim.keys(':write<CR>');
    await until('the file', () => readText(desk.project, 'f') === format(wanted), {
      show: () => readText(desk.project, 'f') ?? '',
    });
    expect(await told()).not.toMatch(/WARNING|W1[0-9]|E[0-9]+:|Error/);
    const shown = JSON.parse(desk.copane(['show', id, '--json'])) as { hunks: { status: string }[] };
    expect(shown.hunks.map(({ status }) => status === 'accepted')).toEqual(
      model.hunks.map(({ isIn }) => isIn),
    );
  });
});

function post(socketPath: string, url: string, body: unknown): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      { socketPath, path: url, method: 'POST', headers: { 'content-type': 'application/json' } },
      (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += String(chunk);
        });
        response.on('end', () => resolve(text));
      },
    );
    request.on('error', reject);
    request.end(JSON.stringify(body));
  });
}
