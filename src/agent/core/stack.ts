/**
 * The change log of a project: base texts, and layers of changes on them in order. The working files follow from the
 * bases and the decisions alone, by replay. A change whose original lines no longer match is left out with a reason,
 * and never placed nearby.
 */
import { lineMover } from '../../review/core/absorb.ts';
import { type ByteString, sameBytes } from '../../review/core/bytes.ts';
import type { Change } from '../../review/core/change.ts';
import type { FileReview } from '../../review/core/file-review.ts';
import {
  activePieces,
  type ChangeState,
  type FileImage,
  type FileState,
  imageOf,
  isWhole,
  sameImage,
  stateOf,
} from '../../review/core/file-state.ts';
import { lineTable } from '../../review/core/line-table.ts';
import type { Piece } from '../../review/core/piece.ts';

export interface StackFile {
  /** The file when the log began; null for no file. */
  readonly base: FileImage | null;
  /** Layers before this one are part of the base. */
  readonly from: number;
}

/** Changes that were made together. */
export interface StackLayer {
  readonly seq: number;
  readonly id: string;
  /** `disk`: the user's own edits as read from disk, already part of the files: changes that do not fit are dropped. */
  readonly origin: 'agent' | 'user' | 'disk' | 'rollback';
  readonly ended: boolean;
  readonly files: readonly FileReview[];
}

/** `working`: everything that is not rejected · `saved`: accepted changes, which a save writes. */
export type Included = 'working' | 'saved';

export interface StackTexts {
  readonly tree: ReadonlyMap<ByteString, FileImage | null>;
  /** By layer and change: why it is not in the text although it is accepted or undecided. */
  readonly conflicts: ReadonlyMap<string, string>;
  /** Files that a change moves from one path to another. */
  readonly moves: readonly { readonly from: ByteString; readonly to: ByteString }[];
}

export const changeKey = (layer: string, change: string): string => `${layer} ${change}`;

/** How many undecided changes are tried against the user's own edits. */
const YIELDING_MAX_CHANGES = 200;

/** The texts that follow from the bases and the layers. `memo` caches the results for earlier layers. */
export function stackTexts(
  files: ReadonlyMap<ByteString, StackFile>,
  layers: readonly StackLayer[],
  included: Included,
  memo: FoldMemo = new FoldMemo(),
): StackTexts {
  const texts = memo.fold(files, layers, included);
  if (stuckOf(layers, texts) === 0) return texts;
  const excluded = yieldingTo(files, layers, included, texts);
  return excluded.size === 0 ? texts : foldLayers({ files, layers, included, excluded });
}

/** Changes that must leave the text so that the user's own edits fit. */
function yieldingTo(
  files: ReadonlyMap<ByteString, StackFile>,
  layers: readonly StackLayer[],
  included: Included,
  texts: StackTexts,
): ReadonlyMap<string, string> {
  // Try only files of edits that do not fit: others cannot matter.
  const near = filesNear(files, layers, texts);
  const excluded = new Map<string, string>();
  const stuckWithout = (without: ReadonlyMap<string, string>) =>
    stuckOf(layers, foldLayers({ files: near, layers, included, excluded: without }));
  for (let stuck = stuckWithout(excluded); stuck > 0; ) {
    const found = candidates(near, layers, included).find(
      (key) => !excluded.has(key) && stuckWithout(new Map([...excluded, [key, USER_EDITED]])) < stuck,
    );
    if (found === undefined) break;
    excluded.set(found, USER_EDITED);
    stuck = stuckWithout(excluded);
  }
  return excluded;
}

const pathsOf = ({ subject }: FileReview): ByteString[] =>
  [subject.oldPath, subject.newPath].filter((path) => path !== null);

/** The files of the user's edits that do not fit, and those that a move connects to them. */
function filesNear(
  files: ReadonlyMap<ByteString, StackFile>,
  layers: readonly StackLayer[],
  { conflicts }: StackTexts,
): ReadonlyMap<ByteString, StackFile> {
  const near = new Set<ByteString>();
  for (const layer of layers) {
    if (layer.origin !== 'disk') continue;
    for (const review of layer.files) {
      const isStuck = review.changes.some((change) => conflicts.has(changeKey(layer.id, change.id)));
      if (isStuck) for (const path of pathsOf(review)) near.add(path);
    }
  }
  for (let size = -1; size < near.size; ) {
    size = near.size;
    for (const review of layers.flatMap((layer) => layer.files)) {
      const paths = pathsOf(review);
      if (paths.some((path) => near.has(path))) for (const path of paths) near.add(path);
    }
  }
  return new Map([...files].filter(([path]) => near.has(path)));
}

/** Why a change is not in the text: the user's own edit of its lines has priority. */
export const USER_EDITED = 'you have edited its lines since.';

