/**
 * The real AI CLIs, driven by the scripted model through file edits: what their session files say about each turn is
 * checked against the bytes on disk. What copane calls exact must be exact; it must admit what it does not know.
 * docs/fidelity.md must agree; `COPANE_RECORD=1` writes it. `COPANE_CASES=PATTERN` runs only the cases of that name.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { readSessionChanges } from '../../src/app/changes/session-changes.ts';
import type { FileChange, TurnChanges } from '../../src/changes/core/turn-edits.ts';
import { ok } from '../../src/lib/result.ts';
import { latin1 } from '../../src/review/core/bytes.ts';
import { CLIENTS, type ClientName, clientSpec, isInstalled } from '../helpers/client-catalog.ts';
import { CompanionPane, copaneEnv } from '../helpers/companion-pane.ts';
import { otherThanOnPage, shortWhy, writeEditTable } from '../helpers/edit-table.ts';
import { hasLooked } from '../helpers/first-look.ts';
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
  INTERRUPTED_COMMAND,
  promptFor,
  REFUSED,
  RESUMED,
  REWOUND,
  SEEN_CASES,
  stepsFor,
} from '../helpers/turn-edit-cases.ts';
import { until } from '../helpers/until.ts';

let root = '';
let project = '';
let model: ScriptedModel | null = null;
const clients: DrivenClient[] = [];
type Table = Map<ClientName, Map<string, string>>;
/** From session files alone, and with a companion that follows the pane. */
const tables: Record<'alone' | 'followed', Table> = { alone: new Map(), followed: new Map() };
let companion: CompanionPane | null = null;

afterEach(async () => {
  for (const client of clients.splice(0)) await client.stop();
  await model?.close();
  companion = null;
  removeTree(root);
});
afterAll(() => {
  if (process.env.COPANE_RECORD === '1') writeEditTable(tables);
  else expect(otherThanOnPage(tables)).toEqual([]);
});

/** Arguments that make a client apply edits. */
const ARGS: Readonly<Partial<Record<ClientName, readonly string[]>>> = {
  aider: ['--git', '--yes-always', '--edit-format', 'diff', '--no-suggest-shell-commands'],
};
/** Commands run directly, without a question: in its sandbox they would fail. */
const COMMANDS_RUN: Readonly<Partial<Record<ClientName, readonly string[]>>> = {
  codex: ['-c', 'sandbox_mode="danger-full-access"'],
};
/** Arguments that continue its last session. */
const RESUME: Readonly<Partial<Record<ClientName, readonly string[]>>> = {
  claude: ['--continue'],
  'claude-old': ['--continue'],
  codex: ['resume', '--last'],
  pi: ['--continue'],
  'pi-new': ['--continue'],
  gemini: ['--resume', 'latest'],
  opencode: ['--continue'],
  aider: [],
};

async function begin(name: ClientName, args: readonly string[] = []): Promise<DrivenClient> {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'copane-turn-edits-')));
  project = path.join(root, 'project');
  mkdirSync(project);
  const cases = [...ALL_CASES, ...SEEN_CASES];
  for (const { files, links = {} } of cases) {
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
      writeFileSync(path.join(project, file), content);
    }
    for (const [link, target] of Object.entries(links)) symlinkSync(target, path.join(project, link));
  }
  for (const name of [...cases.flatMap(({ repositories = [] }) => repositories), '.']) {
    const folder = path.join(project, name);
    git(folder, 'init', '-q');
    git(folder, 'config', 'user.name', 'Human');
    git(folder, 'config', 'user.email', 'human@example.com');
    git(folder, 'add', '-A');
    git(folder, 'commit', '-q', '-m', 'begin');
  }
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

/** Clients where the keys of `rewindLast` undo the newest turn although it called tools. */
const TAKES_BACK: ReadonlySet<ClientName> = new Set(['claude', 'claude-old', 'codex', 'opencode']);

/** A file: whether it is executable, and its text, one character a byte; null if it does not exist. */
type Content = { readonly isRunnable: boolean; readonly text: string } | null;
type Contents = ReadonlyMap<string, Content>;

function contentOf(file: string): Content {
  if (!existsSync(file)) return null;
  return { isRunnable: (statSync(file).mode & 0o111) !== 0, text: readFileSync(file, 'latin1') };
}

