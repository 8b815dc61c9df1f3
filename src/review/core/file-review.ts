/** Decisions about one file. Every call returns a new state or a refusal; results do not depend on call order. */
import { fail, ok, type Result } from '../../lib/result.ts';
import { sameBytes } from './bytes.ts';
import type { Change, HashBytes, Subject } from './change.ts';
import { ChangeIndex } from './change-index.ts';
import { EDITED_SINCE, stateWithDisk } from './disk-state.ts';
import {
  activePieces,
  type ChangeState,
  currentChanges,
  currentPath,
  type Decision,
  type FileImage,
  type FileState,
  imageOf,
  isPresent,
  isWhole,
  moveTo,
  PENDING,
  sameImage,
  stateOf,
  withChanges,
} from './file-state.ts';
import { HunkPlacer, type Place } from './hunk-placer.ts';
import type { LineTable } from './line-table.ts';
import { boxOf, type Standing, Standings, spanOf, standing } from './overlap.ts';
import type { Piece } from './piece.ts';

/** Facts from outside the core. */
export interface FileFacts {
  /** Why a rename or copy cannot put the file at its new path; null if it can. */
  readonly newPathProblem: string | null;
  readonly hash: HashBytes;
}

export interface ChangeView {
  readonly change: Change;
  readonly status: Decision | 'conflict' | 'already_applied';
  /** Why it is in conflict or cannot be undone; null otherwise. */
  readonly reason: string | null;
  /** Changes that must be accepted before this one. */
  readonly needs: readonly string[];
}

export type Action = 'accept' | 'reject';

export class FileReview {
  readonly subject: Subject;
  readonly state: FileState;
  readonly #facts: FileFacts;
  /** Shared by all states with the same base. */
  readonly #placer: HunkPlacer;
  /** Shared by all states with the same parts. */
  #index: ChangeIndex | null = null;
  #taken: Standings | null = null;
  /** The standings before the last decision. Of thousands of changes, only those just decided are checked again. */
  #before: { readonly taken: Standings; readonly ids: ReadonlySet<string> } | null = null;
  /** Cached: the next decision first checks whether the disk still matches it. */
  #image: { readonly file: FileImage | null } | null = null;

  constructor(subject: Subject, state: FileState, facts: FileFacts, placer?: HunkPlacer) {
    this.subject = subject;
    this.state = state;
    this.#facts = facts;
    this.#placer = placer ?? new HunkPlacer(subject, state, facts.newPathProblem);
  }

  get changes(): readonly Change[] {
    return this.#known.changes;
  }

