/**
 * A real browser on an attacker's page, against a server without tokens, where only Origin, Host and content type
 * protect the user's files from a web page. Skipped where no headless Chromium is installed.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findOnPath } from '../../src/platform/exec.ts';
import { removeTree } from '../helpers/remove-tree.ts';
import { BASE, type Json, TestServer } from '../helpers/suggestion-server.ts';
import { until } from '../helpers/until.ts';

const BROWSER = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  .map((name) => findOnPath(name, process.env))
  .find((found) => found !== null);

/** Tries everything that a page can do, and reports what it got. */
function page(port: number, id: string, hunk: string): string {
  const decision = JSON.stringify({ suggestion_id: id, hunk_id: hunk, action: 'accept' });
  return `<!doctype html><body><script>
const results = {};
const hosts = ['127.0.0.1', 'localhost', 'evil.example'];
const attempt = async (name, work) => {
  try { results[name] = await work(); } catch (error) { results[name] = 'failed: ' + error.name; }
};
const read = (url, options) => async () => { const r = await fetch(url, options); return r.type + ' ' + r.status + ' ' + await r.text(); };
const socket = (url) => () => new Promise((resolve) => {
  const ws = new WebSocket(url);
  ws.onmessage = ({ data }) => resolve('message ' + data);
  ws.onopen = () => ws.send('${decision.replace('{', '{"type":"feedback",')}');
  ws.onclose = () => resolve('closed');
});
const form = (action, enctype) => () => new Promise((resolve) => {
  const frame = document.createElement('iframe');
  frame.name = 'f' + Math.random();
  document.body.append(frame);
  const form = document.createElement('form');
  Object.assign(form, { action, method: 'POST', enctype, target: frame.name });
  const input = document.createElement('input');
  input.name = '${decision.slice(0, -1)},"x":"';
  input.value = '"}';
  form.append(input);
  document.body.append(form);
  frame.onload = () => resolve('loaded');
  form.submit();
  setTimeout(() => resolve('timeout'), 2000);
});
(async () => {
  for (const host of hosts) {
    const base = 'http://' + host + ':${port}';
    const body = ${JSON.stringify(decision)};
    await attempt(host + ' get', read(base + '/suggestions'));
    await attempt(host + ' events', read(base + '/events'));
    await attempt(host + ' post json', read(base + '/feedback', { method: 'POST', body, headers: { 'Content-Type': 'application/json' } }));
    await attempt(host + ' post blind', read(base + '/feedback', { method: 'POST', body, mode: 'no-cors', headers: { 'Content-Type': 'text/plain' } }));
    await attempt(host + ' post blob', read(base + '/feedback', { method: 'POST', mode: 'no-cors', body: new Blob([body], { type: 'application/json' }) }));
    await attempt(host + ' beacon', async () => navigator.sendBeacon(base + '/feedback', body));
    await attempt(host + ' socket', socket('ws://' + host + ':${port}/ws'));
    await attempt(host + ' form text', form(base + '/feedback', 'text/plain'));
    await attempt(host + ' form url', form(base + '/feedback', 'application/x-www-form-urlencoded'));
  }
  await fetch('/result', { method: 'POST', body: JSON.stringify(results) });
})();
</script>`;
}

describe.skipIf(BROWSER === undefined)('a web page in a real browser (needs headless Chromium)', () => {
  let server: TestServer;
  let attacker: http.Server;
  let profile = '';
  const seen: { readonly host: string; readonly results: Json }[] = [];
  beforeAll(async () => {
    server = await TestServer.start({ auth: 'none' });
    profile = mkdtempSync(path.join(os.tmpdir(), 'copane-browser-'));
    const { id, hunks } = await server.publish();
    attacker = http.createServer((request, response) => {
      if (request.url !== '/result') {
        response.setHeader('Content-Type', 'text/html');
        response.end(page(server.port, id, hunks[0].id));
        return;
      }
      let text = '';
      request.on('data', (chunk) => {
        text += String(chunk);
      });
      request.on('end', () => {
        seen.push({ host: String(request.headers.host), results: JSON.parse(text) });
        response.end();
      });
    });
    await new Promise<void>((resolve) => attacker.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    attacker.close();
    attacker.closeAllConnections();
    await server.stop();
    removeTree(profile);
  });

  async function visit(host: string): Promise<Json> {
    const address = attacker.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const args = [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      '--host-resolver-rules=MAP evil.example 127.0.0.1',
      `http://${host}:${port}/`,
    ];
    // A process group: the browser starts as a script with many child processes.
    const child = spawn(BROWSER ?? '', args, { detached: true });
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += String(chunk);
    });
    try {
      const found = await until(
        'the report of the page',
        () => seen.find((one) => one.host === `${host}:${port}`),
        {
          timeoutMs: 60_000,
          show: () => said,
        },
      );
      return found.results;
    } finally {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }
  }

  it.each(['evil.example', '127.0.0.1'])('at %s reads nothing and decides nothing', async (host) => {
    const results = await visit(host);
    expect(Object.keys(results)).toHaveLength(27);
    for (const [attempt, result] of Object.entries(results)) {
      // If a page may not read an answer, the browser reports it as opaque or failed; forms and beacons get none.
      expect(String(result), attempt).toMatch(/^(failed: |opaque 0 $|closed$|loaded$|timeout$|true$|false$)/);
    }
    expect((await server.ask('GET', '/suggestions', { role: null })).body.suggestions[0].reviewed_count).toBe(
      0,
    );
    expect(readFileSync(path.join(server.target, 'f'), 'utf8')).toBe(BASE);
  });
});
