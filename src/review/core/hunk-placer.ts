/** Places the changes of a subject in its base: text by content, the rest by what is at the path. */
import { displayBytes, sameBytes } from './bytes.ts';
import type { Change, Subject } from './change.ts';
import type { FileImage, FileState } from './file-state.ts';
import { type HunkBody, sideText } from './hunk-body.ts';
import { hunkPieces, type Picked } from './hunk-pieces.ts';
import { type LineTable, lineTable } from './line-table.ts';
import type { Piece } from './piece.ts';
import { Placer } from './placement.ts';

export type Place =
  | { readonly kind: 'pieces'; readonly pieces: readonly Piece[] }
  /** `line` of the base, from 0, where the hunk's new text is. */
  | { readonly kind: 'applied'; readonly line?: number }
  | { readonly kind: 'conflict'; readonly reason: string };

const conflict = (reason: string): Place => ({ kind: 'conflict', reason });
const BLOCKED = 'a folder, or a file in the place of a folder, stands in its way.';
/** Why nothing new is put at an occupied path. */
export const EXISTS = 'something already exists at its path.';

/** Why no file can be at this path; null if nothing blocks it. */
export function blockedBy(behind: FileImage['behind']): string | null {
  if (behind === undefined) return null;
  const { path, isLink } = behind;
  const shown = displayBytes(path);
  return isLink
    ? `it lies behind the link ${shown}; links are not followed.`
    : `${shown}, a file, stands in its way.`;
}

const GONE = 'the file does not exist.';
const NO_PIECES: Place = { kind: 'pieces', pieces: [] };

export class HunkPlacer {
  readonly #subject: Subject;
  readonly #base: FileState['base'];
  readonly #unmoved: boolean;
  readonly #newPathProblem: string | null;
  #table: LineTable | null = null;
  #placer: Placer | null = null;
  /** Decisions do not change where text goes. */
  readonly #places = new Map<Change, Place>();

  constructor(subject: Subject, state: Pick<FileState, 'base' | 'unmoved'>, newPathProblem: string | null) {
    this.#subject = subject;
    this.#base = state.base;
    this.#unmoved = state.unmoved;
    this.#newPathProblem = newPathProblem;
  }

  /** The base's lines; none without a base. */
  get table(): LineTable {
    this.#table ??= lineTable(this.#base?.bytes ?? new Uint8Array(0));
    return this.#table;
  }

  /** The place of `change`. `begun`: another part of the same hunk is already in. */
  place(change: Change, begun: boolean): Place {
    if (this.#subject.problem !== null) return conflict(this.#subject.problem);
    const blocked = blockedBy(this.#base?.behind);
    if (blocked !== null) return conflict(blocked);
    switch (change.kind) {
      case 'rename':
      case 'copy':
        if (this.#base === null) return conflict(GONE);
        if (this.#base.type === 'other') return conflict(BLOCKED);
        return this.#newPathProblem === null ? NO_PIECES : conflict(this.#newPathProblem);
      case 'mode':
        return this.#placeMode();
      case 'create':
        return this.#placeCreate(change, begun);
      case 'delete':
        return this.#placeDelete(change);
      case 'binary':
      case 'symlink':
      case 'submodule':
        return this.#placeWhole();
      case 'text': {
        const known = this.#places.get(change);
        if (known !== undefined) return known;
        const place = this.#placeText(change);
        this.#places.set(change, place);
        return place;
      }
    }
  }

  /** The line of a hunk with this text; null unless there is exactly one. */
  get placer(): Placer {
    this.#placer ??= new Placer(this.table, { unmoved: this.#unmoved });
    return this.#placer;
  }

  #placeMode(): Place {
    if (this.#base === null) return conflict(GONE);
    if (this.#base.type !== 'file') return conflict('it is no longer a regular file.');
    const wanted = ((this.#subject.newMode ?? 0) & 0o100) !== 0;
    return this.#base.executable === wanted ? { kind: 'applied' } : NO_PIECES;
  }

  #placeCreate(change: Change, begun: boolean): Place {
    const { body } = change;
    if (this.#base?.type === 'other') return conflict(BLOCKED);
    if (this.#base !== null && !begun) {
      const text = body === null ? new Uint8Array(0) : sideText(body, 'new');
      return sameBytes(this.#base.bytes, text) ? this.#placeMade(this.#base) : conflict(EXISTS);
    }
    if (this.#base !== null)
      return conflict('the new file has been edited; the place of its other lines is uncertain.');
    return body === null ? NO_PIECES : { kind: 'pieces', pieces: hunkPieces(body, change.picked) };
  }

  /** A new file that already exists with the same bytes. */
  #placeMade({ type, executable }: FileImage): Place {
    const { newMode } = this.#subject;
    const isAsWanted = type !== 'file' || newMode === null || executable === ((newMode & 0o100) !== 0);
    if (isAsWanted) return { kind: 'applied' };
    return conflict(`it already exists, and is ${executable ? '' : 'not '}executable there.`);
  }

  #placeDelete(change: Change): Place {
    if (this.#base === null) return { kind: 'applied' };
    if (this.#base.type !== 'file') return conflict('it is no longer a regular file.');
    const { body } = change;
    const old = body === null ? new Uint8Array(0) : sideText(body, 'old');
    if (!sameBytes(old, this.#base.bytes))
      return conflict('it would delete lines that it does not quote; the file stays.');
    return body === null ? NO_PIECES : { kind: 'pieces', pieces: hunkPieces(body, change.picked) };
  }

  #placeWhole(): Place {
    const { whole } = this.#subject;
    if (whole === null) return conflict('the patch does not contain its content.');
    // A submodule manages its own commit, so a move of it is never detected.
    const moves = whole.old?.type === 'submodule' && whole.new?.type === 'submodule';
    if (!moves && isContent(this.#base, whole.new))
      return whole.old === null && this.#base !== null ? this.#placeMade(this.#base) : { kind: 'applied' };
    if (whole.old === null && this.#base !== null) return conflict(EXISTS);
    if (whole.old !== null && this.#base === null) return conflict(GONE);
    return isContent(this.#base, whole.old)
      ? NO_PIECES
      : conflict('the file has changed since, and this can only be applied whole.');
  }

  #placeText(change: Change): Place {
    if (this.#base === null) return conflict(GONE);
    if (this.#base.type !== 'file') return conflict('it is no longer a regular file.');
    const { hunk, body } = change;
    if (hunk === null || body === null) return NO_PIECES;
    const place = this.placer.place(hunk, body);
    if (place.kind !== 'at') return place;
    return new TextPlace(body, change.picked, place.line);
  }
}

/** A place that computes its pieces on demand: often it is enough that there is one. */
class TextPlace {
  readonly kind = 'pieces';
  readonly #body: HunkBody;
  readonly #picked: Picked;
  readonly #line: number;
  #pieces: readonly Piece[] | null = null;

  constructor(body: HunkBody, picked: Picked, line: number) {
    this.#body = body;
    this.#picked = picked;
    this.#line = line;
  }

  get pieces(): readonly Piece[] {
    this.#pieces ??= hunkPieces(this.#body, this.#picked, this.#line);
    return this.#pieces;
  }
}

/** Whether the base has exactly this content. For a submodule, presence is enough. */
function isContent(base: FileState['base'], whole: NonNullable<Subject['whole']>['old']): boolean {
  if (base === null || whole === null) return base === null && whole === null;
  if (whole.type === 'submodule') return base.type === 'submodule';
  return base.type === whole.type && sameBytes(base.bytes, whole.bytes);
}