/** How many of the user's own changes do not fit. */
function stuckOf(layers: readonly StackLayer[], { conflicts }: StackTexts): number {
  if (conflicts.size === 0) return 0;
  const users = layers.filter(({ origin }) => origin === 'disk');
  return users.reduce((sum, { id }) => {
    const prefix = `${id} `;
    return sum + [...conflicts.keys()].filter((key) => key.startsWith(prefix)).length;
  }, 0);
}

function candidates(
  files: ReadonlyMap<ByteString, StackFile>,
  layers: readonly StackLayer[],
  included: Included,
): string[] {
  const last = layers.findLastIndex(({ origin }) => origin === 'disk');
  return layers
    .slice(0, Math.max(0, last))
    .filter(({ origin }) => origin !== 'disk')
    .flatMap((layer) =>
      layer.files
        .filter((review) => pathsOf(review).some((path) => files.has(path)))
        .flatMap((review) =>
          review.changes
            .filter((change) => isIncluded(layer, stateOf(review.state, change.id), included))
            .map((change) => changeKey(layer.id, change.id)),
        ),
    )
    .slice(0, YIELDING_MAX_CHANGES);
}

function isIncluded(layer: StackLayer, state: ChangeState, included: Included): boolean {
  if (state.decision === 'rejected') return false;
  if (state.decision === 'pending') return included === 'working' && !layer.ended;
  return true;
}

const REJECTED = { decision: 'rejected' } as const;
const GONE = 'the file no longer exists.';
const TAKEN = 'another file stands at this path.';
const EDITED = 'the lines it was made for are gone.';
const OTHER_BYTES = 'the file has changed since this was made.';

interface FoldFacts {
  readonly files: ReadonlyMap<ByteString, StackFile>;
  readonly layers: readonly StackLayer[];
  readonly included: Included;
  readonly excluded: ReadonlyMap<string, string>;
}

function foldLayers(facts: FoldFacts): StackTexts {
  const fold = new Fold(facts, null);
  for (const layer of facts.layers) fold.take(layer);
  return fold.texts();
}

/** A result is cached once per this many layers. */
const MEMO_STEP_LAYERS = 8;

interface Step {
  readonly count: number;
  readonly texts: StackTexts;
}

/** A fold that starts from the layers that are the same as last time: old ones rarely change. */
export class FoldMemo {
  #files: ReadonlyMap<ByteString, StackFile> = new Map();
  #layers: readonly StackLayer[] = [];
  #steps: Step[] = [];

  fold(
    files: ReadonlyMap<ByteString, StackFile>,
    layers: readonly StackLayer[],
    included: Included,
  ): StackTexts {
    const same = this.#isSameBase(files) ? this.#countSame(layers) : 0;
    this.#steps = this.#steps.filter((step) => step.count <= same);
    const known = this.#steps.at(-1) ?? null;
    const fold = new Fold({ files, layers, included, excluded: new Map() }, known?.texts ?? null);
    for (let count = known?.count ?? 0; count < layers.length; count += 1) {
      const layer = layers[count];
      if (layer !== undefined) fold.take(layer);
      if ((count + 1) % MEMO_STEP_LAYERS === 0) this.#steps.push({ count: count + 1, texts: fold.copy() });
    }
    this.#files = new Map(files);
    this.#layers = [...layers];
    return fold.texts();
  }

  /** Every known file is unchanged; a new one belongs only to later layers. */
  #isSameBase(files: ReadonlyMap<ByteString, StackFile>): boolean {
    const last = this.#layers.at(-1)?.seq ?? 0;
    for (const [path, { base, from }] of this.#files) {
      const now = files.get(path);
      if (now === undefined || now.from !== from || !sameImage(now.base, base)) return false;
    }
    return [...files].every(([path, { from }]) => this.#files.has(path) || from > last);
  }

  #countSame(layers: readonly StackLayer[]): number {
    const differing = this.#layers.findIndex((layer, i) => {
      const now = layers[i];
      return (
        now === undefined || now.id !== layer.id || now.ended !== layer.ended || now.files !== layer.files
      );
    });
    return differing < 0 ? this.#layers.length : differing;
  }
}

class Fold {
  readonly #files: ReadonlyMap<ByteString, StackFile>;
  readonly #included: Included;
  readonly #excluded: ReadonlyMap<string, string>;
  readonly #tree: Map<ByteString, FileImage | null>;
  readonly #conflicts: Map<string, string>;
  readonly #moves: StackTexts['moves'][number][];

