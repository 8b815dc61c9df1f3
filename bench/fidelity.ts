/**
 * `npm run bench:fidelity [-- CLIENT …]`: compares what a pull gives from each real AI CLI with what the model said,
 * case by case, at two widths. Prints the table and writes it to `docs/fidelity.md`; the columns of other clients are
 * kept. A client that is not installed is marked as not run.
 */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { errorMessage } from '../src/lib/result.ts';
import type { TranscriptSnapshot } from '../src/responses/transcripts/port.ts';
import { CLEAR } from '../test/helpers/beside-client.ts';
import { CLIENTS, type ClientName, type ClientSpec, isInstalled } from '../test/helpers/client-catalog.ts';
import { EDITS_HEADING, joinTable } from '../test/helpers/edit-table.ts';
import { removeTree } from '../test/helpers/remove-tree.ts';
import { startScriptedModel } from '../test/helpers/scripted-model/server.ts';
import {
  AFTER_PROMPT,
  AFTER_TEXT,
  LONG_PROMPT,
  LONG_TEXT,
  LOOK_TOOL,
  MARKDOWN,
  promptOf,
  SLOW_PROMPT,
  SLOW_TEXT,
  scriptFor,
  TOOL_PROMPT,
  TOOL_TEXTS,
} from '../test/helpers/transcript-cases.ts';
import { DrivenClient } from '../test/helpers/transcript-drive.ts';

const COLUMNS = [90, 40] as const;
const NOT_RUN = 'not run here';

/** From best to worst; a cell shows the worst of both widths. */
const GRADES = [
  'exact',
  'edges trimmed',
  'trimmed, joiners and comments lost',
  'its prompt alone',
  'not kept',
  'differs',
  'missing',
] as const;
type Grade = (typeof GRADES)[number];

interface Case {
  readonly name: string;
  readonly prompt: string;
  readonly parts: readonly string[];
}

const CASES: readonly Case[] = [
  ...Object.entries(MARKDOWN).map(([name, text]) => ({ name, prompt: promptOf(name), parts: [text] })),
  { name: 'two tool calls between texts', prompt: TOOL_PROMPT, parts: TOOL_TEXTS },
  { name: '5,000 lines', prompt: LONG_PROMPT, parts: [LONG_TEXT] },
];

/** Cases that do not apply to a client. */
const NO_TOOLS = 'has no tools';
const ONE_HISTORY = 'one file a folder';

/** The command that begins a new session; null where a folder has only one session file. */
const ANEW: Readonly<Record<ClientName, string | null>> = { ...CLEAR, aider: null };

/** Cases that need more than a prompt and its answer. */
const SCENES: Readonly<
  Record<string, (client: DrivenClient, another: () => Promise<DrivenClient>) => Promise<string>>
> = {
  'an interrupted turn': gradeInterrupted,
  'a new session (/clear, /new)': gradeAnew,
  'two sessions in one folder': gradeTwins,
};

const TITLES = [...CASES.map(({ name }) => name), ...Object.keys(SCENES)];

function gradeOf(wanted: readonly string[], got: readonly string[] | undefined): Grade {
  if (got === undefined || got.length === 0) return 'missing';
  const equal = (change: (text: string) => string) =>
    wanted.length === got.length && wanted.every((text, index) => change(text) === change(got[index] ?? ''));
  if (equal((text) => text)) return 'exact';
  if (equal((text) => text.trim())) return 'edges trimmed';
  const bare = (text: string) =>
    text
      .replaceAll('\u200d', '')
      .replace(/<!--.*?-->/gs, '')
      .trim();
  return equal(bare) ? 'trimmed, joiners and comments lost' : 'differs';
}

function gradesOf(name: ClientName, snapshot: TranscriptSnapshot | null): ReadonlyMap<string, string> {
  const grades = CASES.map(({ name: title, prompt, parts }): [string, string] => {
    if (parts.length > 1 && LOOK_TOOL[name] === null) return [title, NO_TOOLS];
    const turn = snapshot?.turns.find((candidate) => candidate.prompt.trim() === prompt);
    return [title, gradeOf(parts, turn?.parts)];
  });
  return new Map(grades);
}

async function gradeInterrupted(client: DrivenClient): Promise<Grade> {
  await client.askAndStop(SLOW_PROMPT, 'And on it goes');
  await client.ask(AFTER_PROMPT);
  const turns = (await client.sessionOf(AFTER_PROMPT))?.turns ?? [];
  const stopped = turns.find(({ prompt }) => prompt.trim() === SLOW_PROMPT);
  if (turns.at(-1)?.response !== AFTER_TEXT) return 'differs';
  if (stopped === undefined) return 'not kept';
  if (stopped.response === '') return 'its prompt alone';
  return SLOW_TEXT.startsWith(stopped.response.trim()) ? 'exact' : 'differs';
}