/** Every file of the project, and the files of the case, which may be outside. */
function filesOf({ files, fresh = [] }: EditCase): Contents {
  const own = [...Object.keys(files), ...fresh].map((name) => path.resolve(project, name));
  const all = readdirSync(project, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !NOT_SEEN.test(path.relative(project, file)));
  return new Map([...own, ...all].map((file) => [file, contentOf(file)]));
}

/** The AI CLIs' and git's own files. */
const NOT_SEEN = /(^|\/)\.(git|aider|gemini|claude|opencode)/;

/** The newest turn's changes, as `copane changes` reports them. */
async function newest(client: DrivenClient, wanted: EditCase): Promise<TurnChanges | null> {
  const prompt = promptFor(wanted);
  const { XDG_STATE_HOME, XDG_RUNTIME_DIR, XDG_CONFIG_HOME } = copaneEnv({ root, project });
  const env = { ...client.started.launch.env, XDG_STATE_HOME, XDG_RUNTIME_DIR, XDG_CONFIG_HOME };
  for (const ref of await client.refs()) {
    const snapshot = await client.reader.open(ref).read({ turns: 100 });
    const at = snapshot?.turns.findLastIndex((turn) => turn.prompt.includes(prompt)) ?? -1;
    if (snapshot === null || at < 0) continue;
    const back = snapshot.turns.length - at;
    const wanted = { pane: null, session: ref.sessionId, cwd: project, turns: back };
    const read = await readSessionChanges(env, wanted, () => ok([0, 0]));
    if (!read.ok) throw new Error(read.error.message);
    return read.value.changes;
  }
  return null;
}

