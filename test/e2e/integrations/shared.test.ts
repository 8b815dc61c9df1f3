/** The shared parts of the opencode plugin and the pi extension, with the real `copane mcp` and the real spool. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HookSpool } from '../../../src/responses/hooks/spool.ts';
import { COPANE } from '../../helpers/companion-pane.ts';
import { git } from '../../helpers/git-fixture.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import type { Json } from '../../helpers/suggestion-server.ts';
import { until } from '../../helpers/until.ts';

interface Answer {
  readonly text: string;
  readonly body: Json;
  readonly isError: boolean;
}

interface Child {
  tools(): Promise<readonly { readonly name: string; readonly inputSchema: object }[]>;
  call(name: string, args: object, signal?: AbortSignal): Promise<Answer>;
  close(): void;
}

const INTEGRATIONS = path.resolve(import.meta.dirname, '../../../integrations/shared');
const load = (file: string) => import(path.join(INTEGRATIONS, file));
const { McpChild } = (await load('mcp-child.js')) as { McpChild: new (options: object) => Child };
const { ReviewFeed } = (await load('review-feed.js')) as {
  ReviewFeed: new (
    options: object,
  ) => {
    begins(session: string, tool: string): void;
    ends(session: string, tool: string, answer: unknown): void;
    close(): void;
  };
};
const { createHookSpool } = (await load('hook-spool.js')) as {
  createHookSpool: (options: {
    cli: string;
    folder: string;
  }) => (name: string, session: { id: string; path?: string | null }, prompt?: string) => void;
};

let root = '';
let child: Child | null = null;
const oldHome = process.env.HOME;

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'copane-shared-')));
  process.env.HOME = root;
});

afterEach(() => {
  process.env.HOME = oldHome;
  child?.close();
  child = null;
  removeTree(root);
});

function copane(...args: string[]): Json {
  const { PATH = '' } = process.env;
  const run = spawnSync(COPANE, [...args, '--json'], {
    env: { PATH, HOME: root },
    cwd: root,
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout);
}

function project(lines: readonly string[]): string {
  const folder = path.join(root, 'project');
  mkdirSync(folder);
  git(folder, 'init', '-q');
  const text = Array.from({ length: 30 }, (_, index) => `line ${index}\n`);
  writeFileSync(path.join(folder, 'f'), text.join(''));
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'base');
  for (const line of lines) text[Number(line)] = 'changed\n';
  writeFileSync(path.join(folder, 'f'), text.join(''));
  return folder;
}

describe('copane mcp as a child', () => {
  it('has the tools, answers, and names errors', async () => {
    child = new McpChild({ program: COPANE, author: 'pi', cwd: project(['3']) });
    expect((await child.tools()).map(({ name }) => name)).toContain('await_review');
    const published = await child.call('publish_suggestion', { description: 'x', files: ['f'] });
    expect([published.isError, published.body.hunk_count]).toEqual([false, 1]);
    const unknown = await child.call('get_suggestion', { suggestion_id: 'none' });
    expect([unknown.isError, unknown.text]).toEqual([true, expect.stringContaining('next_step')]);
  });

  it('can be cancelled, and started again after its end', async () => {
    child = new McpChild({ program: COPANE, author: 'pi', cwd: project(['3']) });
    await child.call('publish_suggestion', { description: 'x', files: ['f'] });
    const gone = new AbortController();
    const waiting = child.call('await_review', { wait_s: 40 }, gone.signal);
    gone.abort();
    await expect(waiting).rejects.toThrow('cancelled');
    child.close();
    expect((await child.call('list_suggestions', {})).isError).toBe(false);
  });

  it('says when there is no copane', async () => {
    child = new McpChild({ program: path.join(root, 'none'), author: 'pi', cwd: root });
    await expect(child.tools()).rejects.toThrow('cannot be started');
  });

  it('does not decide', async () => {
    child = new McpChild({ program: COPANE, author: 'pi', cwd: project(['3']) });
    const { body } = await child.call('publish_suggestion', { description: 'x', files: ['f'] });
    await child.call('suggestion_feedback', {
      suggestion_id: body.suggestion_id,
      hunk_id: body.hunks[0].id,
      action: 'accept',
    });
    const finish = { suggestion_id: body.suggestion_id, action: 'finalize' };
    expect((await child.call('complete_suggestion', finish)).isError).toBe(true);
    expect(copane('show', body.suggestion_id).hunks[0].status).toBe('pending');
  });
});

describe('the feed of a review', () => {
  /** `meanwhile`: what happens between the suggestion and the feed's first question. */
  async function publish(told: string[], meanwhile: (body: Json) => void = () => undefined) {
    child = new McpChild({ program: COPANE, author: 'pi', cwd: project(['3', '20']) });
    const tell = async (session: string, text: string) => void told.push(`${session}: ${text}`);
    const feed = new ReviewFeed({ child, tell });
    const { text, body } = await child.call('publish_suggestion', { description: 'x', files: ['f'] });
    meanwhile(body);
    feed.ends('s1', 'copane_publish_suggestion', text);
    return { feed, id: String(body.suggestion_id), hunks: body.hunks as { id: string }[] };
  }

  it('reports each decision once, to the session that published', async () => {
    const told: string[] = [];
    const { feed, id, hunks } = await publish(told);
    copane('decide', id, hunks[0]?.id ?? '', 'reject', '--comment', 'no');
    await until('the first', () => told.length === 1, { timeoutMs: 30_000, show: () => told.join('\n') });
    copane('decide', id, hunks[1]?.id ?? '', 'accept');
    await until('the second', () => told.length === 2, { timeoutMs: 30_000, show: () => told.join('\n') });
    expect(told).toEqual([
      's1: [Suggestion Feedback] User rejected hunk in f. 1 hunk remaining. Comment: "no"',
      's1: [Suggestion Feedback] User accepted hunk in f. 0 hunks remaining.',
    ]);
    feed.close();
  });

  it('reports at once what was decided before it began to listen', async () => {
    const told: string[] = [];
    const { feed } = await publish(told, ({ suggestion_id: id, hunks: [first] }) => {
      copane('decide', id, first.id, 'accept');
    });
    // Well below the time that one call waits for news.
    await until('the decision', () => told.length === 1, { timeoutMs: 20_000, show: () => told.join('\n') });
    feed.close();
  });

  it('reports a comment without a decision', async () => {
    const told: string[] = [];
    const { feed, id, hunks } = await publish(told);
    copane('decide', id, hunks[0]?.id ?? '', 'comment', '--comment', 'why\nthis?');
    await until('the comment', () => told.length === 1, { timeoutMs: 30_000, show: () => told.join('\n') });
    copane('decide', id, hunks[0]?.id ?? '', 'accept');
    await until('the decision', () => told.length === 2, { timeoutMs: 30_000, show: () => told.join('\n') });
    expect(told).toEqual([
      's1: [Suggestion Feedback] User commented on hunk in f. 2 hunks remaining. Comment: "why this?"',
      expect.stringContaining('s1: [Suggestion Feedback] User accepted hunk in f. 1 hunk remaining.'),
    ]);
    feed.close();
  });

  it('is silent while the model itself waits for the review', async () => {
    const told: string[] = [];
    const { feed, id, hunks } = await publish(told);
    feed.begins('s1', 'await_review');
    const waiting = (child as Child).call('await_review', { suggestion_id: id, wait_s: 40 });
    for (const hunk of hunks) copane('decide', id, hunk.id, 'accept');
    const { text, body } = await waiting;
    feed.ends('s1', 'await_review', text);
    expect([body.done, told]).toEqual([true, []]);
    feed.close();
  });
});

