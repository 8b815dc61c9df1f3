/**
 * Installs the pinned real AI CLIs for `npm run test:full` and for new screen recordings, into a cache folder outside
 * the repository. Safe to repeat: installed clients are kept. A client that cannot be installed is named, and the
 * others are still installed.
 *
 *   npm run setup:clients [-- NAME ...]
 */
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { errorMessage } from '../src/lib/result.ts';
import { run } from '../src/platform/run.ts';
import {
  ADAPTERS,
  adapterCommand,
  CLIENTS,
  type ClientSpec,
  clientCommand,
  clientDir,
  clientsRoot,
  isInstalled,
} from '../test/helpers/client-catalog.ts';

const INSTALL_TIMEOUT_MS = 15 * 60_000;
const VERSION_TIMEOUT_MS = 60_000;

/** This checkout's Node: current clients refuse Node 20. */
const nodeBin = path.dirname(process.execPath);
const env = {
  ...process.env,
  PATH: `${nodeBin}${path.delimiter}${process.env.PATH ?? ''}`,
  // Asking a client for its version must not make it update or call home.
  DISABLE_AUTOUPDATER: '1',
  PI_OFFLINE: '1',
};

function step(argv: readonly string[], cwd: string): Promise<void> {
  const [file, ...args] = argv;
  if (file === undefined) throw new Error('an install step needs a program');
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), INSTALL_TIMEOUT_MS);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      if (code === 0) resolve();
      else reject(new Error(`${argv.join(' ')}: exit ${code}`));
    });
  });
}

type Installable = Pick<ClientSpec, 'registry' | 'packageName' | 'version'>;

async function install(spec: Installable, dir: string): Promise<void> {
  // A partial install from an interrupted run is useless.
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  if (spec.registry === 'npm') {
    // Its own package.json, so that npm does not search the folders above.
    writeFileSync(path.join(dir, 'package.json'), '{"private":true}\n');
    const wanted = `${spec.packageName}@${spec.version}`;
    await step(['npm', 'install', '--no-audit', '--no-fund', '--loglevel=error', wanted], dir);
  } else {
    await step(['python3', '-m', 'venv', dir], dir);
    const wanted = `${spec.packageName}==${spec.version}`;
    await step([path.join(dir, 'bin', 'pip'), 'install', '--quiet', wanted], dir);
  }
  writeFileSync(path.join(dir, '.installed'), `${spec.packageName}@${spec.version}\n`);
}

async function versionOf(spec: ClientSpec): Promise<string> {
  // Its own empty HOME: `--version` of some clients creates configuration files.
  const home = path.join(clientDir(spec), 'home-of-version-check');
  mkdirSync(home, { recursive: true });
  const outcome = await run(clientCommand(spec), ['--version'], {
    env: { ...env, HOME: home },
    timeoutMs: VERSION_TIMEOUT_MS,
  });
  if (outcome.code !== 0) return `does not start: ${outcome.failure ?? outcome.stderr.trim()}`;
  // pi prints its version on stderr.
  const printed = `${outcome.stdout.toString('utf8')}\n${outcome.stderr}`.trim();
  return printed.split('\n').at(-1) ?? '';
}

async function main(): Promise<number> {
  const names = process.argv.slice(2);
  const unknown = names.filter((name) => !CLIENTS.some((spec) => spec.name === name));
  if (unknown.length > 0) {
    const known = CLIENTS.map((spec) => spec.name).join(', ');
    console.error(`unknown client: ${unknown.join(', ')} (known: ${known})`);
    return 2;
  }
  const wanted = CLIENTS.filter((spec) => names.length === 0 || names.includes(spec.name));
  console.log(`clients in ${clientsRoot()}`);
  let failed = 0;
  for (const [index, spec] of wanted.entries()) {
    const label = `[${index + 1}/${wanted.length}] ${spec.name} (${spec.packageName} ${spec.version})`;
    try {
      if (isInstalled(spec.name)) {
        console.log(`${label}: installed already`);
      } else {
        console.log(`${label}: installing …`);
        await install(spec, clientDir(spec));
      }
      console.log(`${label}: ${await versionOf(spec)}`);
    } catch (thrown) {
      failed += 1;
      console.error(`${label}: not run here: ${errorMessage(thrown)}`);
    }
  }
  if (names.length === 0) failed += await installAdapters();
  return failed === 0 ? 0 : 1;
}

/** Returns how many could not be installed. */
async function installAdapters(): Promise<number> {
  let failed = 0;
  for (const { packageName, version, command } of ADAPTERS) {
    try {
      if (adapterCommand(command) !== null) continue;
      console.log(`${command} (${packageName} ${version}): installing …`);
      await install(
        { registry: 'npm', packageName, version },
        path.join(clientsRoot(), `${command}-${version}`),
      );
    } catch (thrown) {
      failed += 1;
      console.error(`${command}: not run here: ${errorMessage(thrown)}`);
    }
  }
  return failed;
}

process.exitCode = await main();
