/** A separate host, as in `copane serve`, without a companion. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import { COPANE, type CompanionPlace, copaneEnv } from './companion-pane.ts';
import { checkLines } from './line-contract.ts';
import { removeTree } from './remove-tree.ts';
import { until } from './until.ts';

/** After the tests of a file, the traffic on their sockets is checked. */
const records: string[] = [];
afterAll(() => {
  for (const folder of records.splice(0)) {
    checkLines(folder);
    removeTree(folder);
  }
});

/** Starts it and waits until it serves; the caller ends it. */
export async function serve(place: CompanionPlace): Promise<ChildProcess> {
  const lines = mkdtempSync(path.join(os.tmpdir(), 'copane-lines-'));
  records.push(lines);
  const env = { ...copaneEnv(place), COPANE_TEST_LINES: lines };
  const host = spawn(COPANE, ['serve'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  host.stderr?.on('data', (chunk) => {
    said += String(chunk);
  });
  await until('a host', () => said.includes('Serving on'), { show: () => said });
  return host;
}
