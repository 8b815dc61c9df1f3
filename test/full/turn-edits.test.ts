/**
 * The real AI CLIs, driven by the scripted model through edits of files: what their session files tell of each turn is
 * held against the bytes on disk. What copane calls exact must be exact; what it does not know it must say.
 * `COPANE_RECORD=1` also writes the table in docs/fidelity.md.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { readSessionChanges } from '../../src/app/changes/session-changes.ts';
import type { FileChange, TurnChanges } from '../../src/changes/core/turn-edits.ts';
import { ok } from '../../src/lib/result.ts';
import { CLIENTS, type ClientName, clientSpec, isInstalled } from '../helpers/client-catalog.ts';
import { writeEditTable } from '../helpers/edit-table.ts';
import { git } from '../helpers/git-fixture.ts';
import { removeTree } from '../helpers/remove-tree.ts';
import { type ScriptedModel, startScriptedModel } from '../helpers/scripted-model/server.ts';
import { DrivenClient } from '../helpers/transcript-drive.ts';
import {
  AFTER_REWIND,
  ALL_CASES,
  EDIT_CASES,
  type EditCase,
  editScript,
  INTERRUPT_AT,
  INTERRUPTED,
  promptFor,
  REFUSED,
  RESUMED,
  REWOUND,
  stepsFor,
} from '../helpers/turn-edit-cases.ts';
import { until } from '../helpers/until.ts';

let root = '';
let project = '';
let model: ScriptedModel | null = null;
const clients: DrivenClient[] = [];
const table = new Map<ClientName, Map<string, string>>();

afterEach(async () => {
  for (const client of clients.splice(0)) await client.stop();
  await model?.close();
  removeTree(root);
});
afterAll(() => {
  if (process.env.COPANE_RECORD === '1') writeEditTable(table);
});

/** Arguments with which a client takes edits. */
const ARGS: Readonly<Partial<Record<ClientName, readonly string[]>>> = {
  aider: ['--git', '--yes-always', '--edit-format', 'diff', '--no-suggest-shell-commands'],
};
/** Commands run as they are, without a question: in its sandbox they would fail. */
const COMMANDS_RUN: Readonly<Partial<Record<ClientName, readonly string[]>>> = {
  codex: ['-c', 'sandbox_mode="danger-full-access"'],
};
/** And with which it goes on with its last session. */
const RESUME: Readonly<Partial<Record<ClientName, readonly string[]>>> = {
  claude: ['--continue'],
  'claude-old': ['--continue'],
  codex: ['resume', '--last'],
  pi: ['--continue'],
  'pi-new': ['--continue'],
  gemini: ['--resume', 'latest'],
  aider: [],
};

async function begin(name: ClientName, args: readonly string[] = []): Promise<DrivenClient> {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'copane-turn-edits-')));
  project = path.join(root, 'project');
  mkdirSync(project);
  for (const { files } of ALL_CASES)
    for (const [file, content] of Object.entries(files)) writeFileSync(path.join(project, file), content);
  git(project, 'init', '-q');
  git(project, 'config', 'user.name', 'Human');
  git(project, 'config', 'user.email', 'human@example.com');
  git(project, 'add', '-A');
  git(project, 'commit', '-q', '-m', 'begin');
  model = await startScriptedModel(editScript(name, project));
  return start(name, args);
}

async function start(name: ClientName, more: readonly string[]): Promise<DrivenClient> {
  if (model === null) throw new Error('no model');
  const files =
    name === 'aider'
      ? ALL_CASES.flatMap((one) => Object.keys(one.files)).filter((file) => !file.startsWith('..'))
      : [];
  const args = [...more, ...(ARGS[name] ?? []), ...files];
  const client = await DrivenClient.start(name, { home: path.join(root, 'home'), project, model, args });
  clients.push(client);
  return client;
}

/** Those whose newest turn the keys of `rewindLast` take back though it called tools. */
const TAKES_BACK: ReadonlySet<ClientName> = new Set(['claude', 'claude-old', 'codex', 'opencode']);

type Bytes = ReadonlyMap<string, string | null>;

