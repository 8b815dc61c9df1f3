/** Other open suggestions about the same files, as a stack, and which of them keeps a hunk from fitting. */
import { Slices } from '../../platform/slices.ts';
import type { Hunk, Suggestion } from '../../protocol/review.ts';
import type { ReviewRecords, StoredSuggestion } from '../records/records.ts';
import { statusOf } from './describe-suggestion.ts';

/** Characters of a description used as a suggestion's name. */
const NAME_MAX_LENGTH = 60;
/** Most suggestions listed below and above this one in a stack: each event about a new one contains them. */
const STACK_MAX_SIDE = 10;

type Rivals = ReadonlyMap<string, string>;

/** The suggestion with its stack. Reasons of conflicts name the other suggestions that cause them. */
export async function withRivals(records: ReviewRecords, suggestion: Suggestion): Promise<Suggestion> {
  const stack = await stackOf(records, suggestion);
  const own = stack.findIndex(({ id }) => id === suggestion.id);
  const near = stack.map(describe).slice(Math.max(0, own - STACK_MAX_SIDE), own + STACK_MAX_SIDE + 1);
  const shown = stack.length < 2 || own < 0 ? suggestion : { ...suggestion, stack: near };
  const files = suggestion.hunks.flatMap(({ status, file }) => (status === 'conflict' ? [file] : []));
  if (files.length === 0) return shown;
  const accepted = await acceptedIn(records, suggestion, new Set(files));
  const below = openIn(suggestion, stack.slice(0, Math.max(0, own)));
  const slices = new Slices();
  const hunks: Hunk[] = [];
  for (const hunk of suggestion.hunks) {
    await slices.pause();
    const why = hunk.status === 'conflict' ? reasonOf(hunk.file, accepted, below) : '';
    hunks.push(why === '' ? hunk : { ...hunk, reason: `${hunk.reason ?? ''} ${why}`.trim() });
  }
  return { ...shown, hunks };
}

function reasonOf(file: string, accepted: Rivals, below: Rivals): string {
  const [taken, open] = [accepted.get(file), below.get(file)];
  return [
    ...(taken === undefined ? [] : [`Hunks of ${taken} were accepted in this file.`]),
    ...(open === undefined || open === taken
      ? []
      : [`Decide on ${open} first: it was published earlier and is still open in this file.`]),
  ].join(' ');
}

/** The open suggestions about this one's files, including itself, in the order of publishing. */
async function stackOf(
  records: ReviewRecords,
  { id, target, files }: Suggestion,
): Promise<readonly StoredSuggestion[]> {
  const own = new Set(files);
  const slices = new Slices();
  const stack: StoredSuggestion[] = [];
  for (const one of records.openSuggestions()) {
    await slices.pause();
    if (one.id === id || (one.target === target && one.files.some((file) => own.has(file)))) stack.push(one);
  }
  return stack.reverse();
}

const describe = (stored: StoredSuggestion, at: number) => ({
  place: at + 1,
  id: stored.id,
  description: stored.description.split('\n')[0] ?? '',
  status: statusOf(stored),
  author: stored.author ?? null,
});

/** By file: the lowest one in the stack. */
function openIn(of: Suggestion, stack: readonly StoredSuggestion[]): Rivals {
  const undecided = stack.filter(({ decidedCount, hunkCount }) => decidedCount < hunkCount);
  return new Map(undecided.toReversed().flatMap((one) => one.files.map((file) => [file, nameOf(one, of)])));
}

/** By file: the newest other suggestion with something accepted in it. */
async function acceptedIn(
  records: ReviewRecords,
  of: Suggestion,
  files: ReadonlySet<string>,
): Promise<Rivals> {
  const rivals = new Map<string, string>();
  const slices = new Slices();
  for (const other of records.suggestions()) {
    await slices.pause();
    if (other.id === of.id || other.target !== of.target) continue;
    const isWanted = (file: string | undefined) => file !== undefined && files.has(file) && !rivals.has(file);
    if (!other.files.some(isWanted)) continue;
    for (const position of records.acceptedFiles(other.id)) {
      const file = other.files[position];
      if (file !== undefined && isWanted(file)) rivals.set(file, nameOf(other, of));
    }
  }
  return rivals;
}

/** An author also reads the reason, and must not learn about others. */
function nameOf({ id, description, author = null }: StoredSuggestion, of: Suggestion): string {
  if (of.author !== null && author !== of.author) return 'another suggestion';
  const [line = ''] = description.split('\n');
  if (line.trim() === '') return `suggestion ${id}`;
  return `"${line.length > NAME_MAX_LENGTH ? `${line.slice(0, NAME_MAX_LENGTH - 1)}…` : line}"`;
}
