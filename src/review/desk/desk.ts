/** What is known about a suggestion under review: hunks, pending actions, undo steps. Pure; one per suggestion. */
import type { Hunk, Suggestion } from '../../protocol/review.ts';

export type HunkStatus = Hunk['status'];
export type DeskHunk = Pick<Hunk, 'id' | 'file' | 'status' | 'kind' | 'parent' | 'reason' | 'warnings'>;

/** One action of a reviewer, which one undo reverts as a whole. */
export interface DeskStep {
  readonly id: string;
  /** Who did it. */
  readonly client: string;
  readonly hunks: readonly string[];
  /** It undid every decision; redoing it restores them all. */
  readonly isAll?: boolean;
}

/** A planned action that is not written yet. */
export interface InFlight {
  /** This action's id in the undo lists and among pending actions. */
  readonly id: string;
  readonly client: string;
  /** The expected states of its hunks, if known. */
  readonly statuses: Readonly<Record<string, HunkStatus>>;
}

export interface Desk {
  readonly suggestion: string;
  readonly revision: number;
  /** How it ended; null while open. */
  readonly end: 'finalized' | 'discarded' | null;
  readonly hunks: readonly DeskHunk[];
  readonly inFlight: readonly InFlight[];
  /** Oldest first. */
  readonly done: readonly DeskStep[];
  /** The next one to redo is last. */
  readonly undone: readonly DeskStep[];
}

/** Who acts, and where. */
export interface Reviewer {
  readonly client: string;
  /** The marked hunk; null if there is none yet. */
  readonly mark: string | null;
}

/** Whether a hunk is undecided, or its decision does not fit. */
export const isOpen = (status: HunkStatus): boolean => status === 'pending' || status === 'conflict';

/** A hunk's status once pending actions are written. */
export function statusOf(desk: Desk, hunk: DeskHunk): HunkStatus {
  for (let at = desk.inFlight.length - 1; at >= 0; at -= 1) {
    const status = desk.inFlight[at]?.statuses[hunk.id];
    if (status !== undefined) return status;
  }
  return hunk.status;
}

/** The hunk with this id; null if there is none. */
export function findHunk(desk: Desk, id: string | null): DeskHunk | null {
  return desk.hunks.find((hunk) => hunk.id === id) ?? null;
}

/** The marked hunk; if it is gone, its first part, else the first open hunk, else the first one. */
export function markedIn(desk: Desk, mark: string | null): string | null {
  const { hunks } = desk;
  const found = findHunk(desk, mark) ?? hunks.find(({ parent }) => parent !== null && parent === mark);
  return found?.id ?? openHunks(desk)[0] ?? hunks[0]?.id ?? null;
}

/** Undecided hunks: all, or one file's. */
export function openHunks(desk: Desk, file: string | null = null): readonly string[] {
  return desk.hunks
    .filter((hunk) => (file === null || hunk.file === file) && isOpen(statusOf(desk, hunk)))
    .map(({ id }) => id);
}

/** The hunk `step` after the marked one, wrapping around; the mark itself if there is no other. */
export function hunkBeside({ hunks }: Desk, mark: string | null, step: 1 | -1): string | null {
  const at = hunks.findIndex(({ id }) => id === mark);
  if (at < 0) return hunks[0]?.id ?? mark;
  return hunks[(at + step + hunks.length) % hunks.length]?.id ?? mark;
}

/** The next open hunk after the mark, wrapping around; the mark itself if there is none. */
export function nextOpen(desk: Desk, mark: string | null): string | null {
  return nextWhere(desk, mark, (hunk) => isOpen(statusOf(desk, hunk)));
}

/** The same for hunks not marked as seen. */
export function nextUnseen(desk: Desk, mark: string | null, viewed?: ReadonlySet<string>): string | null {
  return nextWhere(desk, mark, ({ id }) => viewed?.has(id) !== true);
}

function nextWhere({ hunks }: Desk, mark: string | null, isIt: (hunk: DeskHunk) => boolean): string | null {
  const here = hunks.findIndex(({ id }) => id === mark);
  const at = Math.max(0, here);
  return [...hunks.slice(at + 1), ...hunks.slice(0, at)].find(isIt)?.id ?? mark;
}

/** Who last decided on this hunk, if known; null for someone else. */
export function deciderOf(desk: Desk, hunk: string): string | null {
  const flying = desk.inFlight.findLast(({ statuses }) => statuses[hunk] !== undefined);
  return flying?.client ?? desk.done.findLast(({ hunks }) => hunks.includes(hunk))?.client ?? null;
}

/** The desk's initial state: the suggestion as shown. */
export function deskOf({
  id,
  revision,
  status,
  hunks,
}: Suggestion): Omit<Desk, 'inFlight' | 'done' | 'undone'> {
  return { suggestion: id, revision, end: endOf({ status }), hunks: hunks.map(deskHunk) };
}

/** A hunk as kept by the desk: without its diff. */
export function deskHunk({ id, file, status, kind, parent, reason, warnings }: Hunk): DeskHunk {
  return { id, file, status, kind, parent, reason, warnings };
}

/** How the suggestion ended; null while open. */
export function endOf({ status }: Pick<Suggestion, 'status'>): Desk['end'] {
  return status === 'finalized' || status === 'discarded' ? status : null;
}