async function gradeAnew(client: DrivenClient): Promise<string> {
  const command = ANEW[client.name];
  if (command === null) return ONE_HISTORY;
  await client.command(command);
  await client.ask('Extra one, anew.');
  return answersOf(await client.sessionOf('Extra one, anew.'), ['Extra answer one.']);
}

async function gradeTwins(client: DrivenClient, another: () => Promise<DrivenClient>): Promise<string> {
  if (ANEW[client.name] === null) return ONE_HISTORY;
  const twin = await another();
  await twin.ask('Extra two, from the twin.');
  await client.ask('Extra three, from the first.');
  const theirs = answersOf(await twin.sessionOf('Extra two, from the twin.'), ['Extra answer two.']);
  const ours = await client.sessionOf('Extra three, from the first.');
  return worst(theirs, answersOf(ours, ['Extra answer one.', 'Extra answer three.']));
}

/** Grades a session by all its answers. */
function answersOf(snapshot: TranscriptSnapshot | null, wanted: readonly string[]): Grade {
  return gradeOf(
    wanted,
    snapshot?.turns.map(({ response }) => response),
  );
}

/** All cases of one client at one width. */
async function drive(name: ClientName, columns: number): Promise<ReadonlyMap<string, string>> {
  const root = mkdtempSync(path.join(os.tmpdir(), 'copane-fidelity-'));
  const model = await startScriptedModel(scriptFor(name));
  const clients: DrivenClient[] = [];
  const begin = async () => {
    const place = { home: path.join(root, 'home'), project: path.join(root, 'project') };
    const client = await DrivenClient.start(name, { ...place, model, columns });
    clients.push(client);
    return client;
  };
  try {
    const client = await begin();
    const cases = CASES.filter(({ parts }) => parts.length === 1 || LOOK_TOOL[name] !== null);
    for (const { prompt, parts } of cases) await client.ask(prompt, parts.length);
    const grades = new Map(gradesOf(name, await client.sessionOf(LONG_PROMPT)));
    for (const [title, grade] of Object.entries(SCENES)) grades.set(title, await grade(client, begin));
    return grades;
  } finally {
    for (const client of clients) await client.stop();
    await model.close();
    removeTree(root);
  }
}

function worst(one: string, other: string): string {
  const ranks: readonly string[] = GRADES;
  return ranks.indexOf(other) > ranks.indexOf(one) ? other : one;
}

/** The column of one client: a grade for each case. */
async function columnOf(spec: ClientSpec): Promise<readonly string[]> {
  if (!isInstalled(spec.name)) return TITLES.map(() => NOT_RUN);
  try {
    const [first, ...others] = await inTurn(COLUMNS, (columns) => drive(spec.name, columns));
    return TITLES.map((name) =>
      others.reduce((grade, other) => worst(grade, other.get(name) ?? NOT_RUN), first?.get(name) ?? NOT_RUN),
    );
  } catch (thrown) {
    console.error(`${spec.name}: ${errorMessage(thrown)}`);
    return TITLES.map(() => 'failed to run');
  }
}

async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

const wanted = process.argv.slice(2);
const specs = CLIENTS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const columns = await inTurn(specs, columnOf);
const cells = new Map(
  specs.map(({ name }, at) => [
    name,
    new Map(TITLES.map((title, row) => [title, columns[at]?.[row] ?? NOT_RUN])),
  ]),
);
const page = path.resolve(import.meta.dirname, '../docs/fidelity.md');
// A separate test produces the table behind it.
const [before = '', edits] = readFileSync(page, 'utf8').split(EDITS_HEADING);
const table = joinTable(TITLES, cells, before);
console.log(table);
const text = `# Fidelity of a pull

What a pull gives of each AI CLI beside what the model said, in real sessions in tmux at ${COLUMNS.join(' and ')} columns
(the worse of both), answered by a scripted model. Made by \`npm run bench:fidelity\`; the clients come by
\`npm run setup:clients\`.

${table}

*exact*: byte for byte; of an interrupted turn as far as it was written. Gemini CLI trims an answer and takes zero-width
joiners and HTML comments out of it before it writes its session file; its checkpoints hold the exact text. aider trims
an answer, and its history cannot tell a line of the answer that begins with \`#### \` or \`> \` and ends in two spaces from
a prompt or a message. Codex keeps nothing of an answer that was interrupted, Gemini CLI drops the interrupted turn with
its next checkpoint.
`;
writeFileSync(page, edits === undefined ? text : `${text}\n${EDITS_HEADING}${edits}`);
