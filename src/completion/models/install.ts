/** Installs node-llama-cpp into the data folder by npm, without scripts, only for this machine; removes it. */
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { fail, ok, type Result } from '../../lib/result.ts';
import type { Env } from '../../platform/paths.ts';
import { run } from '../../platform/run.ts';
import { RUNTIME_VERSION, runtimeBinary, runtimeDir, runtimeModule } from './model-files.ts';

/** Some 85 MB over a slow line. */
const INSTALL_TIMEOUT_MS = 15 * 60_000;
const CHECK_TIMEOUT_MS = 60_000;

/** The words of the command that installs it; null if there is no build for this machine. */
export function installCommand(platform: string, arch: string): readonly string[] | null {
  const binary = runtimeBinary(platform, arch);
  if (binary === null) return null;
  return [
    'npm',
    'install',
    '--omit=optional',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--save-exact',
    `node-llama-cpp@${RUNTIME_VERSION}`,
    `@node-llama-cpp/${binary}@${RUNTIME_VERSION}`,
  ];
}

export const isInstalled = (dataDir: string): boolean => existsSync(runtimeModule(dataDir));

/** Runs `command` in the runtime's folder and checks that the result loads. */
export async function installRuntime(
  dataDir: string,
  command: readonly string[],
  env: Env,
): Promise<Result<void>> {
  const dir = runtimeDir(dataDir);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await writeFile(path.join(dir, 'package.json'), '{"private":true}\n');
  const [program = 'npm', ...args] = command;
  const installed = await run(program, args, { cwd: dir, env, timeoutMs: INSTALL_TIMEOUT_MS });
  if (installed.code !== 0) {
    const last = installed.stderr.trim().split('\n').at(-1) ?? '';
    return fail('internal', `npm did not install node-llama-cpp (${installed.failure ?? last})`);
  }
  const { href } = pathToFileURL(runtimeModule(dataDir));
  // A file, not `-e`: the package starts a process with this one's options.
  const check = path.join(dir, 'check.mjs');
  await writeFile(
    check,
    `const m = await import(${JSON.stringify(href)});
await m.getLlama({ build: 'never', skipDownload: true, logLevel: 'disabled' });
process.exit(0);
`,
  );
  const checked = await run(process.execPath, [check], {
    cwd: dir,
    env,
    timeoutMs: CHECK_TIMEOUT_MS,
  });
  return checked.code === 0
    ? ok(undefined)
    : fail(
        'internal',
        'node-llama-cpp is installed but does not load on this machine',
        'A llama-server works with copane just as well: see completion_model.',
      );
}

export async function removeRuntime(dataDir: string): Promise<void> {
  await rm(runtimeDir(dataDir), { recursive: true, force: true });
}