/** The files of a case as they are, one character a byte; null for a file that is not there. */
function filesOf({ files, fresh = [] }: EditCase): Bytes {
  const names = [...Object.keys(files), ...fresh].map((name) => path.resolve(project, name));
  return new Map(names.map((file) => [file, existsSync(file) ? readFileSync(file, 'latin1') : null]));
}

/** What the newest turn changed, as `copane changes` has it. */
async function newest(client: DrivenClient, wanted: EditCase): Promise<TurnChanges | null> {
  const prompt = promptFor(wanted);
  for (const ref of await client.refs()) {
    const snapshot = await client.reader.open(ref).read({ turns: 100 });
    const at = snapshot?.turns.findLastIndex((turn) => turn.prompt.includes(prompt)) ?? -1;
    if (snapshot === null || at < 0) continue;
    const back = snapshot.turns.length - at;
    const wish = { pane: null, session: ref.sessionId, cwd: project, turns: back };
    const read = await readSessionChanges(client.started.launch.env, wish, () => ok([0, 0]));
    if (!read.ok) throw new Error(read.error.message);
    return read.value.changes;
  }
  return null;
}

const linesIn = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** The text with the hunks applied at their lines; null when they do not stand there. */
function applied(text: string, { hunks, kind }: FileChange): string | null {
  const old = linesIn(kind === 'add' ? '' : text);
  const out: string[] = [];
  let at = 0;
  for (const { oldStart, oldLines, lines } of hunks) {
    const from = oldLines === 0 ? oldStart : oldStart - 1;
    while (at < from && at < old.length) out.push(old[at++] ?? '');
    for (const line of lines) {
      if (line[0] !== '+' && old[at++] !== line.slice(1)) return null;
      if (line[0] !== '-') out.push(line.slice(1));
    }
  }
  return [...out, ...old.slice(at)].join('');
}

/** A word for each reason, as the table has it. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/LF in place/, 'line ends'],
  [/held before/, 'before'],
  [/loosened/, 'loose'],
  [/commit/, 'commits'],
  [/no text/, 'no text'],
];

function shortWhy(why = ''): string {
  return WORDS.find(([pattern]) => pattern.test(why))?.[1] ?? why;
}

interface Outcome {
  readonly before: Bytes;
  readonly after: Bytes;
  /** A line that a human put in meanwhile, or none. */
  readonly human: string;
}

/** How well the changes tell what became of the files. Throws where they claim what is not so. */
function gradeOf(changes: TurnChanges | null, { before, after, human }: Outcome): string {
  const changed = [...after.keys()].filter((file) => before.get(file) !== after.get(file));
  if (changed.length === 0)
    return changes?.files.length ? 'WRONG: nothing was changed' : 'nothing was changed';
  if (changes === null) return 'turn not kept';
  const grades = changed.map((file) => {
    const told = changes.files.find((one) => one.path === file || one.movedFrom === file);
    if (told === undefined) return changes.unknown === undefined ? 'WRONG: not told' : 'not recorded';
    const from = told.movedFrom ?? file;
    const result = told.kind === 'delete' ? null : applied(before.get(from) ?? '', told);
    const target = told.kind === 'delete' ? null : (after.get(told.path) ?? null);
    const isKind = told.kind !== 'add' || before.get(from) == null;
    const isRight = isKind && result === target;
    const isAisAlone = human !== '' && target?.includes(human) && result === target.replace(human, '');
    if (isAisAlone && told.exact) return 'AI only';
    if (told.exact && changes.unknown === undefined) return isRight ? 'exact' : 'WRONG: called exact';
    if (told.exact) return isRight ? 'exact' : 'tools only';
    return `${isRight ? 'proof missing' : 'not exact'}: ${shortWhy(told.why)}`;
  });
  return [...new Set(grades)].join('; ');
}

function note(name: ClientName, one: EditCase, grade: string): void {
  const column = table.get(name) ?? new Map<string, string>();
  table.set(name, column.set(one.name, grade));
  console.log(`${name} ${clientSpec(name).version} | ${one.name} | ${grade}`);
}