  constructor({ files, included, excluded }: FoldFacts, start: StackTexts | null) {
    this.#files = files;
    this.#included = included;
    this.#excluded = excluded;
    this.#tree = new Map(start?.tree);
    this.#conflicts = new Map(start?.conflicts);
    this.#moves = [...(start?.moves ?? [])];
    for (const [path, { base }] of files) if (!this.#tree.has(path)) this.#tree.set(path, base);
  }

  take(layer: StackLayer): void {
    for (const review of layer.files) this.#apply(layer, review);
  }

  texts(): StackTexts {
    return { tree: this.#tree, conflicts: this.#conflicts, moves: this.#moves };
  }

  copy(): StackTexts {
    return { tree: new Map(this.#tree), conflicts: new Map(this.#conflicts), moves: [...this.#moves] };
  }

  #apply(layer: StackLayer, review: FileReview): void {
    const { subject } = review;
    const path = subject.oldPath ?? subject.newPath ?? '';
    const file = this.#files.get(path);
    if (file === undefined || layer.seq < file.from) return;
    const wanted = review.changes.filter((change) => this.#isWanted(layer, review, change));
    if (wanted.length === 0) return;
    const lower = this.#tree.get(path) ?? null;
    const placed = this.#place(layer, review, wanted, lower);
    if (placed === null) return;
    this.#put(layer, review, path, placed);
  }

  #isWanted(layer: StackLayer, review: FileReview, change: Change): boolean {
    if (!isIncluded(layer, stateOf(review.state, change.id), this.#included)) return false;
    const key = changeKey(layer.id, change.id);
    const reason = this.#excluded.get(key);
    if (reason !== undefined) this.#conflicts.set(key, reason);
    return reason === undefined;
  }

  /** The state of the file on the text below it; null if nothing of it fits. */
  #place(
    layer: StackLayer,
    review: FileReview,
    wanted: readonly Change[],
    lower: FileImage | null,
  ): FileState | null {
    const { base } = review.state;
    const same = base === null ? lower === null : lower !== null && isSameContent(base, lower);
    const refuse = (change: Change, reason: string) => {
      this.#conflicts.set(changeKey(layer.id, change.id), reason);
    };
    if (same) return only(review, lower, wanted, new Map());
    if (lower === null || base === null) {
      const result = review.image();
      // The wanted result already exists: a deleted file, or one created with the same text.
      const isDone = lower === null ? result === null : sameImage(result, lower);
      if (!isDone) for (const change of wanted) refuse(change, lower === null ? GONE : TAKEN);
      return null;
    }
    const moved = new Map<string, readonly Piece[]>();
    const move = lineMover(lineTable(base.bytes), lineTable(lower.bytes));
    const placed = wanted.filter((change) => {
      if (isWhole(change) || change.kind === 'delete') {
        refuse(change, OTHER_BYTES);
        return false;
      }
      const pieces = movedPieces(activePieces(stateOf(review.state, change.id)), move);
      if (pieces === null) refuse(change, EDITED);
      else moved.set(change.id, pieces);
      return pieces !== null;
    });
    return placed.length === 0 ? null : only(review, lower, placed, moved);
  }

  #put(layer: StackLayer, review: FileReview, path: ByteString, placed: FileState): void {
    const { subject, changes } = review;
    let state = placed;
    let image = imageOf(subject, state, changes);
    const rename = changes.find((change) => change.kind === 'rename');
    if (image !== null && image.path !== path && rename !== undefined && this.#isTaken(image.path)) {
      this.#conflicts.set(changeKey(layer.id, rename.id), TAKEN);
      const states = new Map(state.changes).set(rename.id, { ...stateOf(state, rename.id), ...REJECTED });
      state = { ...state, changes: states };
      image = imageOf(subject, state, changes);
    }
    if (image !== null && image.path !== path) this.#moves.push({ from: path, to: image.path });
    this.#tree.set(path, null);
    if (image !== null) this.#tree.set(image.path, image);
  }

  #isTaken(path: ByteString): boolean {
    return (this.#tree.get(path) ?? null) !== null;
  }
}

const isSameContent = (a: FileImage, b: FileImage) => a.type === b.type && sameBytes(a.bytes, b.bytes);

/** The state with only `taken` applied to this base, and with these pieces at their new positions. */
function only(
  review: FileReview,
  base: FileImage | null,
  taken: readonly Change[],
  moved: ReadonlyMap<string, readonly Piece[]>,
): FileState {
  const ids = new Set(taken.map((change) => change.id));
  const changes = new Map<string, ChangeState>();
  for (const change of review.changes) {
    const state = stateOf(review.state, change.id);
    const pieces = moved.get(change.id);
    if (!ids.has(change.id)) changes.set(change.id, { ...state, ...REJECTED });
    else if (pieces === undefined) changes.set(change.id, state);
    else
      changes.set(change.id, {
        ...state,
        ...(state.decision === 'modified' ? { modified: pieces } : { pieces }),
      });
  }
  return { ...review.state, base, inPlace: true, changes };
}

function movedPieces(
  pieces: readonly Piece[],
  move: (start: number, end: number) => number,
): readonly Piece[] | null {
  const moved: Piece[] = [];
  for (const piece of pieces) {
    const start = move(piece.start, piece.end);
    if (start < 0) return null;
    moved.push({ ...piece, start, end: start + piece.end - piece.start });
  }
  return moved;
}
