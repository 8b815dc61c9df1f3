/** What the Review screen remembers: the open suggestion, the reader's place, and unconfirmed decisions. */

import type { Hunk, Suggestion, SuggestionSummary } from '../../protocol/review.ts';
import type { TurnRange } from '../../protocol/turn-range.ts';
import { createMatcher } from '../kit/search.ts';
import type { HunkStatus, Tally } from '../kit/tally.ts';
import type { ReviewLook, ReviewView } from './port.ts';

export type ReviewFocus = 'suggestions' | 'files' | 'diff';

/** What of a suggestion is shown: hunks of one fate, those that were not seen yet, or those of this round. */
export type ReviewFilter = HunkStatus | 'unseen' | 'new';

/** A row of the diff: the `row`-th of the rows of a hunk, its header included. */
export interface ReviewCursor {
  readonly hunk: string;
  /** Its place in the suggestion when the cursor was put there: where to go when the hunk is no more. */
  readonly at?: number;
  readonly row: number;
  /** Row of the file where the hunk began then: what comes above it moves nothing on the screen. */
  readonly start?: number;
  /** Where the hunk's own lines began then: when that moves, the cursor stays on its line. */
  readonly lead?: number | null;
}

export interface ReviewState extends ReviewLook {
  readonly focus: ReviewFocus;
  readonly suggestion: string | null;
  /** The list has the suggestions of other projects, too. */
  readonly isEverywhere: boolean;
  /** The list has only suggestions with these words; null for all. */
  readonly listQuery: string | null;
  readonly marked: string | null;
  readonly cursor: ReviewCursor | null;
  /** First row of the diff in view. */
  readonly top: number;
  /** Cells that the text of the diff is pushed to the left. */
  readonly shift: number;
  /** Row of the hunk where a selection of lines began; null when nothing is selected. */
  readonly anchor: number | null;
  /** Lines that differ in blanks alone are drawn as if they were the same. Decisions do not know of it. */
  readonly quietBlanks: boolean;
  /** What the reader folded or unfolded: hunks by id, generated files by name. For others see `isFolded`. */
  readonly folded: Readonly<Record<string, boolean>>;
  /** Only such hunks are shown; null shows all. */
  readonly filter: ReviewFilter | null;
  /** Lines of the file that are shown above and below hunks. */
  readonly expanded: Readonly<Record<string, number>>;
  /** Comments that were begun and not made, by hunk. */
  readonly begun: Readonly<Record<string, string>>;
  /** The hunk that was rejected last: one key says why. */
  readonly rejected: string | null;
  /** Comments on their way to the host, and the suggestion whose reasons go to the draft once they are there. */
  readonly saying: { readonly count: number; readonly draftOf: string | null };
  readonly query: string | null;
  /** The message that a commit of this suggestion was tried with: a hook may refuse it. */
  readonly commitMessage: { readonly of: string | null; readonly text: string };
  /** The hunks that were there when the newest came into view; null while new ones do not come into view by themselves. */
  readonly followed: ReadonlySet<string> | null;
  /** The answer whose scope was widened, and the review of all since the last commit that it was widened to. */
  readonly widened: { readonly from: TurnRange; readonly all: string | null } | null;
  /** What a decision under way makes of hunks, shown before it is confirmed. */
  readonly expected: Readonly<Record<string, HunkStatus>>;
  /** What the reader made of hunks in the editor: opened again when one is modified once more. */
  readonly edited: Readonly<Record<string, string>>;
}

export const INITIAL_REVIEW: ReviewState = {
  focus: 'suggestions',
  suggestion: null,
  isEverywhere: false,
  listQuery: null,
  commitMessage: { of: null, text: '' },
  marked: null,
  cursor: null,
  top: 0,
  shift: 0,
  anchor: null,
  sides: null,
  quietBlanks: false,
  isWrapped: true,
  folded: {},
  filter: null,
  expanded: {},
  begun: {},
  rejected: null,
  saying: { count: 0, draftOf: null },
  query: null,
  followed: null,
  widened: null,
  expected: {},
  edited: {},
};