const linesIn = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** The text with the change applied; null when its hunks do not match. */
function applied(text: string, { hunks, kind, binary, after }: FileChange): string | null {
  if (binary) return after !== undefined && 'bytes' in after ? latin1(after.bytes) : null;
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

interface Outcome {
  readonly before: Contents;
  readonly after: Contents;
  readonly human: EditCase['human'];
}

const isSame = (a: Content | undefined, b: Content | undefined) =>
  JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** How well the reported changes match the files. Throws where they claim something false. */
function gradeOf(changes: TurnChanges | null, { before, after, human }: Outcome): string {
  const names = new Set([...before.keys(), ...after.keys()]);
  const changed = [...names].filter((file) => !isSame(before.get(file), after.get(file)));
  const extra = changes?.files.find(({ path: file }) => !changed.includes(file));
  if (extra !== undefined) return `WRONG: ${path.relative(project, extra.path)} was not changed`;
  if (changed.length === 0) return 'nothing was changed';
  if (changes === null) return 'turn not kept';
  const grades = changed.map((file) => {
    const told = changes.files.find((one) => one.path === file || one.movedFrom === file);
    if (told === undefined) return changes.unknown === undefined ? 'WRONG: not told' : 'not recorded';
    const from = told.movedFrom ?? file;
    const result = told.kind === 'delete' ? null : applied(before.get(from)?.text ?? '', told);
    const target = told.kind === 'delete' ? null : (after.get(told.path) ?? null);
    const isKind = told.kind !== 'add' || before.get(from) == null;
    const isMode =
      told.modes === undefined || ((told.modes[1] & 0o111) !== 0) === (target?.isRunnable ?? false);
    const isRight = isKind && isMode && result === (target?.text ?? null);
    const isAisAlone =
      human !== undefined &&
      target?.text.includes(human.line) &&
      (result === target.text.replace(human.line, '') ||
        // Derived from the text that already has your line.
        applied(withHuman(before.get(from)?.text ?? '', human), told) === target.text);
    const isTaken =
      human !== undefined &&
      told.hunks.some(
        ({ origin, lines }) => /^(?:tool|command)$/.test(origin) && lines.includes(`+${human.line}`),
      );
    if (isTaken) return 'WRONG: the human’s line is told as the AI’s';
    if (isAisAlone && told.exact) return 'AI only';
    if (told.exact && changes.unknown === undefined) return isRight ? 'exact' : 'WRONG: called exact';
    if (told.exact) return isRight ? 'exact' : 'tools only';
    return `${isRight ? 'proof missing' : 'not exact'}: ${shortWhy(told.why)}`;
  });
  const isUnsure = changes.files.some(({ hunks }) => hunks.some(({ origin }) => origin === 'unknown'));
  return [...new Set(grades)].join('; ') + (isUnsure ? UNSURE : '');
}

function note(name: ClientName, one: EditCase, grade: string): void {
  const table = tables[companion === null ? 'alone' : 'followed'];
  const column = table.get(name) ?? new Map<string, string>();
  table.set(name, column.set(one.name, grade));
  console.log(`${name} ${clientSpec(name).version} | ${one.name} | ${grade}`);
}

/** Until the companion has looked at the files after the turn. */
const LOOK_MS = 20_000;

/** What was reported, and from which evidence. */
async function showAll(client: DrivenClient, one: EditCase): Promise<void> {
  const changes = await newest(client, one);
  console.log(JSON.stringify(changes?.files.map(({ path: file, hunks }) => [file, hunks])));
  for (const { path: file } of await client.refs())
    console.log(readFileSync(file, 'utf8').slice(-SHOWN_CHARACTERS));
  if (companion === null) return;
  const database = new DatabaseSync(path.join(root, 'state/copane/copane.db'), { readOnly: true });
  for (const table of ['observations', 'observed_turns'])
    console.log(database.prepare(`SELECT * FROM ${table} ORDER BY at DESC LIMIT 8`).all());
  database.close();
}

const SHOWN_CHARACTERS = 30_000;

async function run(client: DrivenClient, one: EditCase, act: () => Promise<void>): Promise<void> {
  for (const [file, text] of Object.entries(one.dirty ?? {})) writeFileSync(path.join(project, file), text);
  const before = filesOf(one);
  await act();
  const after = filesOf(one);
  const outcome = { before, after, human: one.human };
  let grade = gradeOf(await newest(client, one), outcome);
  const until = Date.now() + LOOK_MS;
  while (companion !== null && !isGood(one, grade) && Date.now() < until) {
    await sleep(250);
    grade = gradeOf(await newest(client, one), outcome);
  }
  note(client.name, one, grade);
  const isOff = grade.includes('WRONG') || (companion !== null && !isGood(one, grade));
  if (isOff) await showAll(client, one);
  if (grade === 'nothing was changed' && one !== REFUSED) console.log(await client.started.tmux.screen());
}

const GOOD = /^(exact|AI only|nothing was changed)$/;
const UNSURE = ' (whose is not known)';
/** Unknown even though no human writes: a stopped command may have been refused. */
const UNSURE_CASES: ReadonlySet<string> = new Set([INTERRUPTED_COMMAND.name]);

/** Whether that is reported, and whose it is, as far as a companion can know. */
function isGood({ name, human }: EditCase, grade: string): boolean {
  const mayBeUnsure = human !== undefined || UNSURE_CASES.has(name);
  return GOOD.test(mayBeUnsure ? grade.replace(UNSURE, '') : grade);
}

function withHuman(text: string, { line, before }: NonNullable<EditCase['human']>): string {
  const at = before === undefined ? text.length : text.indexOf(before);
  return `${text.slice(0, at)}${line}${text.slice(at)}`;
}

async function humanEdits({ human }: EditCase, before: Contents): Promise<void> {
  if (human === undefined) return;
  const file = path.join(project, human.file);
  await until('the first edit', async () => readFileSync(file, 'latin1') !== before.get(file)?.text, {
    timeoutMs: 60_000,
  });
  await sleep(human.afterMs ?? 0);
  writeFileSync(file, withHuman(readFileSync(file, 'latin1'), human), 'latin1');
}

/** The parts of a complete answer: a text before each step, and the last text. */
const partsOf = (one: EditCase, name: ClientName) => (name === 'aider' ? 1 : stepsFor(name, one).length + 1);

/** Whether the undone turn is gone, and the state of its file. */
async function checkRewound(client: DrivenClient): Promise<void> {
  const before = filesOf(REWOUND);
  await client.ask(promptFor(REWOUND), partsOf(REWOUND, client.name));
  await client.rewindLast();
  await client.ask(promptFor(AFTER_REWIND));
  const isBack = [...filesOf(REWOUND)].every(([file, content]) => isSame(content, before.get(file)));
  // Codex continues in a new file; the old one keeps the turn.
  const session = await client.sessionOf(promptFor(AFTER_REWIND));
  const isGone = session?.turns.every(({ prompt }) => !prompt.includes(promptFor(REWOUND))) ?? false;
  note(client.name, REWOUND, `turn ${isGone ? 'gone' : 'kept'}, file ${isBack ? 'back' : 'as it was left'}`);
  expect(isGone).toBe(true);
}

/** A companion follows the pane from before the first turn. */
async function follow({ started }: DrivenClient): Promise<void> {
  companion = await CompanionPane.open(started.tmux, { root, project });
  await companion.until('the first look at the files', () => hasLooked(root));
}

const OUTSIDE = 'file outside of the project';
const WANTED = new RegExp(process.env.COPANE_CASES ?? '');
const isWanted = ({ name }: EditCase) => WANTED.test(name);

async function checkAll(name: ClientName, isFollowed = false): Promise<void> {
  const client = await begin(name, COMMANDS_RUN[name]);
  if (isFollowed) await follow(client);
  const cases = isFollowed ? [...EDIT_CASES, ...SEEN_CASES] : EDIT_CASES;
  for (const one of cases.filter((each) => isWanted(each) && (each.only?.includes(name) ?? true))) {
    await run(client, one, async () => {
      const before = filesOf(one);
      await Promise.all([client.ask(promptFor(one), partsOf(one, name)), humanEdits(one, before)]);
      if (one.subagent === undefined) return;
      // It continues after the answer of the AI that started it.
      const isDone = async () =>
        [...filesOf(one)].some(([file, content]) => !isSame(content, before.get(file)));
      await client.wait('the work of the sub-agent', isDone);
      await client.started.tmux.settled(2_000);
    });
  }
  if (TAKES_BACK.has(name) && isWanted(REWOUND)) await checkRewound(client);
  // An aider answer is one text: stopped, it contains no edit.
  if (name !== 'aider' && isWanted(INTERRUPTED))
    await run(client, INTERRUPTED, () => client.askAndStop(promptFor(INTERRUPTED), INTERRUPT_AT));
  if (name !== 'aider' && isWanted(INTERRUPTED_COMMAND))
    await run(client, INTERRUPTED_COMMAND, () => {
      const before = filesOf(INTERRUPTED_COMMAND);
      const isDone = () =>
        [...filesOf(INTERRUPTED_COMMAND)].some(([file, text]) => !isSame(text, before.get(file)));
      return client.askAndStop(promptFor(INTERRUPTED_COMMAND), isDone);
    });
  const args = RESUME[name];
  if (args !== undefined && isWanted(RESUMED)) {
    await client.stop();
    const again = await start(name, args);
    if (isFollowed) await follow(again);
    await run(again, RESUMED, () => again.ask(promptFor(RESUMED), partsOf(RESUMED, name)));
  }
}

async function checkRefused(name: ClientName): Promise<void> {
  const client = await begin(name);
  const refuse = () => run(client, REFUSED, () => client.askAndRefuse(promptFor(REFUSED)));
  await refuse();
  await follow(client);
  await refuse();
  for (const table of [tables.alone, tables.followed])
    expect(table.get(name)?.get(REFUSED.name)).toBe('nothing was changed');
}

/** `npm run test:full -- turn-edits -t 'claude'` runs one client. */
describe('edits of the real clients', () => {
  for (const { name } of CLIENTS) {
    const skip = it.skipIf(!isInstalled(name));
    skip(`${name}: what is called exact is exact`, async () => {
      await checkAll(name);
      const wrong = [...(tables.alone.get(name) ?? [])].filter(([, grade]) => grade.includes('WRONG'));
      expect(wrong).toEqual([]);
    });
    skip(`${name}, followed by a companion: every change is exact`, async () => {
      await checkAll(name, true);
      const grades = tables.followed.get(name) ?? new Map<string, string>();
      // Nobody looks outside the project: there is only the record, and it must not claim anything false.
      const isRight = (one: EditCase, grade: string) => {
        // Gemini CLI drops interrupted turns.
        if (one === INTERRUPTED && name === 'gemini') return grade === 'turn not kept';
        return one.name === OUTSIDE ? !grade.includes('WRONG') : isGood(one, grade);
      };
      const wrong = [...ALL_CASES, ...SEEN_CASES].flatMap((one) => {
        const grade = one === REWOUND ? undefined : grades.get(one.name);
        return grade === undefined || isRight(one, grade) ? [] : [[one.name, grade]];
      });
      expect(wrong).toEqual([]);
    });
    // pi asks for no permission; aider is configured not to ask.
    if (clientSpec(name).cli !== 'pi' && name !== 'aider')
      skip(`${name}: a refused edit changes nothing`, () => checkRefused(name));
  }
});
