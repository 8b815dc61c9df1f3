/**
 * Edits in aider's history: exact by its commits alone, which the history names. What it commits first, before its own
 * edits, is the human's. Without commits only the names of the files are known.
 */
import path from 'node:path';
import { asString } from '../../responses/transcripts/json.ts';
import type { ToolFact } from '../../responses/transcripts/tool-facts.ts';
import { git, openRepository, type Repository } from '../../review/vcs/git.ts';
import { EditLog, eachTurn, type RecordedReader, type TurnWithFacts } from './port.ts';
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
  for (const hash of commits) for (const file of await tellCommit(log, hash, place)) committed.add(file);
  for (const file of named(facts, 'edit').map((name) => path.resolve(place.folder, name)))
    if (!committed.has(file)) log.edit({ path: file, kind: 'edit', lost: 'not-committed' });
  for (const file of named(facts, 'refused'))
    log.edit({ path: path.resolve(place.folder, file), kind: 'edit', outcome: 'refused' });
  for (const command of named(facts, 'command')) log.command({ command, cwd: place.folder });
  return log.turn(turn, commits.length > 0 && commits.every((hash) => undone.includes(hash)));
}

/** A commit that was announced as "before applying edits" holds what the human had changed. */
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

/** Whether the commit says that aider made it. A line that may be of the answer needs a second witness. */
async function isByAider(hash: string, { repository }: Place): Promise<boolean> {
  if (repository === null) return false;
  const asked = await git(['show', '-s', '--format=%cn%n%an%n%(trailers)', hash], { repository });
  return asked.ok && /\(aider\)|aider@aider\.chat/.test(asked.value.stdout.toString('utf8'));
}

/** The files of the commit, absolute; none when it is gone. */
async function tellCommit(log: EditLog, hash: string, { repository }: Place): Promise<readonly string[]> {
  if (repository === null) return [];
  const changes = await treeChanges(repository, `${hash}^`, hash);
  if (!changes.ok) return [];
  return changes.value.map(({ path: name, isLarge, ...change }) => {
    const file = path.join(repository.top, name);
    log.edit({ ...change, path: file, source: 'commit', ...(isLarge ? { lost: 'too-large' } : {}) });
    return file;
  });
}