/** The open suggestion as far as it is read; null before. */
export function openSuggestion(review: ReviewState, view: ReviewView): Suggestion | null {
  return review.suggestion !== null && view.open?.id === review.suggestion ? view.open : null;
}

/** What a hunk is, with what was just decided on it. */
export function statusOf(review: ReviewState, hunk: Hunk): HunkStatus {
  return review.expected[hunk.id] ?? hunk.status;
}

/** The hunk of which one key says why it was rejected; null while none is, or a comment says it. */
export function hunkToExplain(
  { review }: { readonly review: ReviewState },
  { open }: ReviewView,
): Hunk | null {
  const hunk = review.rejected === null ? undefined : open?.hunks.find(({ id }) => id === review.rejected);
  const isOpen = hunk !== undefined && statusOf(review, hunk) === 'rejected' && hunk.comments.length === 0;
  return isOpen ? hunk : null;
}

/** Said of a suggestion whose hunks are not there yet; it goes when they are. */
export const STILL_LOADING = 'The suggestion is still loading';

/** Those of the reader's project; with `isEverywhere`, or where it has none, the others below. Search leaves what it finds. */
export function listedSuggestions(review: ReviewState, view: ReviewView): readonly SuggestionSummary[] {
  const { own, others } = byProject(view);
  const shown = own.length === 0 || review.isEverywhere ? [...own, ...others] : own;
  if (review.listQuery === null) return shown;
  const { matches } = createMatcher(review.listQuery);
  return shown.filter(({ description, author, target, source, files }) =>
    matches([description, author ?? '', target, source, ...files].join('\n')),
  );
}

/** Suggestions for the reader's project, and for others. */
export function byProject({ suggestions, project }: Pick<ReviewView, 'suggestions' | 'project'>) {
  const holds = (folder: string, inner: string) => folder === inner || inner.startsWith(`${folder}/`);
  const isOwn = ({ target }: SuggestionSummary) =>
    project === null || holds(target, project) || holds(project, target);
  return {
    own: suggestions.filter(isOwn),
    others: suggestions.filter((suggestion) => !isOwn(suggestion)),
  };
}

/** Index of the marked suggestion; -1 when there is none. */
export function markedIndex(review: ReviewState, view: ReviewView): number {
  const listed = listedSuggestions(review, view);
  if (listed.length === 0) return -1;
  return Math.max(
    0,
    listed.findIndex(({ id }) => id === review.marked),
  );
}

const FATES: Readonly<Record<HunkStatus, keyof Tally>> = {
  pending: 'open',
  conflict: 'conflict',
  rejected: 'rejected',
  accepted: 'accepted',
  modified: 'accepted',
  already_applied: 'accepted',
};

/** How many hunks have which fate, with what is expected of them. */
export type TallyHunks = (review: Pick<ReviewState, 'expected'>, hunks: readonly Hunk[]) => Tally;

/** Makes the counter: thousands of hunks are counted once, and what is expected of a few is put in its place. */
export function createTally(): TallyHunks {
  const kept = new WeakMap<
    readonly Hunk[],
    { readonly tally: Tally; readonly statuses: ReadonlyMap<string, HunkStatus> }
  >();
  return ({ expected }, hunks) => {
    const known = kept.get(hunks) ?? count(hunks);
    kept.set(hunks, known);
    const tally = { ...known.tally };
    for (const [id, status] of Object.entries(expected)) {
      const before = known.statuses.get(id);
      if (before === undefined) continue;
      tally[FATES[before]] -= 1;
      tally[FATES[status]] += 1;
    }
    return tally;
  };
}

function count(hunks: readonly Hunk[]) {
  const tally = { accepted: 0, rejected: 0, open: 0, conflict: 0 };
  const statuses = new Map<string, HunkStatus>();
  for (const { id, status } of hunks) {
    statuses.set(id, status);
    tally[FATES[status]] += 1;
  }
  return { tally, statuses };
}
