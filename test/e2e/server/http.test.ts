/** The HTTP interface: what every endpoint does. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BASE, TestServer } from '../../helpers/suggestion-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.stop());

const fileText = () => readFileSync(path.join(server.target, 'f'), 'utf8');

describe('a review by HTTP', () => {
  it('runs from publishing to the end, in either spelling', async () => {
    const patch = server.writeFile();
    const published = await server.ask('POST', '/suggestions', {
      body: { description: 'Two edits', working_directory: server.target, patch },
    });
    expect(published.status).toBe(201);
    const id = published.body.suggestion_id;
    expect(published.body).toMatchObject({ success: true, suggestion: { id, hunk_count: 2, files: ['f'] } });

    const listed = await server.ask('GET', '/suggestions');
    expect(listed.body.suggestions).toMatchObject([
      { id, description: 'Two edits', hunk_count: 2, reviewed_count: 0, status: 'pending' },
    ]);

    const shown = await server.ask('GET', `/suggestions/${id}`);
    expect(shown.body).toEqual({ success: true, suggestion: published.body.suggestion });
    const [first, second] = shown.body.suggestion.hunks;
    expect(first).toEqual({
      id: expect.any(String),
      file: 'f',
      kind: 'text',
      status: 'pending',
      diff: expect.stringMatching(/^@@ -3,3 \+3,3 @@/),
      diff_complete: true,
    });

    const accepted = await server.ask('POST', '/feedback', {
      body: { suggestionId: id, hunkId: first.id, action: 'accept', comment: 'good' },
    });
    expect(accepted).toMatchObject({
      status: 200,
      body: { success: true, applied: true, remaining_hunks: 1 },
    });
    expect(fileText()).toBe(BASE.replace('line 4\n', 'four\n'));

    const edited = second.diff.replace('+sixteen', '+SIXTEEN');
    const modified = await server.ask('POST', '/feedback', {
      body: { suggestion_id: id, hunk_id: second.id, action: 'modify', modified_diff: edited },
    });
    expect(modified).toMatchObject({ status: 200, body: { remaining_hunks: 0, status: 'complete' } });
    expect(fileText()).toBe(BASE.replace('line 4\n', 'four\n').replace('line 16\n', 'SIXTEEN\n'));

    const undone = await server.ask('POST', '/undo', { body: { suggestion_id: id, hunk_id: second.id } });
    expect(undone).toMatchObject({ status: 200, body: { remaining_hunks: 1 } });

    const ended = await server.ask('POST', '/complete', { body: { suggestionId: id, action: 'finalize' } });
    expect(ended).toMatchObject({ status: 200, body: { success: true, action: 'finalized' } });
    expect((await server.ask('GET', '/suggestions')).body.suggestions).toEqual([]);
    expect((await server.ask('GET', `/suggestions/${id}`)).body.suggestion.status).toBe('finalized');

    const reopened = await server.ask('POST', '/reopen', { body: { suggestion_id: id } });
    expect(reopened).toMatchObject({ status: 200, body: { suggestion: { status: 'partial' } } });
    const again = await server.ask('POST', '/undo', { body: { suggestion_id: id, hunk_id: first.id } });
    expect(again).toMatchObject({ status: 200, body: { remaining_hunks: 2 } });
    expect(fileText()).toBe(BASE);
  });

  it('splits a hunk, joins it again, and redoes an undone decision', async () => {
    const { id, hunks } = await server.publish();
    const post = async (route: string, body: object) =>
      (await server.ask('POST', route, { body: { suggestion_id: id, hunk_id: hunks[0].id, ...body } })).body;
    const parts = (await post('/split', { lines: { first: 2, last: 2 } })).hunks;
    expect(parts.map(({ parent }: { parent: string }) => parent)).toEqual([hunks[0].id, hunks[0].id]);
    expect((await post('/join', { hunk_id: parts[0].id })).hunks).toMatchObject([{ id: hunks[0].id }]);
    await post('/feedback', { action: 'reject' });
    expect(await post('/undo', {})).toMatchObject({ status: 'pending', remaining_hunks: 2 });
    expect(await post('/redo', {})).toMatchObject({ status: 'partial', hunks: [{ status: 'rejected' }] });
    expect(await post('/split', { lines: { first: 3, last: 2 } })).toMatchObject({
      success: false,
      code: 'invalid',
    });
  });

  it('accepts a repeated decision, and refuses a different one', async () => {
    const { id, hunks } = await server.publish();
    const decide = (action: string) =>
      server.ask('POST', '/feedback', { body: { suggestion_id: id, hunk_id: hunks[0].id, action } });
    const once = await decide('accept');
    expect(once.status).toBe(200);
    // As after a lost answer: the same answer, and no second decision.
    expect(await decide('accept')).toMatchObject({ status: 200, body: once.body });
    const refused = await decide('reject');
    expect(refused).toMatchObject({ status: 409, body: { success: false } });
    expect(refused.body.error).toContain('already accepted');
    await server.ask('POST', '/complete', { body: { suggestion_id: id, action: 'discard' } });
    expect((await decide('accept')).status).toBe(409);
  });

  it('refuses to accept all when the suggestion moved since it was drawn', async () => {
    const { id, hunks, revision } = await server.publish();
    await server.ask('POST', '/feedback', {
      body: { suggestion_id: id, hunk_id: hunks[0].id, action: 'reject' },
    });
    const body = { suggestion_id: id, hunk_id: 'all', action: 'accept', revision };
    expect((await server.ask('POST', '/feedback', { body })).status).toBe(409);
    const now = (await server.ask('GET', `/suggestions/${id}`)).body.suggestion.revision;
    const accepted = await server.ask('POST', '/feedback', { body: { ...body, revision: now } });
    expect(accepted).toMatchObject({ status: 200, body: { status: 'complete' } });
    const late = { suggestion_id: id, hunk_id: 'all', action: 'reject' };
    expect((await server.ask('POST', '/feedback', { body: late })).status).toBe(409);
    const every = { ...late, hunk_id: 'every' };
    expect((await server.ask('POST', '/feedback', { body: every })).status).toBe(404);
    expect(fileText()).toBe(BASE.replace('line 16\n', 'sixteen\n'));
  });

  it('reports that a hunk does not fit a target that moved', async () => {
    const { id, hunks } = await server.publish();
    writeFileSync(path.join(server.target, 'f'), 'something else\n');
    const body = { suggestion_id: id, hunk_id: hunks[0].id, action: 'accept' };
    expect((await server.ask('POST', '/feedback', { body })).status).toBe(409);
    expect(fileText()).toBe('something else\n');
  });

  it('lists only suggestions for a folder, given in full or from the home folder', async () => {
    const { id } = await server.publish();
    const ids = async (folder: string) =>
      (await server.ask('GET', `/suggestions?workingDirectory=${folder}`)).body.suggestions.map(
        (one: { id: string }) => one.id,
      );
    expect(await ids(server.target)).toContain(id);
    expect(await ids('work')).toContain(id);
    expect(await ids('work/')).toContain(id);
    expect(await ids('elsewhere')).toEqual([]);
    expect(await ids(`${server.target}-evil`)).toEqual([]);
  });
});

describe('HEAD', () => {
  const head = (route: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(server.url + route, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${server.token()}`, ...headers },
    });

  it.each(['/health', '/suggestions', '/suggestions/nothing', '/nowhere', '/ws'])(
    '%s answers like GET, without the body',
    async (route) => {
      const get = await server.ask('GET', route);
      const answer = await head(route);
      expect(answer.status).toBe(get.status);
      for (const name of ['content-type', 'content-length', 'cache-control']) {
        expect([name, answer.headers.get(name)]).toEqual([name, get.headers.get(name)]);
      }
      expect(await answer.text()).toBe('');
    },
  );

  it('/events ends at once', async () => {
    const answer = await head('/events');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    expect(await answer.text()).toBe('');
  });

  it('needs the token that GET needs, and is listed where it is not allowed', async () => {
    expect((await head('/suggestions', { Authorization: '' })).status).toBe(401);
    const refused = await head('/feedback');
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await server.ask('POST', '/health', { body: {} })).headers.get('allow')).toBe('GET, HEAD');
  });
});

describe('health', () => {
  it('needs no token and reveals no more than it must', async () => {
    const health = await server.ask('GET', '/health', { role: null });
    expect(health.body).toEqual({
      healthy: true,
      service: 'suggestion-manager',
      version: expect.any(String),
      state: 'leading',
      ws_clients: 0,
    });
  });
});

describe('comments by HTTP', () => {
  it('are on lines, need no decision, and return with their place and text', async () => {
    const patch = server.writeFile();
    const published = await server.ask('POST', '/suggestions', {
      body: { description: '', working_directory: server.target, patch },
    });
    const { suggestion_id: id, suggestion } = published.body;
    const [hunk] = suggestion.hunks;
    const body = { suggestion_id: id, hunk_id: hunk.id, action: 'comment' };
    expect((await server.ask('POST', '/feedback', { body })).status).toBe(400);
    const lines = { first: 2, last: 2 };
    const said = await server.ask('POST', '/feedback', { body: { ...body, comment: 'why?\nso', lines } });
    expect(said).toMatchObject({ status: 200, body: { applied: false, status: 'pending', revision: 2 } });
    const shown = await server.ask('GET', `/suggestions/${id}`);
    expect(shown.body.suggestion.hunks[0]).toMatchObject({
      status: 'pending',
      comments: [{ text: 'why?\nso', lines, file_lines: { side: 'old' }, quote: '-line 4' }],
    });
    const file_lines = { first: 1, last: 1 };
    const around = await server.ask('POST', '/feedback', {
      body: { ...body, comment: 'here too', file_lines },
    });
    expect(around.body.hunks[0].comments.at(-1)).toMatchObject({
      file_lines: { side: 'new', ...file_lines },
    });
    for (const refused of [
      { ...body, comment: 'x', lines, file_lines },
      { ...body, action: 'accept', file_lines },
    ])
      expect((await server.ask('POST', '/feedback', { body: refused })).status).toBe(400);
    await server.ask('POST', '/complete', { body: { suggestion_id: id, action: 'discard' } });
  });
});
