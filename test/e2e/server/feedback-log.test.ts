/** Where decisions are logged: as the user has configured, and the message when that fails. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { must } from '../../helpers/host-fakes.ts';
import { TestServer } from '../../helpers/suggestion-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.stop());

function configure(feedbackLog: string | null): void {
  const { configFile } = server.home.paths;
  mkdirSync(path.dirname(configFile), { recursive: true });
  writeFileSync(configFile, JSON.stringify({ feedback_log: feedbackLog }));
}

async function rejectOne(comment: string): Promise<void> {
  const { id, hunks } = await server.publish(comment);
  const body = { suggestion_id: id, hunk_id: hunks[0].id, action: 'reject', comment };
  expect((await server.ask('POST', '/feedback', { body })).status).toBe(200);
}

const linesOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

const notices = async () =>
  must(await (server.client ?? expect.unreachable()).request('host/status', {})).notices;

it('in the state folder, unless another file is set; the next decision follows a change of the setting', async () => {
  await rejectOne('first');
  const usual = path.join(server.home.paths.stateDir, 'feedback.jsonl');
  expect(linesOf(usual)).toMatchObject([{ action: 'reject', comment: 'first', file: 'f', applied: false }]);
  const wanted = path.join(server.home.home, 'logs', 'mine.jsonl');
  configure(wanted);
  await rejectOne('second');
  expect(linesOf(wanted)).toMatchObject([{ comment: 'second' }]);
  expect(linesOf(usual)).toHaveLength(1);
});

it('has the suggested diff and, for a modified hunk, its replacement', async () => {
  const { id, hunks } = await server.publish('modified');
  const modified_diff = hunks[0].diff.replace(/^\+.*$/m, '+mine');
  const body = { suggestion_id: id, hunk_id: hunks[0].id, action: 'modify', modified_diff };
  expect((await server.ask('POST', '/feedback', { body })).status).toBe(200);
  const last = linesOf(path.join(server.home.home, 'logs', 'mine.jsonl')).at(-1);
  expect(last.original_diff).toMatch(/^@@ /);
  expect(last.modified_diff).toMatch(/^@@ [^\n]*@@\n[\s\S]*^\+mine$/m);
});

it('that cannot be written stops no decision, and is reported meanwhile', async () => {
  configure(path.join(server.home.paths.configFile, 'below-a-file.jsonl'));
  await rejectOne('third');
  expect(await notices()).toEqual([expect.stringContaining('below-a-file.jsonl cannot be written')]);
  configure(null);
  await rejectOne('fourth');
  expect(await notices()).toEqual([]);
});
