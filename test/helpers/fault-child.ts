/**
 * A host in a separate process that runs the scenarios of `fault-scenarios.ts` on command: `prepare NAME` answers
 * `ready`, `act` answers with the outcome, `check ERRNO` with whether everything survived. Each is one line of JSON.
 */
import { readdirSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Result } from '../../src/lib/result.ts';
import { AgentHost } from './agent-host.ts';
import { FAULT_SCENARIOS, type FaultTry, wrongWords } from './fault-scenarios.ts';

await writeAtPlaces();
const host = await AgentHost.start();
let id = 0;
let current: FaultTry | null = null;
let answer: Result<unknown> | null = null;

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Makes files be written with `pwrite64`, as in-place writes are: threads also wake each other with `write`, a
 * different number of times in each run, and a fault could hit one of those calls.
 */
async function writeAtPlaces(): Promise<void> {
  const own = await open(process.execPath);
  const prototype = Object.getPrototypeOf(own) as FileHandle;
  prototype.writeFile = async function (this: FileHandle, data: string | Uint8Array) {
    const bytes = Buffer.from(data);
    for (let at = 0; at < bytes.length; )
      at += (await this.write(bytes, at, bytes.length - at, at)).bytesWritten;
  } as FileHandle['writeFile'];
  await own.close();
}

/** What was lost or not reported; null for nothing. */
async function fault(tried: FaultTry, answered: Result<unknown>, errno: string): Promise<string | null> {
  const found = await tried.look();
  const wanted = answered.ok ? tried.after : tried.before;
  if (!same(found, wanted))
    return `${JSON.stringify(answered)} was said, and there is ${JSON.stringify(found).slice(0, 2000)}`;
  const words = answered.ok ? null : wrongWords(answered.error, errno);
  if (words !== null) return words;
  const again = answered.ok ? answered : await tried.act();
  if (!again.ok) return `it does not succeed afterwards: ${again.error.message}`;
  if (!same(await tried.look(), tried.after)) return 'it is not whole afterwards';
  const left = readdirSync(host.home.home, { recursive: true }).filter((name) =>
    /\.copane-.*tmp/.test(`${name}`),
  );
  return left.length === 0 ? null : `left behind: ${left.join(', ')}`;
}

async function obey(line: string): Promise<unknown> {
  const [order = '', ...rest] = line.split(' ');
  const words = rest.join(' ');
  if (order === 'prepare') {
    id += 1;
    const scenario = FAULT_SCENARIOS[words];
    if (scenario === undefined) throw new Error(`no scenario ${words}`);
    current = await scenario(host, id);
    // Ensures that the thread that writes files exists.
    await stat(host.root);
    return { ready: true };
  }
  if (current === null) throw new Error('nothing is prepared');
  if (order === 'act') {
    answer = await current.act();
    return answer.ok ? { ok: true } : { ok: false, ...answer.error };
  }
  if (answer === null) throw new Error('nothing was done');
  return { fault: await fault(current, answer, words) };
}

process.stdout.write(`${JSON.stringify({ ready: true })}\n`);
for await (const line of createInterface({ input: process.stdin })) {
  try {
    process.stdout.write(`${JSON.stringify(await obey(line))}\n`);
  } catch (thrown) {
    process.stdout.write(`${JSON.stringify({ thrown: String(thrown) })}\n`);
  }
}
await host.stop();
