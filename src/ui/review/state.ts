/** The Review screen's own state: the open suggestion, the reader's place, and unconfirmed decisions. */

import type { Hunk, Suggestion, SuggestionSummary } from '../../protocol/review.ts';
import { isOfProject } from '../../protocol/to-review.ts';
import type { TurnRange } from '../../protocol/turn-range.ts';
import { keepEach } from '../kit/memo.ts';
import { createMatcher } from '../kit/search.ts';
import type { HunkStatus, Tally } from '../kit/tally.ts';
import type { ReviewLook, ReviewView } from './port.ts';

export type ReviewFocus = 'suggestions' | 'files' | 'diff';

/** A filter on a suggestion's hunks: by status, unseen, or new in this round. */
export type ReviewFilter = HunkStatus | 'unseen' | 'new';

/** A row of the diff: number `row` of a hunk's rows, including its header. */
export interface ReviewCursor {
  readonly hunk: string;
  /** Its position in the suggestion when the cursor was put there: where to go if the hunk is gone. */
  readonly at?: number;
  readonly row: number;
  /** Row of the file where the hunk began then: additions above it must not move the screen. */
  readonly start?: number;
  /** Where the hunk's own lines began then: if that moves, the cursor stays on its line. */
  readonly lead?: number | null;
}

export interface ReviewState extends ReviewLook {
  readonly focus: ReviewFocus;
  readonly suggestion: string | null;
  /** The list includes other projects' suggestions. */
  readonly isEverywhere: boolean;
  /** The list has only suggestions with these words; null: all. */
  readonly listQuery: string | null;
  readonly marked: string | null;
  readonly cursor: ReviewCursor | null;
  /** First row of the diff in view. */
  readonly top: number;
  /** Cells by which the diff's text is shifted to the left. */
  readonly shift: number;
  /** Row of the hunk where a selection began; null if nothing is selected. */
  readonly anchor: number | null;
  /** Lines that differ only in blanks are drawn as unchanged. Decisions ignore this. */
  readonly quietBlanks: boolean;
  /** What the reader folded or unfolded: hunks by id, generated files by name. Others follow `isFolded`. */
  readonly folded: Readonly<Record<string, boolean>>;
  /** Shows only such hunks; null: all. */
  readonly filter: ReviewFilter | null;
  /** Lines of the file shown above and below hunks. */
  readonly expanded: Readonly<Record<string, number>>;
  /** Comments begun but not sent, by hunk. */
  readonly begun: Readonly<Record<string, string>>;
  /** The hunk rejected last, for the key that says why. */
  readonly rejected: string | null;
  /** Comments being sent, and the suggestion whose reasons go to the draft once they are. */
  readonly saying: { readonly count: number; readonly draftOf: string | null };
  readonly query: string | null;
  /** The message of an attempted commit of this suggestion, which a hook may refuse. */
  readonly commitMessage: { readonly of: string | null; readonly text: string };
  /** The hunks present when the newest came into view; null if new ones do not come into view automatically. */
  readonly followed: ReadonlySet<string> | null;
  /** The answer whose scope was widened, and the review of everything since the last commit that it was widened to. */
  readonly widened: { readonly from: TurnRange; readonly all: string | null } | null;
  /** The expected statuses of hunks, shown until the decision is confirmed. */
  readonly expected: Readonly<Record<string, HunkStatus>>;
  /** The reader's edited texts of hunks, reopened when one is modified again. */
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

/** A hunk's status, including a decision just made. */
export function statusOf(review: ReviewState, hunk: Hunk): HunkStatus {
  return review.expected[hunk.id] ?? hunk.status;
}

/** The hunk for the key that says why it was rejected; null if there is none, or a comment says it. */
export function hunkToExplain(
  { review }: { readonly review: ReviewState },
  { open }: ReviewView,
): Hunk | null {
  const hunk = review.rejected === null ? undefined : open?.hunks.find(({ id }) => id === review.rejected);
  const isOpen = hunk !== undefined && statusOf(review, hunk) === 'rejected' && hunk.comments.length === 0;
  return isOpen ? hunk : null;
}

/** The reader's project's suggestions; with `isEverywhere`, or without any, the others below. A search filters. */
export function listedSuggestions(review: ReviewState, view: ReviewView): readonly SuggestionSummary[] {
  const { own, others } = byProject(view);
  const shown = own.length === 0 || review.isEverywhere ? [...own, ...others] : own;
  if (review.listQuery === null) return shown;
  const { matches } = createMatcher(review.listQuery);
  return shown.filter(({ description, author, target, source, files }) =>
    matches([description, author ?? '', target, source, ...files].join('\n')),
  );
}

/** The suggestions for the reader's project, and for others. */
export function byProject({ suggestions, project }: Pick<ReviewView, 'suggestions' | 'project'>) {
  const isOwn = project === null ? () => true : isOfProject(project);
  return {
    own: suggestions.filter(isOwn),
    others: suggestions.filter((suggestion) => !isOwn(suggestion)),
  };
}

/** The marked suggestion's index; -1 if there is none. */
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

/** The number of hunks by status, including expected ones. */
export type TallyHunks = (review: Pick<ReviewState, 'expected'>, hunks: readonly Hunk[]) => Tally;

/** Makes the counter: thousands of hunks are counted once, then a few expectations are applied. */
export function createTally(): TallyHunks {
  const keep = keepEach<readonly Hunk[], ReturnType<typeof count>>();
  return ({ expected }, hunks) => {
    const known = keep(hunks, [], () => count(hunks));
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
