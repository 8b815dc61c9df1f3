/** Edits in aider's history. Only its commits are exact; those before its own edits are the user's. */
import path from 'node:path';
import { asString } from '../../responses/transcripts/json.ts';
import type { ToolFact } from '../../responses/transcripts/tool-facts.ts';
import { utf8Bytes } from '../../review/core/bytes.ts';
import { git, openRepository, type Repository } from '../../review/vcs/git.ts';
import { askedBytes } from '../core/own-part.ts';
import type { Asked } from '../core/turn-edits.ts';
import {
  EditLog,
  eachTurn,
  type NewEdit,
  ownAndRest,
  type RecordedReader,
  type TurnWithFacts,
} from './port.ts';
import { treeChanges } from './trees.ts';

export const readAiderEdits: RecordedReader = async (turns, ref) => {
  const folder = path.dirname(ref.path);
  const opened = await openRepository(folder);
  const place: Place = { folder, repository: opened.ok ? opened.value : null };
  const undone = turns.flatMap(({ facts }) => named(facts, 'undone'));
  return eachTurn(turns, (turn) => readTurn(turn, place, undone));
};

interface Place {
  readonly folder: string;
  /** Null outside of git. */
  readonly repository: Repository | null;
}

const restOf = ({ value }: ToolFact) => asString(value.rest) ?? '';
const named = (facts: readonly ToolFact[], name: string) =>
  facts.filter((fact) => fact.name === name).map(restOf);

async function readTurn({ turn, facts }: TurnWithFacts, place: Place, undone: readonly string[]) {
  const log = new EditLog();
  const commits = await commitsOfAi(facts, place);
  const committed = new Set<string>();
  for (const hash of commits)
    for (const file of await tellCommit(log, hash, { place, answer: turn.response })) committed.add(file);
  for (const file of named(facts, 'edit').map((name) => path.resolve(place.folder, name)))
    if (!committed.has(file)) log.edit({ path: file, kind: 'edit', lost: 'not-committed' });
  for (const file of named(facts, 'refused'))
    log.edit({ path: path.resolve(place.folder, file), kind: 'edit', outcome: 'refused' });
  for (const command of named(facts, 'command')) log.command({ command, cwd: place.folder });
  return log.turn(turn, commits.length > 0 && commits.every((hash) => undone.includes(hash)));
}

/** A commit announced as "before applying edits" holds the user's changes. */
async function commitsOfAi(facts: readonly ToolFact[], place: Place): Promise<readonly string[]> {
  const commits: string[] = [];
  let isHumans = false;
  for (const fact of facts) {
    if (fact.name === 'dirty') isHumans = true;
    if (fact.name !== 'commit') continue;
    const isSure = fact.value.isWhole === true || (await isByAider(restOf(fact), place));
    if (!isHumans && isSure) commits.push(restOf(fact));
    isHumans = false;
  }
  return commits;
}

/** Whether the commit itself says that aider made it: the announcement alone may be part of the answer. */
async function isByAider(hash: string, { repository }: Place): Promise<boolean> {
  if (repository === null) return false;
  const asked = await git(['show', '-s', '--format=%cn%n%an%n%(trailers)', hash], { repository });
  return asked.ok && /\(aider\)|aider@aider\.chat/.test(asked.value.stdout.toString('utf8'));
}

interface CommitContext {
  readonly place: Place;
  /** The turn's answer, which contains the requested edits. */
  readonly answer: string;
}

/** The files of the commit, absolute; empty if the commit no longer exists. */
async function tellCommit(
  log: EditLog,
  hash: string,
  { place: { repository }, answer }: CommitContext,
): Promise<readonly string[]> {
  if (repository === null) return [];
  const changes = await treeChanges(repository, `${hash}^`, hash);
  const made = await git(['show', '-s', '--format=%ct', hash], { repository });
  if (!changes.ok || !made.ok) return [];
  // Commit times are whole seconds: it was made before the end of this one.
  const at = Number(made.value.stdout.toString()) * 1_000 + 999;
  const names = changes.value.map(({ path: name }) => name);
  return changes.value.map(({ path: name, isLarge, ...change }) => {
    const edit: NewEdit = { ...change, path: path.join(repository.top, name), source: 'commit', at };
    const told = isLarge
      ? [{ ...edit, lost: 'too-large' as const }]
      : ownAndRest(edit, (from) => askedIn(answer, (title) => titled(title, names) === name, from));
    for (const one of told) log.edit(one);
    return edit.path;
  });
}

const SEARCH = /^<{5,9} SEARCH/;
const DIVIDER = /^={5,9}\s*$/;
const REPLACE = /^>{5,9} REPLACE/;
const FENCE = /^\s*`{3,}/;

/** The file of the commit that a title means: a model may leave out folders or add its own. */
function titled(title: string, names: readonly string[]): string | undefined {
  const said = path.posix.normalize(title.replace(/^[*#`\s]+|[*:`\s]+$/g, ''));
  if (names.includes(said)) return said;
  const [found, another] = names.filter((name) => name.endsWith(`/${said}`));
  if (found !== undefined) return another === undefined ? found : undefined;
  return names.filter((name) => said.endsWith(`/${name}`)).sort((a, b) => b.length - a.length)[0];
}

/** The edits that an answer requests in one file: search/replace blocks below its name, or a fence with its text. */
function askedIn(
  answer: string,
  isOf: (title: string) => boolean,
  from: readonly string[],
): readonly Asked[] {
  const asked: Asked[] = [];
  let [title, whole]: [string, string | null] = ['', null];
  let [name, old, put, fence]: [string, string[] | null, string[] | null, string[] | null] = [
    '',
    null,
    null,
    null,
  ];
  for (const line of answer.split('\n')) {
    if (put !== null && REPLACE.test(line)) {
      if (isOf(name)) asked.push({ old: textIn(old), put: textIn(put) });
      [old, put] = [null, null];
    } else if (put !== null) put.push(line);
    else if (old !== null && DIVIDER.test(line)) put = [];
    else if (old !== null) old.push(line);
    else if (SEARCH.test(line)) old = [];
    else if (FENCE.test(line)) {
      if (fence !== null && isOf(title)) whole = textIn(fence);
      title = name;
      fence = fence === null ? [] : null;
    } else {
      fence?.push(line);
      // A block without a name belongs to the previous file.
      if ((fence ?? []).length < 2 && line.trim() !== '') name = line;
    }
  }
  if (asked.length > 0 || whole === null) return askedBytes(asked);
  return [{ old: from.join(''), put: utf8Bytes(whole) }];
}

const textIn = (lines: readonly string[] | null) => (lines ?? []).map((line) => `${line}\n`).join('');
