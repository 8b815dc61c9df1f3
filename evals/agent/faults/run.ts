/**
 * Plays jobs with models and servers that err on a built program, over real HTTP, and prints how each ended.
 *
 *   npm run eval:faults [-- --program PATH] [NAME …]
 *
 * PATH: bin/copane of an installed package; left out: of this checkout, as `npm run build` left it.
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { run } from '../../../src/platform/run.ts';
import { CASE_FILES, FAULTS, type FaultCase } from './case.ts';
import { CASES } from './cases.ts';
import type { Answer } from './replies.ts';
import { WEAK_CASES } from './weak-models.ts';

const TIMEOUT_MS = 90_000;
const MAX_REQUESTS = 3;
/** Jobs at one time. */
const LANES = 3;

interface Outcome {
  readonly one: FaultCase;
  /** How it ended, in a few words. */
  readonly ended: string;
  /** What is wrong with that; empty: nothing. */
  readonly faults: readonly string[];
}

async function play(program: string, one: FaultCase): Promise<Outcome> {
  const home = mkdtempSync(path.join(realpathSync(os.tmpdir()), 'copane-faults-'));
  const root = path.join(home, 'project');
  const asked: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      const answer = one.answers[Math.min(asked.length, one.answers.length - 1)];
      asked.push(body);
      if (answer !== undefined) void send(answer, response, root);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    for (const [name, text] of Object.entries({ ...CASE_FILES, ...one.files })) put(root, name, text);
    await run('git', ['init', '--quiet', root], { timeoutMs: TIMEOUT_MS });
    const config = { agent_remote_url: `http://127.0.0.1:${port}/v1`, agent_remote_model: 'scripted' };
    put(home, '.config/copane/config.jsonc', JSON.stringify(config));
    const env = { PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`, HOME: home };
    const copane = (...args: readonly string[]) =>
      run(program, args, { cwd: root, env, timeoutMs: TIMEOUT_MS });
    const ran = await copane('agent', 'run', '--json', one.prompt ?? 'Put beta in capitals in b.md.');
    const job = jobIn(ran.stdout.toString());
    if (job === null) return { one, ended: 'no job', faults: [`no job: ${ran.stderr}`] };
    if (job.status === 'awaiting_review') await copane('agent', 'apply', '--all', job.id);
    return judge(one, { job, asked, root });
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

async function send(
  { status = 200, headers = {}, body, isCut, meanwhile }: Answer,
  response: ServerResponse,
  root: string,
) {
  for (const [name, text] of Object.entries(meanwhile ?? {})) put(root, name, text);
  response.writeHead(status, headers);
  for (const piece of body) {
    response.write(piece);
    // Each piece is a packet of its own.
    if (body.length > 1) await new Promise((resolve) => setImmediate(resolve));
  }
  if (isCut) response.destroy();
  else response.end();
}

function put(root: string, name: string, text: string | null): void {
  const file = path.join(root, name);
  if (text === null) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

interface Job {
  readonly id: string;
  readonly status: string;
  readonly message: string | null;
  readonly error: { readonly message: string; readonly hint: string | null } | null;
}

function jobIn(text: string): Job | null {
  const line = text.split('\n').find((one) => one.startsWith('{"id"'));
  return line === undefined ? null : (JSON.parse(line) as Job);
}

function judge(
  one: FaultCase,
  { job, asked, root }: { job: Job; asked: readonly string[]; root: string },
): Outcome {
  const said = [job.error?.message, job.message].filter(Boolean).join('\n');
  const faults: string[] = [];
  const max = one.maxRequests ?? Math.max(MAX_REQUESTS, one.answers.length);
  if (asked.length > max) faults.push(`${asked.length} requests, at most ${max} expected`);
  const conversation = asked.map((body) => body.replaceAll('\\n', '\n')).join('\n');
  if (one.told !== undefined && !one.told.test(conversation))
    faults.push(`the model was not told ${one.told}`);
  if ('says' in one.ends) {
    if (!one.ends.says.test(said)) faults.push(`it says ${JSON.stringify(said.slice(0, 300))}`);
    if (job.status === 'awaiting_review') faults.push('it proposes something');
  } else {
    for (const [name, text] of Object.entries(one.ends.files)) {
      if (textOf(path.join(root, name)) !== text)
        faults.push(`${name} is not as expected (${job.status}: ${said.slice(0, 300)})`);
    }
  }
  const ended = job.status === 'awaiting_review' ? 'proposal' : (said.split('\n')[0] ?? '').slice(0, 70);
  return { one, ended: `${ended} (${asked.length})`, faults };
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown;
    return null;
  }
}

function table(
  outcomes: readonly Outcome[],
  rowOf: (one: FaultCase) => string,
  names: readonly string[],
): string {
  return names
    .map((name) => {
      const own = outcomes.filter(({ one }) => rowOf(one) === name);
      const good = own.filter(({ faults }) => faults.length === 0).length;
      return `${name.padEnd(24)} ${String(good).padStart(3)} of ${String(own.length).padStart(3)}`;
    })
    .join('\n');
}

const { values, positionals } = parseArgs({
  options: { program: { type: 'string' } },
  allowPositionals: true,
});
const program = path.resolve(values.program ?? path.join(import.meta.dirname, '../../../bin/copane'));
const all = [...CASES, ...WEAK_CASES];
const wanted = all.filter(
  ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
);
const queue = [...wanted];
const outcomes: Outcome[] = [];
async function lane(): Promise<void> {
  for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
    const outcome = await play(program, one);
    outcomes.push(outcome);
    console.log(
      `${outcome.faults.length === 0 ? '✓' : '✗'} ${one.fault.padEnd(18)} ${one.name}: ${outcome.ended}`,
    );
    for (const fault of outcome.faults) console.log(`      ${fault}`);
  }
}
await Promise.all(Array.from({ length: LANES }, lane));
const models = [...new Set(all.map(({ model = 'written' }) => model))];
console.log(`\nby fault\n${table(outcomes, ({ fault }) => fault, FAULTS)}`);
console.log(`\nby model\n${table(outcomes, ({ model = 'written' }) => model, models)}`);
process.exitCode = outcomes.every(({ faults }) => faults.length === 0) ? 0 : 1;
