/**
 * Reviews do not pile up: a review of the same source, or of other turns of the same session, takes the place of the one
 * before and takes over what was decided on the same hunks, which have the same ids.
 */
import type { CommandInput } from '../../protocol/command.ts';
import type { Subject } from '../core/change.ts';
import type { ReviewRecords, StoredChange, StoredSuggestion } from '../records/records.ts';

type Input = Pick<CommandInput<'review/publish'>, 'source' | 'filter' | 'stage' | 'author'>;

/** Reviews of a session that are asked for decisions, the newest first. */
const ASKED_MAX_REVIEWS = 50;

/** What the user asked for, so that the same is known again; null where nothing tells that it is the same. */
export function askedFor({ source, filter, stage, author }: Input): string | null {
  // A patch on stdin is another one each time; sandboxes, turns and authors are told apart by other means.
  const { kind } = source;
  if (author !== null || kind === 'patch' || kind === 'sandbox' || kind === 'turn') return null;
  const { files, exclude, paths, lines } = filter;
  return JSON.stringify([source, files, exclude, paths, lines, stage]);
}

/** Both are reviews of one source, of which one is enough. */
function isSameSource(one: StoredSuggestion, other: StoredSuggestion): boolean {
  if (one.target !== other.target) return false;
  if (other.turns !== undefined) return one.turns?.session.sessionId === other.turns.session.sessionId;
  return other.asked != null && one.asked === other.asked;
}

/** The open reviews whose place `stored` takes, the newest first. */
export function replacedBy(
  stored: StoredSuggestion,
  open: readonly StoredSuggestion[],
): readonly StoredSuggestion[] {
  return open.filter((one) => one.end === null && one.id !== stored.id && isSameSource(one, stored));
}

/** Nothing has changed since the earlier review of the same source, and no decision on it is out of date. */
export function isUnchanged(
  stored: StoredSuggestion,
  earlier: StoredSuggestion,
  decided: readonly StoredChange[],
): boolean {
  const seen = ({ patch, selected, notes }: StoredSuggestion) => JSON.stringify([patch, selected, notes]);
  return (
    stored.turns === undefined &&
    seen(stored) === seen(earlier) &&
    // In place, what was taken out and is there again has come back: that is open.
    (!stored.inPlace || decided.every((change) => change.decision === 'pending' || keeps(stored, change)))
  );
}

/** What was decided on these hunks in other reviews of the source; the newest decision counts. */
export function decidedBefore(
  stored: StoredSuggestion,
  subjects: readonly Subject[],
  records: Pick<ReviewRecords, 'suggestions' | 'openSuggestions' | 'changes'>,
): readonly StoredChange[] {
  const known = new Map<string, StoredChange>();
  // Turns come back to hunks of reviews that have ended.
  const others =
    stored.turns === undefined
      ? replacedBy(stored, records.openSuggestions())
      : records.suggestions().filter((one) => isSameSource(one, stored));
  for (const { id } of others.slice(0, ASKED_MAX_REVIEWS))
    for (const change of records.changes(id)) if (!known.has(change.id)) known.set(change.id, change);
  return subjects.flatMap((subject, file) =>
    subject.changes.flatMap(({ id }) => {
      const change = known.get(id);
      if (change === undefined) return [];
      const isKept = keeps(stored, change);
      if (!isKept && change.comments.length === 0) return [];
      const decision = isKept ? change.decision : 'pending';
      return [fresh({ id, file, comments: change.comments, decision })];
    }),
  );
}

/** In place, what is in a new review is in the files: it can have been accepted. Elsewhere it is the other way round. */
function keeps(stored: StoredSuggestion, { decision, frozen, redundant }: StoredChange): boolean {
  if (stored.turns !== undefined) return decision === 'accepted' || decision === 'rejected';
  return decision === (stored.inPlace ? 'accepted' : 'rejected') && frozen === null && !redundant;
}

/** Where it stands in this base is found anew. */
const fresh = (of: Pick<StoredChange, 'id' | 'file' | 'decision' | 'comments'>): StoredChange => ({
  ...of,
  pieces: null,
  modified: null,
  redundant: false,
  frozen: null,
  past: of.decision === 'pending' ? [] : ['pending'],
  future: [],
});
