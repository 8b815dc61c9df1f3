/** Sends into panes that are not in front: other windows, zoomed, other indices, a C locale; and into line readers. */
import { mkdirSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { turnsFromScreen } from '../../../src/responses/core/screen-turns.ts';
import { createScrollback } from '../../../src/tmux/capture.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { eventually, must, SendBench } from '../../helpers/tmux-sender.ts';

let bench: SendBench | null = null;

afterEach(async () => {
  await bench?.close();
  bench = null;
});

const framed = (text: string) => `\u001b[200~${text}\u001b[201~\r`;

describe('places', () => {
  it('another window, with base-index 1 and another pane in focus', async () => {
    bench = new SendBench();
    await bench.startComposer();
    await bench.must('set-option', '-g', 'base-index', '1');
    await bench.must('set-option', '-g', 'pane-base-index', '1');
    await bench.must('split-window', '-t', bench.server.pane, 'cat');
    await bench.must('new-window', 'cat');
    const current = await bench.must('display-message', '-p', '#{window_id}');
    must(await bench.send('one\ntwo;'));
    expect((await bench.bytes()).toString()).toBe(framed('one\ntwo;'));
    expect(await bench.must('display-message', '-p', '#{window_id}')).toBe(current);
  });

  it('behind a zoomed pane, which stays zoomed', async () => {
    bench = new SendBench();
    await bench.startComposer();
    const other = await bench.must('split-window', '-P', '-F', '#{pane_id}', '-t', bench.server.pane, 'cat');
    await bench.must('resize-pane', '-Z', '-t', other);
    must(await bench.send('text'));
    expect((await bench.bytes()).toString()).toBe(framed('text'));
    expect(await bench.must('display-message', '-p', '#{window_zoomed_flag}')).toBe('1');
  });

  it('from a client in the C locale: titles are read unchanged', async () => {
    bench = new SendBench({ env: { LC_ALL: 'C', LANG: 'C' } });
    await bench.startComposer();
    await bench.must('select-pane', '-t', bench.server.pane, '-T', '✳ tïtle|漢字|~|x');
    const [pane] = must(await bench.panes.list());
    expect(pane?.facts.title).toBe('✳ tïtle|漢字|~|x');
    must(await bench.send('ü 漢字 🙂'));
    expect((await bench.bytes()).toString()).toBe(framed('ü 漢字 🙂'));
  });

  it('in a folder whose name holds line ends, which would pass for another pane, and a separator or its beginning', async () => {
    bench = new SendBench();
    await bench.startComposer();
    const root = mkdtempSync(path.join(os.tmpdir(), 'copane-odd-'));
    for (const name of ['a\nb\v%9|~|c', 'proj|~', '~|#|~']) {
      mkdirSync(path.join(root, name));
      await bench.must('split-window', '-d', '-c', path.join(root, name), 'sleep', '60');
      await bench.must('select-layout', 'tiled');
    }
    await bench.must('rename-window', 'x|~|/elsewhere|~');
    const panes = must(await bench.panes.list());
    const folders = panes.map(({ facts }) => path.relative(root, facts.cwd));
    expect(folders.slice(1).sort()).toEqual(['a?b?%9?|c', 'proj?', '~|#?']);
    expect(panes.map(({ facts }) => facts.windowName)).toEqual(Array(4).fill('x?|/elsewhere?'));
    removeTree(root);
  });
});

describe('a program that reads lines', () => {
  it('accepts a marked prompt; the answer is the text after the closing marker', async () => {
    bench = new SendBench();
    await bench.startLineReader(200, { columns: 60, rows: 20 });
    const sent = await bench.send('first question\nsecond line; with semicolon;', { markers: true });
    expect(sent).toMatchObject({ ok: true, value: { state: 'delivered', proof: 'marker' } });
    const lines = (await bench.bytes()).toString().split('\n');
    expect(lines.slice(1)).toEqual([
      '',
      'first question',
      'second line; with semicolon;',
      '',
      '### END PROMPT',
      '',
    ]);
    const { server, tmux } = bench;
    await server.until('the answer', (screen) => screen.includes('line 200'));
    const text = must(await createScrollback(tmux, server.pane).read());
    const [turn] = turnsFromScreen(text.lines, { width: text.width });
    const answer = (turn?.answer ?? []).filter((line) => line !== '');
    expect(turn?.prompt).toBe('first question\nsecond line; with semicolon;');
    expect(answer).toEqual(
      Array.from(
        { length: 200 },
        (_, row) => `answer 1 line ${row + 1}: 漢字 🙂 the phrase ### END PROMPT inside prose`,
      ),
    );
  });

  it('a 4,095-byte line arrives, a 4,096-byte one is refused', async () => {
    bench = new SendBench();
    await bench.startLineReader();
    must(await bench.send('x'.repeat(4095), { markers: true }));
    const { bytes } = { bytes: await bench.bytes() };
    expect(bytes.toString().split('\n')[2]).toBe('x'.repeat(4095));
    const refused = await bench.send(`ok\n${'x'.repeat(4096)}`, { markers: true });
    expect(refused).toMatchObject({ ok: false, error: { code: 'refused' } });
    expect(refused.ok ? '' : refused.error.message).toContain('4096 bytes');
    expect(await bench.bytes()).toEqual(bytes);
  });

  it('distinguishes two prompts in a row', async () => {
    bench = new SendBench();
    await bench.startLineReader(2);
    must(await bench.send('one', { markers: true }));
    must(await bench.send('two', { markers: true }));
    const { server } = bench;
    await server.until('both answers', (screen) => screen.includes('answer 2 line 2'));
    const { lines, width } = must(await createScrollback(bench.tmux, server.pane).read());
    expect(turnsFromScreen(lines, { width }).map((turn) => turn.prompt)).toEqual(['one', 'two']);
  });

  it('raw text of one line is proven by its echo', async () => {
    bench = new SendBench();
    await bench.startLineReader();
    expect(await bench.send('hello there')).toMatchObject({ ok: true, value: { proof: 'screen' } });
    await eventually(
      'the line',
      () => bench?.bytes() ?? Promise.reject(),
      (got) => got.length > 0,
    );
    expect((await bench.bytes()).toString()).toBe('hello there\n');
  });
});