  get #known(): ChangeIndex {
    this.#index ??= new ChangeIndex(currentChanges(this.subject, this.state, this.#facts.hash));
    return this.#index;
  }

  image(): FileImage | null {
    this.#image ??= { file: imageOf(this.subject, this.state, this.changes, this.#placer.table) };
    return this.#image.file;
  }

  path(): string {
    return currentPath(this.subject, this.state, this.changes);
  }

  table(): LineTable | null {
    return this.#placer.table;
  }

  /** The change with this id: one that can be decided now, or a hunk that was split. */
  find(id: string): Change | null {
    return (
      this.#known.find(id) ??
      (this.state.parts.size === 0 ? undefined : this.subject.changes.find((change) => change.id === id)) ??
      null
    );
  }

  /** Changes from one up to another, each with its status. Only those not accepted yet are placed. */
  view(from = 0, to = Number.POSITIVE_INFINITY): ChangeView[] {
    return this.changes.slice(from, to).map((change) => this.#viewOf(change));
  }

  viewOf(ids: ReadonlySet<string>): ChangeView[] {
    return this.#known.among(ids).map((change) => this.#viewOf(change));
  }

  /** Whether the change's last decision can be undone (redone). */
  canStep(id: string, direction: 'undo' | 'redo'): boolean {
    const { past, future } = stateOf(this.state, id);
    return (direction === 'undo' ? past : future).length > 0;
  }

  /** The same review after the target path of a rename was occupied or freed. */
  withNewPath(newPathProblem: string | null): FileReview {
    if (newPathProblem === this.#facts.newPathProblem) return this;
    return new FileReview(this.subject, this.state, { ...this.#facts, newPathProblem });
  }

  #viewOf(change: Change): ChangeView {
    const state = stateOf(this.state, change.id);
    const needs = this.#needs(change);
    if (state.redundant) return { change, status: 'already_applied', reason: null, needs };
    if (state.frozen !== null) return { change, status: state.decision, reason: state.frozen, needs };
    if (state.decision !== 'pending' || this.state.inPlace)
      return { change, status: state.decision, reason: null, needs };
    const place = this.place(change);
    if (place.kind === 'applied') return { change, status: 'already_applied', reason: null, needs };
    if (place.kind === 'conflict') return { change, status: 'conflict', reason: place.reason, needs };
    return { change, status: 'pending', reason: null, needs };
  }

  /** Where the change's pieces go, given those already in. */
  place(change: Change): Place {
    const known = stateOf(this.state, change.id).pieces;
    const place: Place =
      known !== null ? { kind: 'pieces', pieces: known } : this.#placer.place(change, this.#isBegun(change));
    if (place.kind !== 'pieces') return place;
    const standings = this.#standings();
    if (standings.isEmpty || place.pieces.length === 0) return place;
    const other = standings.overlapOf(standing(change, place.pieces));
    return other === null ? place : conflictWith(other);
  }

  /** The change's place, real or potential, regardless of other changes. */
  placeInBase(change: Change): Place {
    const known = stateOf(this.state, change.id).pieces;
    return known === null ? this.#placer.place(change, false) : { kind: 'pieces', pieces: known };
  }

  #isBegun(change: Change): boolean {
    return (
      change.parent !== null &&
      this.changes.some((other) => other.parent === change.parent && isPresent(this.state, other.id))
    );
  }

  /** The places of the present changes in the text. */
  #standings(): Standings {
    if (this.#taken === null) {
      const before = this.#before;
      const looked = before === null ? this.changes : this.#known.among(before.ids);
      const standings = looked
        .filter((change) => isPresent(this.state, change.id))
        .map((change) => standing(change, activePieces(stateOf(this.state, change.id))));
      this.#taken = before?.taken.with(before.ids, standings) ?? new Standings(standings);
      this.#before = null;
    }
    return this.#taken;
  }

  /** Two changes in the text that exclude each other. Changes in order that do not touch never do, as in most cases. */
  #collision(): readonly [Change, Change] | null {
    let end = -1;
    for (const change of this.changes) {
      if (!isPresent(this.state, change.id)) continue;
      const pieces = activePieces(stateOf(this.state, change.id));
      if (pieces.length === 0) continue;
      const span = spanOf(change, pieces);
      if (span.start <= end) return this.#standings().collision();
      end = span.end;
    }
    return null;
  }

  #needs(change: Change): string[] {
    if (this.subject.operation !== 'copy' || change.kind === 'copy') return [];
    const copy = this.changes.find((other) => other.kind === 'copy');
    return copy === undefined || isPresent(this.state, copy.id) ? [] : [copy.id];
  }

  /** Decides on all of `ids` or none. Those already so decided stay unchanged. */
  decide(ids: ReadonlySet<string>, action: Action): Result<FileReview> {
    const set = new Map<string, ChangeState>();
    for (const change of this.#known.among(ids)) {
      const next = action === 'accept' ? this.#accept(change, set) : this.#reject(change);
      if (!next.ok) return next;
      if (next.value !== null) set.set(change.id, next.value);
    }
    const review = this.#withDecided(set);
    // Each fits what was in before, but two of them may exclude each other.
    const collision = set.size > 1 && action === 'accept' ? review.#collision() : null;
    if (collision !== null)
      return refuse(collision[0], `it overlaps hunk ${collision[1].id}: only one of the two fits.`);
    return ok(review);
  }

  /** Accepts those of `ids` that fit; if two exclude each other, the first. */
  acceptFitting(ids: ReadonlySet<string>): { review: FileReview; ids: readonly string[] } {
    const fitting = new Map<string, ChangeState>();
    const done: string[] = [];
    const standings: Standing[] = [];
    for (const change of this.changes) {
      const next = ids.has(change.id) ? this.#accept(change, fitting) : null;
      if (next?.ok !== true) continue;
      done.push(change.id);
      if (next.value === null) continue;
      fitting.set(change.id, next.value);
      standings.push(standing(change, activePieces(next.value)));
    }
    const all = new Standings(standings);
    const taken = new Set<string>();
    for (const one of standings) {
      if (all.overlapOf(one, taken) === null) taken.add(one.change.id);
      else fitting.delete(one.change.id);
    }
    const isLeft = new Set(standings.flatMap(({ change: { id } }) => (taken.has(id) ? [] : [id])));
    return {
      review: this.#with(withChanges(this.state, fitting)),
      ids: done.filter((id) => !isLeft.has(id)),
    };
  }

  #accept(change: Change, set: ReadonlyMap<string, ChangeState>): Result<ChangeState | null> {
    const state = stateOf(this.state, change.id);
    if (state.decision === 'accepted') return ok(null);
    if (state.frozen !== null) return refuse(change, state.frozen);
    if (this.state.inPlace && state.decision !== 'rejected') return ok(moveTo(state, 'accepted'));
    const missing = this.#needs(change).filter((id) => set.get(id)?.decision !== 'accepted');
    if (missing.length > 0) return refuse(change, `it needs ${missing.join(', ')}, which is not accepted.`);
    const place = this.place(change);
    if (place.kind === 'conflict') return refuse(change, place.reason);
    if (place.kind === 'applied') return ok({ ...moveTo(state, 'accepted'), redundant: true });
    return ok(moveTo(state, 'accepted', place.pieces));
  }

  #reject(change: Change): Result<ChangeState | null> {
    const state = stateOf(this.state, change.id);
    if (state.decision === 'rejected') return ok(null);
    if (state.frozen !== null) return refuse(change, state.frozen);
    if (state.redundant)
      return refuse(change, 'the target already had this text before this change, so it is not removed.');
    return ok(moveTo(state, 'rejected'));
  }

  /** Replaces what the change proposes with `pieces` (in lines of the base). */
  modify(id: string, pieces: readonly Piece[]): Result<FileReview> {
    const change = this.find(id);
    if (change === null) return fail('not_found', `Hunk not found: ${id}`);
    const state = stateOf(this.state, id);
    if (isWhole(change) || change.kind === 'rename' || change.kind === 'copy' || change.kind === 'mode') {
      return refuse(change, `a ${change.kind} can only be accepted or rejected whole.`);
    }
    if (state.frozen !== null) return refuse(change, state.frozen);
    const place = this.place(change);
    const own = place.kind === 'pieces' ? place.pieces : null;
    const other = this.#standings().overlapOf({ change, span: boxOf(pieces), pieces });
    if (other !== null)
      return refuse(change, `the new text overlaps hunk ${other.id}, which is in the file.`);
    return ok(
      this.#with(
        withChanges(this.state, [
          [id, { ...moveTo(state, 'modified'), pieces: own, modified: pieces, redundant: false }],
        ]),
      ),
    );
  }

  /** Undoes or redoes the last decision on each of these changes, or none of them. */
  step(ids: ReadonlySet<string>, direction: 'undo' | 'redo'): Result<FileReview> {
    const set = new Map<string, ChangeState>();
    let enters = false;
    for (const change of this.#known.among(ids)) {
      const next = this.#step(change, direction);
      if (!next.ok) return next;
      set.set(change.id, next.value);
      enters ||= next.value.pieces !== null;
    }
    const review = this.#withDecided(set);
    const collision = enters ? review.#collision() : null;
    if (collision !== null)
      return refuse(collision[0], `it overlaps hunk ${collision[1].id}: only one of the two fits.`);
    return ok(review);
  }

  #step(change: Change, direction: 'undo' | 'redo'): Result<ChangeState> {
    const state = stateOf(this.state, change.id);
    const target = (direction === 'undo' ? state.past : state.future).at(-1);
    if (target === undefined)
      return fail('refused', `There is nothing to ${direction} on hunk ${change.id}.`);
    if (state.frozen !== null) return refuse(change, state.frozen);
    const next: ChangeState = {
      ...state,
      decision: target,
      redundant: false,
      past: direction === 'undo' ? state.past.slice(0, -1) : [...state.past, state.decision],
      future: direction === 'undo' ? [...state.future, state.decision] : state.future.slice(0, -1),
    };
    const after = withChanges({ ...this.state, changes: new Map() }, [[change.id, next]]);
    if (!isPresent(after, change.id) || isPresent(this.state, change.id)) return ok(next);
    if (state.pieces !== null) return ok(next);
    const place = this.#placer.place(change, this.#isBegun(change));
    if (place.kind === 'conflict') return refuse(change, place.reason);
    return ok(place.kind === 'applied' ? { ...next, redundant: true } : { ...next, pieces: place.pieces });
  }

  /** The same file without decisions (on these hunks). Keeps what is known about places. */
  untouched(ids: ReadonlySet<string> | null = null): FileReview {
    const states = [...this.state.changes].map(([id, state]) => {
      const { pieces, redundant } = state;
      return [id, ids?.has(id) === false ? state : { ...PENDING, pieces, redundant }] as const;
    });
    return this.#with({ ...this.state, changes: new Map(states) });
  }

  /** Splits a hunk into parts of these body lines. Lines in no set form one more part. */
  withParts(
    rootId: string,
    parts: readonly (readonly number[])[],
    states: ReadonlyMap<string, ChangeState>,
  ): FileReview {
    const all = new Map(this.state.parts);
    if (parts.length < 2) all.delete(rootId);
    else all.set(rootId, parts);
    return this.#with(withChanges({ ...this.state, parts: all }, states));
  }

  /** Accepts what is on disk: any difference from what we left there is the user's, and stays. */
  withDisk(found: FileImage | null): FileReview {
    const expected = this.image();
    if (sameImage(expected, found)) return this;
    const present = this.changes.filter((change) => isPresent(this.state, change.id));
    // A deleted file stays deleted even if its path is now a folder, or its folder a link.
    if (expected === null && present.length > 0 && found?.type === 'other') return this;
    const next = stateWithDisk(this.state, present, { expected, found, table: this.#placer.table });
    return this.#moved(next.state).#released(next.entangled);
  }

  /** Reopens a change that the user took out by hand. */
  #released(entangled: ReadonlySet<string>): FileReview {
    const set: [string, ChangeState][] = [];
    for (const change of this.changes) {
      if (!entangled.has(change.id) || this.state.inPlace) continue;
      const place = this.#placer.place(change, false);
      if (place.kind !== 'pieces') continue;
      set.push([
        change.id,
        { ...stateOf(this.state, change.id), decision: 'pending', frozen: null, pieces: null },
      ]);
    }
    return set.length === 0 ? this : this.#with(withChanges(this.state, set));
  }

  #with(state: FileState): FileReview {
    const next = new FileReview(this.subject, state, this.#facts, this.#placer);
    if (state.parts === this.state.parts) next.#index = this.#index;
    return next;
  }

  #withDecided(set: ReadonlyMap<string, ChangeState>): FileReview {
    const next = this.#with(withChanges(this.state, set));
    if (this.#taken !== null) next.#before = { taken: this.#taken, ids: new Set(set.keys()) };
    return next;
  }

  #moved(state: FileState): FileReview {
    const { base } = this.state;
    const same = base !== null && state.base !== null && sameBytes(base.bytes, state.base.bytes);
    const unmoved = this.state.unmoved && (same || base === state.base);
    return new FileReview(this.subject, { ...state, unmoved }, this.#facts);
  }
}

const conflictWith = (other: Change): Place => ({
  kind: 'conflict',
  reason: `it overlaps hunk ${other.id}, which is in the file: only one of them fits.`,
});

const refuse = (change: Change, reason: string) =>
  fail('refused', `Hunk ${change.id}: ${reason}`, reason === EDITED_SINCE ? UNDO_BY_HAND : undefined);

/** The next step for a hunk that cannot be undone. */
export const UNDO_BY_HAND =
  'Undo it by hand: in the file, replace the lines of the hunk that begin with "+" by those that begin with "-".';
