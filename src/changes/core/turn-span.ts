/** Which looks belong to which turns: for consecutive turns, the changes seen during and between them. Pure. */
import type { TurnMark } from '../../protocol/changes.ts';

interface Numbered {
  readonly seq: number;
}

export interface TurnSpan {
  readonly root: string;
  /** Looks after `from` up to `to`. */
  readonly from: number;
  readonly to: number;
  /** The last turn is still running. */
  readonly isOpen: boolean;
  /** When the last look began, if its turn has ended; null if unknown. */
  readonly until: number | null;
  /** Why something may be missing; a sentence for users, null if nothing is. */
  readonly gap: string | null;
}

const NOT_FOLLOWED = 'no companion looked at the files then, so only what the session file tells is known';
const PARTLY_FOLLOWED = 'no companion followed some of these turns';
const LATE = 'the companion began to look at the files only after this had begun';

/** Facts besides the marks of the turns themselves. */
interface SpanFacts {
  /** The last look at a working tree. */
  readonly head: (root: string) => number;
  readonly all: Iterable<TurnMark>;
}

/** The span of these turns, oldest first; null for a turn that no companion followed. */
export function spanOf(
  marks: readonly (TurnMark | null)[],
  { head, all }: SpanFacts,
): TurnSpan | { readonly gap: string } {
  const known = marks.filter((mark) => mark !== null);
  const [first] = known;
  const last = known.at(-1);
  if (first === undefined || last === undefined) return { gap: NOT_FOLLOWED };
  const { root, from, late } = first;
  if (known.some((mark) => mark.root !== root))
    return { gap: 'these turns went on in several working trees' };
  const gap = known.length < marks.length ? PARTLY_FOLLOWED : late ? LATE : null;
  const next = nextAfter(last, all);
  const until = last.until ?? null;
  return {
    root,
    from,
    to: last.to ?? next ?? head(root),
    isOpen: last.to === null && next === null,
    until,
    gap,
  };
}

/** A turn whose end was not seen had ended when the next one began. */
function nextAfter({ root, from }: TurnMark, all: Iterable<TurnMark>): number | null {
  const later = [...all].filter((mark) => mark.root === root && mark.from > from);
  return later.length === 0 ? null : Math.min(...later.map((mark) => mark.from));
}

/** Whether a look is between two consecutive turns that were both followed. */
export function isBetween({ seq }: Numbered, marks: readonly (TurnMark | null)[]): boolean {
  return marks.some((mark, at) => {
    const next = marks[at + 1];
    return mark != null && next != null && mark.to !== null && seq > mark.to && seq <= next.from;
  });
}
