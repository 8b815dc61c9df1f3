/**
 * Installs the programs that `npm run bench` measures beside and that no package manager brings, into a cache folder
 * outside the repository. Safe to repeat. Needs Go.
 *
 *   npm run setup:peers
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { LAZYGIT_PROGRAM, LAZYGIT_VERSION } from '../bench/lazygit.ts';
import { run } from '../src/platform/run.ts';

const INSTALL_TIMEOUT_MS = 15 * 60_000;

const folder = path.dirname(LAZYGIT_PROGRAM);
mkdirSync(folder, { recursive: true });
console.log(`lazygit ${LAZYGIT_VERSION} into ${folder}: building …`);
const built = await run('go', ['install', `github.com/jesseduffield/lazygit@${LAZYGIT_VERSION}`], {
  env: { ...process.env, GOBIN: folder },
  timeoutMs: INSTALL_TIMEOUT_MS,
});
if (built.code !== 0) {
  console.error(`lazygit: not measured here: ${built.failure ?? built.stderr.trim()}`);
  process.exitCode = 1;
}
