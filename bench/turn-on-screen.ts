/** A companion beside a program called pi, whose session the bench writes: from the end of a turn to its figures on screen. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CompanionPane } from '../test/helpers/companion-pane.ts';
import { hasLooked, hasSeenEnds } from '../test/helpers/first-look.ts';
import type { PrivateTmux } from '../test/helpers/private-tmux.ts';
import { removeTree } from '../test/helpers/remove-tree.ts';
import { piSessions, startSilentPi } from '../test/helpers/silent-pi.ts';

const ROWS = 40;
const POLL_MS = 4;
const PATIENCE_MS = 20_000;

export class TurnOnScreen {
  readonly #root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'copane-bench-turn-')));
  readonly #project = path.join(this.#root, 'project');
  #tmux: PrivateTmux | null = null;
  #companion: CompanionPane | null = null;
  #session = '';
  #ids = 0;
  #turns = 0;

  async start(): Promise<void> {
    mkdirSync(this.#project);
    writeFileSync(path.join(this.#project, 'a.txt'), 'before\n');
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], {
        cwd: this.#project,
      });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'first');
    const folder = piSessions(this.#root, this.#project);
    this.#session = path.join(folder, '2026-01-02T03-04-05Z_one.jsonl');
    this.#tmux = await startSilentPi(this.#root, this.#project, ROWS);
    this.#companion = await CompanionPane.open(this.#tmux, { root: this.#root, project: this.#project });
    await this.#companion.until('the first look', () => hasLooked(this.#root), PATIENCE_MS);
    const timestamp = new Date().toISOString();
    this.#write({ type: 'session', version: 3, id: 'one', timestamp, cwd: this.#project });
  }

  #write(...records: readonly object[]): void {
    appendFileSync(this.#session, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  }

  #message(message: object): object {
    this.#ids += 1;
    const parentId = this.#ids === 1 ? null : `m${this.#ids - 1}`;
    return { type: 'message', id: `m${this.#ids}`, parentId, timestamp: new Date().toISOString(), message };
  }

  /** ms from the records of a command and the end of the turn to the figures of its changes. */
  async measure(): Promise<number> {
    const companion = this.#companion;
    if (companion === null) throw new Error('not started');
    this.#turns += 1;
    const prompt = `Round ${this.#turns}.`;
    const row = new RegExp(`Round ${this.#turns}\\..*1 file`);
    this.#write(this.#message({ role: 'user', content: prompt }));
    await companion.until('the turn at work', (screen) => screen.includes('streaming'), PATIENCE_MS);
    const call = { type: 'toolCall', id: `c${this.#ids}`, name: 'bash', arguments: { command: 'make' } };
    this.#write(this.#message({ role: 'assistant', stopReason: 'toolUse', content: [call] }));
    writeFileSync(path.join(this.#project, 'a.txt'), `${prompt}\n`);
    const result = { role: 'toolResult', toolCallId: call.id, toolName: 'bash', isError: false, content: [] };
    const text = [{ type: 'text', text: 'Done.' }];
    const done = this.#message({ ...result, details: {} });
    const start = performance.now();
    this.#write(done, this.#message({ role: 'assistant', stopReason: 'stop', content: text }));
    while (!row.test(await companion.screen())) {
      if (performance.now() - start > PATIENCE_MS) throw new Error(await companion.screen());
      await new Promise((next) => setTimeout(next, POLL_MS));
    }
    const took = performance.now() - start;
    await companion.until('the look at its end', () => hasSeenEnds(this.#root, this.#turns), PATIENCE_MS);
    return took;
  }

  async close(): Promise<void> {
    await this.#tmux?.kill();
    removeTree(this.#root);
  }
}
