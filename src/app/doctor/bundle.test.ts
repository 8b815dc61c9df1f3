import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryHome } from '../../../test/helpers/host-fakes.ts';
import { loadConfig } from '../config/load-config.ts';
import { logFileOf } from '../log/create-log.ts';
import { bundleText } from './bundle.ts';
import { report } from './check.ts';

let home: ReturnType<typeof temporaryHome>;
beforeEach(() => {
  home = temporaryHome();
});
afterEach(() => home.remove());

/** Secrets in many forms, by the place they are planted in. */
const PLANTED = {
  variable: 'plainword-of-a-variable',
  bearer: 'Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5',
  url: 'hunter2hunter2',
  anthropic: 'sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789',
  github: 'ghp_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789',
  option: 'correct-horse-9',
  pem: 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7',
  check: 'glpat-AbCdEfGhIjKlMnOp1234',
  config: 'sk-proj-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789',
  query: 'a1b2c3d4e5f6g7h8',
};

function bundleWith(env: Record<string, string>): string {
  const { paths } = home;
  const config = loadConfig(paths.configFile, env);
  const facts = {
    env,
    paths,
    config,
    version: '1.2.3',
    run: () => Promise.reject(new Error('runs nothing')),
  };
  return bundleText(facts, [
    report('tmux', 'ok', '3.4'),
    report('claude', 'warn', `token ${PLANTED.check} in its settings`),
  ]);
}

it('holds versions, checks, changed settings, sizes and the end of the log, and no planted secret', () => {
  const { paths } = home;
  mkdirSync(path.dirname(paths.configFile), { recursive: true });
  writeFileSync(
    paths.configFile,
    JSON.stringify({ mouse: false, completion_model_url: `http://me:${PLANTED.config}@127.0.0.1:8080` }),
  );
  mkdirSync(paths.stateDir, { recursive: true });
  writeFileSync(path.join(paths.stateDir, 'copane.db'), 'x'.repeat(5000));
  const lines = [
    { msg: 'the first line of all' },
    ...Array.from({ length: 300 }, (_, n) => ({ msg: `line ${n}` })),
    { msg: `ran curl -H "Authorization: Bearer ${PLANTED.bearer}" https://u:${PLANTED.url}@host.example/x` },
    { error: `Error: 401 for ${PLANTED.anthropic}\n    at ${paths.stateDir}/x.js`, key: PLANTED.github },
    { msg: `mysql --password=${PLANTED.option} and ${PLANTED.variable}` },
    { msg: `-----BEGIN PRIVATE KEY-----\n${PLANTED.pem}\n-----END PRIVATE KEY-----` },
    { msg: `GET https://host.example/?token=${PLANTED.query}` },
    { msg: 'the last line' },
  ];
  writeFileSync(logFileOf(paths.stateDir), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const text = bundleWith({
    HOME: path.dirname(paths.stateDir),
    MY_API_KEY: PLANTED.variable,
    TERM: 'xterm',
  });
  for (const [where, secret] of Object.entries(PLANTED)) expect(text, where).not.toContain(secret);
  expect(text).toContain('copane 1.2.3, Node ');
  expect(text).toContain('TERM=xterm');
  expect(text).toMatch(/ok {3}tmux +3\.4/);
  expect(text).toContain('"mouse": false');
  expect(text).not.toContain('"theme"');
  expect(text).toContain('5000\tcopane.db');
  expect(text).toContain('the last line');
  expect(text).not.toContain('the first line of all');
  expect(text).not.toContain(path.dirname(paths.stateDir));
});

it('reports that there is no state and no log', () => {
  const text = bundleWith({});
  expect(text).toContain('nothing yet');
  expect(text).toContain('no log yet');
});
