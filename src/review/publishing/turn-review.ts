/** Reviews of what an AI CLI's turns changed: which turns, and the source's notes on hunks. */
import type { Result } from '../../lib/result.ts';
import type { SuggestionSource } from '../../protocol/commands/review.ts';
import type { SessionRef, TurnRange } from '../../protocol/turn-range.ts';
import type { Change, Subject } from '../core/change.ts';
import type { FileReview } from '../core/file-review.ts';
import { stateOf } from '../core/file-state.ts';
import { isUnsure, type StoredSuggestion } from '../records/records.ts';
import type { SourcedPatch } from '../sources/git-source.ts';
import { grownParts } from './grown-hunks.ts';

/** Reads what turns changed in a folder's working tree, including what was taken back since. */
export type TurnSource = (turns: TurnRange, target: string) => Promise<Result<SourcedPatch>>;

/** Whether an open review shows a turn of this session. */
export function showsTurn({ turns }: StoredSuggestion, { session, turn }: TurnOfSession): boolean {
  if (turns === undefined || !isOfSession(turns, session)) return false;
  return turns.to === null || turns.to === turn;
}

export interface TurnOfSession {
  readonly session: SessionRef;
  readonly turn: string;
}

export const isOfSession = ({ session }: TurnRange, { cli, sessionId }: SessionRef): boolean =>
  session.cli === cli && session.sessionId === sessionId;

/** A source's turns, as stored with the suggestion. */
export function turnsOf(source: SuggestionSource): { readonly turns?: TurnRange } {
  if (source.kind !== 'turn') return {};
  const { session, from, to } = source;
  return { turns: { session, from, to } };
}

/** Reviews of a session with their files, newest first. */
export type EarlierReviews = readonly {
  readonly stored: StoredSuggestion;
  readonly files: readonly FileReview[];
}[];

/** What the source knows about hunks by id, and what an earlier review says about those taken back since. */
export function knownOfSource(
  subjects: readonly Subject[],
  noteOn: SourcedPatch['noteOn'],
  markBefore: (subject: Subject, change: Change) => Mark | null,
): Pick<StoredSuggestion, 'authorNotes' | 'unsure'> {
  const authorNotes: Record<string, string> = {};
  const unsure: Record<string, true> = {};
  for (const subject of noteOn === undefined ? [] : subjects) {
    for (const change of subject.changes) {
      const note = noteOn?.(nameOf(subject), change.hunk);
      const before = markBefore(subject, change);
      if (note?.kind === 'note') authorNotes[change.id] = note.text;
      const isUntold = note?.kind === 'untold' && before === null;
      if (note?.kind === 'unsure' || before === 'unsure' || isUntold) unsure[change.id] = true;
    }
  }
  return { authorNotes, ...(Object.keys(unsure).length === 0 ? {} : { unsure }) };
}

/** Whether an earlier review knew that the author made a change. */
type Mark = 'sure' | 'unsure';

/** What the session's earlier reviews say about a change, or about one inside it. Null: they do not have it. */
export function markIn(earlier: EarlierReviews): (subject: Subject, change: Change) => Mark | null {
  return (subject, change) => {
    const marks = earlier.flatMap(({ stored, files }) => {
      const file = files.find((one) => nameOf(one.subject) === nameOf(subject));
      return file === undefined ? [] : markOf(change, file, stored);
    });
    return marks.includes('unsure') ? 'unsure' : (marks[0] ?? null);
  };
}

function markOf(change: Change, file: FileReview, stored: StoredSuggestion): readonly Mark[] {
  const grown = new Set(grownParts(change, file).map(({ was }) => was.id));
  const same = file.changes.filter(({ id, parent }) => (parent ?? id) === change.id);
  // An open change is in the file, where the source knows it and may know more by now.
  const decided = same.filter(({ id }) => stateOf(file.state, id).decision !== 'pending');
  const old = [...decided, ...file.changes.filter(({ id }) => grown.has(id))];
  if (old.some((one) => isUnsure(stored, one))) return ['unsure'];
  return same.length > 0 ? ['sure'] : [];
}

const nameOf = ({ newPath, oldPath }: Subject) => newPath ?? oldPath ?? '';
