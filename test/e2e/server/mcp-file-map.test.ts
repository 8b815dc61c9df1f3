/** `file_map` by MCP: files of the project over stdio, nothing of this machine over HTTP. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestMcp } from '../../helpers/mcp-client.ts';
import { TestServer } from '../../helpers/suggestion-server.ts';

let server: TestServer;
let ai: TestMcp;

beforeAll(async () => {
  server = await TestServer.start();
  const project = path.join(server.home.home, 'mapped');
  mkdirSync(project);
  writeFileSync(path.join(project, 'a.py'), 'class A:\n    """Doc."""\n    def f(self):\n        pass\n');
  writeFileSync(path.join(server.home.home, 'outside.py'), 'def outside(): pass\n');
  symlinkSync(path.join(server.home.home, 'outside.py'), path.join(project, 'link.py'));
  ai = await TestMcp.stdio({ home: server.home.home, cwd: project });
});
afterAll(async () => {
  await ai.close();
  await server.stop();
});

it('outlines a file of the project', async () => {
  const { isError, body } = await ai.call('file_map', { path: 'a.py' });
  expect(isError).toBe(false);
  expect(body).toMatchObject({ language: 'Python', total_lines: 4, symbol_count: 2, level: 'full' });
  expect(body.map).toContain('class A: [1-4] — Doc.\n  def f(self): [3-4]');
});

it.each([
  ['a path out of the project', '../outside.py', 'leaves the project'],
  ['an absolute one', '/etc/passwd', 'leaves the project'],
  ['a link out of it', 'link.py', 'is a link'],
  ['a file that is not there', 'none.py', 'There is no file'],
])('refuses %s', async (_, file, message) => {
  const { isError, text } = await ai.call('file_map', { path: file });
  expect(isError).toBe(true);
  expect(text).toContain(message);
});

it('reads nothing on this machine for HTTP clients', async () => {
  const http = await TestMcp.http(server.url, server.token('author'), 'legacy');
  const { isError, text } = await http.call('file_map', { path: 'a.py' });
  await http.close();
  expect(isError).toBe(true);
  expect(text).toContain('over stdio');
});
