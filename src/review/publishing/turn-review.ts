/**
 * Reviews of what turns of an AI CLI changed. One of a session is open at a time: the one of other turns takes over what
 * was decided on the same hunks, and takes its place.
 */
import type { Result } from '../../lib/result.ts';
import type { SuggestionSource } from '../../protocol/commands/review.ts';
import type { TurnRange } from '../../protocol/turn-range.ts';
import type { Subject } from '../core/change.ts';
import type { ReviewRecords, StoredChange, StoredSuggestion } from '../records/records.ts';
import type { SourcedPatch } from '../sources/git-source.ts';

/** Reads what turns changed in the working tree of a folder. */
export type TurnSource = (turns: TurnRange, target: string) => Promise<Result<SourcedPatch>>;

/** Reviews of a session that are asked for decisions, the newest first. */
const ASKED_MAX_REVIEWS = 50;

/** The turns that a source names, as they are kept with the suggestion. */
export function turnsOf(source: SuggestionSource): { readonly turns?: TurnRange } {
  if (source.kind !== 'turn') return {};
  const { session, from, to } = source;
  return { turns: { session, from, to } };
}

const isOfSession = (one: StoredSuggestion, { turns, target }: StoredSuggestion) =>
  one.turns !== undefined &&
  one.turns.session.sessionId === turns?.session.sessionId &&
  one.target === target;

/** What was decided on these hunks in other reviews of the session; the newest decision counts. */
export function decidedBefore(
  stored: StoredSuggestion,
  subjects: readonly Subject[],
  records: Pick<ReviewRecords, 'suggestions' | 'changes'>,
): readonly StoredChange[] {
  if (stored.turns === undefined) return [];
  const known = new Map<string, StoredChange>();
  const others = records.suggestions().filter((one) => isOfSession(one, stored));
  for (const { id } of others.slice(0, ASKED_MAX_REVIEWS))
    for (const change of records.changes(id)) if (!known.has(change.id)) known.set(change.id, change);
  return subjects.flatMap((subject, file) =>
    subject.changes.flatMap(({ id }) => {
      const change = known.get(id);
      if (change === undefined) return [];
      // Where it stands in this base is found anew.
      const { decision, comments } = change;
      const isKept = decision === 'accepted' || decision === 'rejected';
      if (!isKept && comments.length === 0) return [];
      return [fresh({ id, file, comments, decision: isKept ? decision : 'pending' })];
    }),
  );
}

const fresh = (of: Pick<StoredChange, 'id' | 'file' | 'decision' | 'comments'>): StoredChange => ({
  ...of,
  pieces: null,
  modified: null,
  redundant: false,
  frozen: null,
  past: of.decision === 'pending' ? [] : ['pending'],
  future: [],
});

/** The open reviews whose place this one takes, as they are from now on. */
export function replacedBy(
  stored: StoredSuggestion,
  records: Pick<ReviewRecords, 'openSuggestions'>,
): readonly StoredSuggestion[] {
  if (stored.turns === undefined) return [];
  return records
    .openSuggestions()
    .filter((one) => one.id !== stored.id && isOfSession(one, stored))
    .map((one) => ({ ...one, end: 'finalized' as const, revision: one.revision + 1 }));
}

/** Notes that the source itself has on hunks, by their ids. */
export function notesOfSource(
  subjects: readonly Subject[],
  noteOn: SourcedPatch['noteOn'],
): Readonly<Record<string, string>> {
  if (noteOn === undefined) return {};
  const notes = subjects.flatMap(({ newPath, oldPath, changes }) =>
    changes.flatMap(({ id, hunk }) => {
      const note = hunk === null ? null : noteOn(newPath ?? oldPath ?? '', hunk);
      return note === null ? [] : [[id, note] as const];
    }),
  );
  return Object.fromEntries(notes);
}