async function run(client: DrivenClient, one: EditCase, act: () => Promise<void>): Promise<void> {
  const before = filesOf(one);
  await act();
  const after = filesOf(one);
  const grade = gradeOf(await newest(client, one), { before, after, human: one.human?.line ?? '' });
  note(client.name, one, grade);
  if (grade === 'nothing was changed' && one !== REFUSED) console.log(await client.started.tmux.screen());
}

async function humanEdits({ human }: EditCase, before: Bytes): Promise<void> {
  if (human === undefined) return;
  const file = path.join(project, human.file);
  await until('the first edit', async () => readFileSync(file, 'latin1') !== before.get(file), {
    timeoutMs: 60_000,
  });
  writeFileSync(file, `${readFileSync(file, 'latin1')}${human.line}`, 'latin1');
}

/** The parts of an answer after which it is whole: a text before each step, and the last. */
const partsOf = (one: EditCase, name: ClientName) => (name === 'aider' ? 1 : stepsFor(name, one).length + 1);

/** Whether the turn that was taken back is gone, and what became of its file. */
async function checkRewound(client: DrivenClient): Promise<void> {
  const before = filesOf(REWOUND);
  await client.ask(promptFor(REWOUND), partsOf(REWOUND, client.name));
  await client.rewindLast();
  await client.ask(promptFor(AFTER_REWIND));
  const isBack = [...filesOf(REWOUND)].every(([file, text]) => text === before.get(file));
  // Codex goes on in a new file; the old one keeps the turn.
  const session = await client.sessionOf(promptFor(AFTER_REWIND));
  const isGone = session?.turns.every(({ prompt }) => !prompt.includes(promptFor(REWOUND))) ?? false;
  note(client.name, REWOUND, `turn ${isGone ? 'gone' : 'kept'}, file ${isBack ? 'back' : 'as it was left'}`);
  expect(isGone).toBe(true);
}

async function checkAll(name: ClientName): Promise<void> {
  const client = await begin(name, COMMANDS_RUN[name]);
  for (const one of EDIT_CASES.filter(({ only }) => only === undefined || only.includes(name))) {
    const before = filesOf(one);
    await run(client, one, async () => {
      await Promise.all([client.ask(promptFor(one), partsOf(one, name)), humanEdits(one, before)]);
      if (one.subagent === undefined) return;
      // It goes on after the answer of the AI that started it.
      const isDone = async () => [...filesOf(one)].some(([file, text]) => text !== before.get(file));
      await client.wait('the work of the sub-agent', isDone);
      await client.started.tmux.settled(2_000);
    });
  }
  if (TAKES_BACK.has(name)) await checkRewound(client);
  // An answer of aider is one text: stopped, it holds no edit.
  if (name !== 'aider')
    await run(client, INTERRUPTED, () => client.askAndStop(promptFor(INTERRUPTED), INTERRUPT_AT));
  const args = RESUME[name];
  if (args !== undefined) {
    await client.stop();
    const again = await start(name, args);
    await run(again, RESUMED, () => again.ask(promptFor(RESUMED), partsOf(RESUMED, name)));
  }
}

async function checkRefused(name: ClientName): Promise<void> {
  const client = await begin(name);
  await run(client, REFUSED, () => client.askAndRefuse(promptFor(REFUSED)));
  expect(table.get(name)?.get(REFUSED.name)).toBe('nothing was changed');
}

/** `npm run test:full -- turn-edits -t 'claude'` runs one client. */
describe('edits of the real clients', () => {
  for (const { name } of CLIENTS) {
    const skip = it.skipIf(!isInstalled(name));
    skip(`${name}: what is called exact is exact`, async () => {
      await checkAll(name);
      const wrong = [...(table.get(name) ?? [])].filter(([, grade]) => grade.includes('WRONG'));
      expect(wrong).toEqual([]);
    });
    // pi asks for no permission, aider was told to ask for none.
    if (clientSpec(name).cli !== 'pi' && name !== 'aider')
      skip(`${name}: a refused edit changes nothing`, () => checkRefused(name));
  }
});
