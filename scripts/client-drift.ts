/**
 * Reports how far the AI CLIs have moved from the versions that copane supports: the newest version in each registry
 * beside ours; then whether their screens and session files are still read as recorded.
 *
 *   npm run clients:drift [-- --versions] [NAME ...]
 *
 * `--versions` only asks the registries. The rest needs the clients: npm run setup:clients
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { run } from '../src/platform/run.ts';
import { CLIENTS, type ClientSpec, isInstalled } from '../test/helpers/client-catalog.ts';

const REGISTRY_TIMEOUT_MS = 60_000;
/** The tests that record every screen again, and that play every session-file case. */
const CHECKS = ['test/full/screens.test.ts', 'test/full/transcripts.test.ts'];

/** The newest version in the registry; null when it does not answer. */
async function newestOf({ registry, packageName }: Pick<ClientSpec, 'registry' | 'packageName'>) {
  const [file, args]: [string, string[]] =
    registry === 'npm'
      ? ['npm', ['view', packageName, 'version']]
      : ['pip', ['index', 'versions', packageName]];
  const asked = await run(file, args, { timeoutMs: REGISTRY_TIMEOUT_MS });
  const version = /\d+\.\d+\.\d+\S*/.exec(asked.stdout.toString('utf8'))?.[0] ?? null;
  return asked.code === 0 ? (version?.replace(/[),]+$/, '') ?? null) : null;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { versions: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const wanted = CLIENTS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  for (const spec of wanted) {
    const newest = await newestOf(spec);
    const isOurs = CLIENTS.some(
      ({ packageName, version }) => packageName === spec.packageName && version === newest,
    );
    const word = newest === null ? 'not known' : isOurs ? 'ours' : 'NOT OURS';
    console.log(
      `${spec.name.padEnd(10)} ${spec.packageName} ${spec.version}, newest ${newest ?? '?'}: ${word}`,
    );
  }
  if (values.versions) return 0;
  const absent = wanted.filter(({ name }) => !isInstalled(name));
  for (const { name } of absent) console.log(`${name}: not run here (npm run setup:clients)`);
  const names = wanted.filter((spec) => !absent.includes(spec)).map(({ name }) => name);
  if (names.length === 0) return 1;
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'full', ...CHECKS];
  const filter = names.length === CLIENTS.length ? [] : ['-t', `(?:^|\\s)(?:${names.join('|')})(?:\\s|$)`];
  const { status } = spawnSync(process.execPath, [...vitest, ...filter], { stdio: 'inherit' });
  return status ?? 1;
}

process.exitCode = await main();
