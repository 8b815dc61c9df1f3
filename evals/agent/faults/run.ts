/**
 * Runs jobs with faulty models and servers on a built program, over real HTTP, and prints how each ended.
 *
 *   npm run eval:faults [-- --program PATH] [NAME …]
 *
 * PATH: bin/copane of an installed package; left out: this checkout's, as built by `npm run build`.
 */
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { CASE_FILES, FAULTS, type FaultCase } from './case.ts';
import { CASES } from './cases.ts';
import { type PlayedJob, playJob, put } from './play-job.ts';
import type { Answer } from './replies.ts';
import { WEAK_CASES } from './weak-models.ts';

const MAX_REQUESTS = 3;
/** Jobs run at a time. */
const LANES = 3;

interface Outcome {
  readonly one: FaultCase;
  /** How it ended, in a few words. */
  readonly ended: string;
  /** What is wrong with that; empty when all is well. */
  readonly faults: readonly string[];
}

function play(program: string, one: FaultCase): Promise<Outcome> {
  const setup = {
    program,
    prompt: one.prompt ?? 'Put beta in capitals in b.md.',
    files: { ...CASE_FILES, ...one.files },
    answer: (response: ServerResponse, { at, root }: { at: number; root: string }) => {
      const answer = one.answers[Math.min(at, one.answers.length - 1)];
      if (answer !== undefined) void send(answer, response, root);
    },
  };
  return playJob(setup, (played) => judge(one, played));
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
    // Each piece goes out as a packet.
    if (body.length > 1) await new Promise((resolve) => setImmediate(resolve));
  }
  if (isCut) response.destroy();
  else response.end();
}

function judge(one: FaultCase, { status, said, asked, read }: PlayedJob): Outcome {
  const faults: string[] = [];
  const max = one.maxRequests ?? Math.max(MAX_REQUESTS, one.answers.length);
  if (asked.length > max) faults.push(`${asked.length} requests, at most ${max} expected`);
  const conversation = asked.map((body) => body.replaceAll('\\n', '\n')).join('\n');
  if (one.told !== undefined && !one.told.test(conversation))
    faults.push(`the model was not told ${one.told}`);
  if ('says' in one.ends) {
    if (!one.ends.says.test(said)) faults.push(`it says ${JSON.stringify(said.slice(0, 300))}`);
    if (status === 'awaiting_review') faults.push('it proposes something');
  } else {
    for (const [name, text] of Object.entries(one.ends.files)) {
      if ((read(name)?.toString() ?? null) !== text)
        faults.push(`${name} is not as expected (${status}: ${said.slice(0, 300)})`);
    }
  }
  const ended = status === 'awaiting_review' ? 'proposal' : (said.split('\n')[0] ?? '').slice(0, 70);
  return { one, ended: `${ended} (${asked.length})`, faults };
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