describe('the spool of a plugin', () => {
  it('is read by the companion, and is private to its owner', async () => {
    const folder = path.join(root, 'hooks');
    mkdirSync(folder);
    const tell = createHookSpool({ cli: 'opencode', folder });
    tell('SessionStart', { id: 's1' });
    tell('UserPromptSubmit', { id: 's1', path: '/x' }, 'a "b"\n\u2028');
    const spool = new HookSpool({ folder, isAlive: () => true });
    await spool.poll();
    expect(spool.events()).toMatchObject([
      { cli: 'opencode', pid: process.pid, sessionId: 's1', state: 'idle' },
      { path: '/x', state: 'working', prompt: 'a "b"\n\u2028' },
    ]);
    expect(readdirSync(folder).map((name) => statSync(path.join(folder, name)).mode & 0o777)).toEqual([
      0o600, 0o600,
    ]);
  });

  it('never blocks', () => {
    const tell = createHookSpool({ cli: 'pi', folder: path.join(root, 'none') });
    expect(() => tell('Stop', { id: 's' })).not.toThrow();
    writeFileSync(path.join(root, 'file'), '');
    expect(() =>
      createHookSpool({ cli: 'pi', folder: path.join(root, 'file') })('Stop', { id: 's' }),
    ).not.toThrow();
  });

  it('leaves out a prompt that is too long', async () => {
    const folder = path.join(root, 'hooks');
    mkdirSync(folder);
    createHookSpool({ cli: 'pi', folder })('UserPromptSubmit', { id: 's' }, 'x'.repeat(262_145));
    const spool = new HookSpool({ folder, isAlive: () => true });
    await spool.poll();
    expect(spool.events()).toMatchObject([{ state: 'working', prompt: null }]);
  });
});
