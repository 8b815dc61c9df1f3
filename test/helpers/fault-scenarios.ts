/** Scenarios in which one system call fails: prepared, run, and checked, in one process that continues. */
import { linkSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Failure, fail, type Result } from '../../src/lib/result.ts';
import { type AgentHost, replaceLine } from './agent-host.ts';
import { putTree, readTree, type Tree } from './git-fixture.ts';
import { draftOf, must, promptOf } from './host-fakes.ts';
import { changesOf, created, deleted, linked, modified, renamed } from './patch-parts.ts';

/** One scenario: what runs while a call fails, and how to tell whether it happened. */
export interface FaultTry {
  act(): Promise<Result<unknown>>;
  /** The current state, in comparable form. */
  look(): Promise<unknown>;
  readonly before: unknown;
  readonly after: unknown;
}

export type FaultScenario = (host: AgentHost, id: number) => Promise<FaultTry>;

const LONG = Array.from(
  { length: 400 },
  (_, i) => `line ${i} of a file that is more than one page long\n`,
).join('');
const EDITED = LONG.replace('line 7 ', 'LINE seven ');

interface Change {
  readonly base: Tree;
  readonly parts: readonly string[];
  readonly wanted: Tree;
  readonly hardLink?: string;
}

const ONE: Change = {
  base: { f: 'a\nb\n' },
  parts: [modified('f', 'a\nb\n', 'a\nB\n')],
  wanted: { f: 'a\nB\n' },
};
const IN_PLACE: Change = {
  base: { f: LONG },
  parts: [modified('f', LONG, EDITED)],
  wanted: { f: EDITED },
  hardLink: 'f',
};
const BATCH: Change = {
  base: { f: 'a\n', 'd/gone': 'g\n', m: 'm\n' },
  parts: [
    modified('f', 'a\n', 'A\n'),
    created('e/n', 'n\n'),
    deleted('d/gone', 'g\n'),
    renamed('m', 'o/m'),
    linked('l', 'f'),
  ],
  wanted: { f: 'A\n', 'd/gone': null, m: null, 'e/n': 'n\n', 'o/m': 'm\n', l: { link: 'f' } },
};

async function published(host: AgentHost, id: number, { base, parts, wanted, hardLink }: Change) {
  const root = path.join(host.home.home, `project-${id}`);
  mkdirSync(root);
  putTree(root, wanted);
  const after = readTree(root);
  putTree(root, { ...Object.fromEntries(Object.keys(wanted).map((name) => [name, null])), ...base });
  if (hardLink !== undefined) linkSync(path.join(root, hardLink), path.join(host.home.home, `second-${id}`));
  const before = readTree(root);
  const patch = Buffer.from(changesOf(...parts)).toString('base64');
  const suggestion = (await host.ask('review/publish', { target: root, source: { kind: 'patch', patch } }))
    .id;
  const look = async () => {
    const { hunks } = await host.ask('review/show', { suggestion, file: null });
    const said = [...new Set(hunks.map(({ status }) => status))];
    return { said, tree: readTree(root) };
  };
  const accept = () => host.client.request('review/decide', { suggestion, hunk: 'all', action: 'accept' });
  return {
    suggestion,
    look,
    accept,
    open: { said: ['pending'], tree: before },
    taken: { said: ['accepted'], tree: after },
  };
}

const decisionOn =
  (change: Change): FaultScenario =>
  async (host, id) => {
    const { look, accept, open, taken } = await published(host, id, change);
    return { act: accept, look, before: open, after: taken };
  };

const undoOf =
  (change: Change): FaultScenario =>
  async (host, id) => {
    const { suggestion, look, accept, open, taken } = await published(host, id, change);
    must(await accept());
    const act = () => host.client.request('review/undo', { suggestion, hunk: 'all' });
    return { act, look, before: taken, after: open };
  };

const draftSave: FaultScenario = async (host, id) => {
  const key = { project: `/project-${id}`, pane: 'p' };
  const { revision } = await host.ask('draft/save', { key, draft: draftOf('first'), baseRevision: 0 });
  const look = async () => (await host.ask('draft/load', { key })).draft.lines.map(({ text }) => text);
  const act = () =>
    host.client.request('draft/save', { key, draft: draftOf('first', 'second'), baseRevision: revision });
  return { act, look, before: ['first'], after: ['first', 'second'] };
};

const promptRecord: FaultScenario = async (host, id) => {
  const prompt = promptOf(`prompt-${id}`);
  const look = async () => (await host.ask('outbox/list', {})).some((one) => one.id === prompt.id);
  return { act: () => host.client.request('outbox/record', prompt), look, before: false, after: true };
};

const agentSave: FaultScenario = async (host, id) => {
  const root = path.join(host.home.home, `notes-${id}`);
  putTree(mkdirOf(root), { 'a.md': LONG, 'gone.md': 'x\n', 'old.md': 'moved\n' });
  const before = readTree(root);
  const session = (await host.ask('agent/create', { root })).id;
  const job = await host.proposed(session, [
    replaceLine('a.md', 8, 'LINE seven of a file that is more than one page long'),
    { file_path: 'gone.md', operation: 'delete_file', new_text: '' },
    { file_path: 'old.md', operation: 'rename_file', new_path: 'sub/new.md', new_text: '' },
    { file_path: 'made/a.md', operation: 'insert', start_line: 1, new_text: 'made\n' },
  ]);
  const suggestion = job.diff_bundle?.suggestion_id ?? '';
  await host.ask('review/decide', { suggestion, hunk: 'all', action: 'accept' });
  const after = { 'a.md': EDITED, 'made/a.md': 'made\n', 'sub/new.md': 'moved\n' };
  return {
    act: async () => {
      const saved = await host.client.request('agent/save', { session_id: session });
      // An unreadable file is a conflict: nothing of the save is written.
      if (!saved.ok || saved.value.conflicts.length === 0) return saved;
      return fail('refused', saved.value.conflicts.map(({ reason }) => reason).join(' '));
    },
    look: async () => readTree(root),
    before,
    after,
  };
};

function mkdirOf(folder: string): string {
  mkdirSync(folder);
  return folder;
}

export const FAULT_SCENARIOS: Readonly<Record<string, FaultScenario>> = {
  'a decision': decisionOn(ONE),
  'a decision on a file with a second name': decisionOn(IN_PLACE),
  'a batch': decisionOn(BATCH),
  'an undo of a batch': undoOf(BATCH),
  'a draft that is saved': draftSave,
  'a prompt that is recorded': promptRecord,
  "the agent's save": agentSave,
};

/** Words that a refusal must contain, by system error. */
const WORDS: Readonly<Record<string, RegExp>> = {
  ENOSPC: /full|no room/,
  EDQUOT: /quota/,
  EIO: /input\/output|I\/O/,
  EMFILE: /too many files|cannot be opened|too many open files/,
  ENOLCK: /lock/,
  EROFS: /read-only/,
};

/** What is wrong with a failure's message; null if a person can act on it. */
export function wrongWords({ message, hint = '' }: Failure, errno: string): string | null {
  const said = `${message} ${hint}`;
  if (!(WORDS[errno] ?? /./).test(said)) return `${errno} is not in these words: ${said}`;
  if (/\bE[A-Z]{3,}\b|undefined|\.ts:|defect/.test(said)) return `these are no words for people: ${said}`;
  return hint === '' && !/[.!]$/.test(message) ? `no sentence: ${said}` : null;
}
