/** Turns a hunk, or some of its lines, into pieces relative to its first old line. */
import { append } from '../../lib/append.ts';
import { ADDED, bodyLine, CONTEXT, type HunkBody, REMOVED } from './hunk-body.ts';
import type { Piece } from './piece.ts';

/** A run of removed and added lines with no context between them. */
export interface Block {
  /** Old line at which the run begins, relative to the hunk's first. */
  readonly at: number;
  /** Body indexes. */
  readonly removed: number[];
  readonly added: number[];
}

/** The body lines taken; null: all. */
export type Picked = ReadonlySet<number> | null;

/** The pieces of the picked lines, in order, if the hunk's first old line is line `line` of a text. */
export function hunkPieces(body: HunkBody, picked: Picked, line = 0): Piece[] {
  if (picked === null) return wholePieces(body, line);
  const pieces = pickedPieces(body, picked);
  if (line === 0) return pieces;
  return pieces.map((piece) => ({ ...piece, start: piece.start + line, end: piece.end + line }));
}

function pickedPieces(body: HunkBody, picked: NonNullable<Picked>): Piece[] {
  const pieces: Piece[] = [];
  for (const block of blocksOf(body)) {
    if ([...block.removed, ...block.added].every((i) => picked.has(i))) {
      pieces.push({
        start: block.at,
        end: block.at + block.removed.length,
        text: linesOf(body, block.added),
        order: block.added[0] ?? block.removed[0] ?? 0,
      });
    } else append(pieces, partOfBlock(body, block, picked));
  }
  return pieces;
}

/** The same for all lines, without a list of lines: this is called for thousands of hunks. */
function wholePieces(body: HunkBody, line: number): Piece[] {
  const pieces: Piece[] = [];
  const { count } = body;
  let oldLine = line;
  for (let i = 0; i < count; ) {
    if (body.op(i) === CONTEXT) {
      oldLine += 1;
      i += 1;
      continue;
    }
    const start = oldLine;
    const first = i;
    let order = -1;
    let length = 0;
    for (; i < count && body.op(i) !== CONTEXT; i += 1) {
      if (body.op(i) === REMOVED) oldLine += 1;
      else {
        if (order < 0) order = i;
        length += body.end(i) - body.start(i);
      }
    }
    const text = new Uint8Array(length);
    copyAdded(body, first, i, text);
    pieces.push({ start, end: oldLine, text, order: order < 0 ? first : order });
  }
  return pieces;
}

function copyAdded(body: HunkBody, from: number, to: number, into: Uint8Array): void {
  const { bytes } = body;
  let at = 0;
  for (let i = from; i < to; i += 1) {
    if (body.op(i) !== ADDED) continue;
    const end = body.end(i);
    for (let byte = body.start(i); byte < end; byte += 1, at += 1) into[at] = bytes[byte] ?? 0;
  }
}

/** The bytes of these lines, concatenated. */
function linesOf(body: HunkBody, lines: readonly number[]): Uint8Array {
  let length = 0;
  for (const i of lines) length += body.end(i) - body.start(i);
  const text = new Uint8Array(length);
  let at = 0;
  for (const i of lines) {
    const end = body.end(i);
    for (let byte = body.start(i); byte < end; byte += 1, at += 1) text[at] = body.bytes[byte] ?? 0;
  }
  return text;
}

/** The runs of changed lines of a hunk, in order. */
export function blocksOf(body: HunkBody): Block[] {
  const blocks: Block[] = [];
  let block: Block | null = null;
  let oldLine = 0;
  for (let i = 0; i < body.count; i += 1) {
    const op = body.op(i);
    if (op === CONTEXT) block = null;
    else {
      if (block === null) {
        block = { at: oldLine, removed: [], added: [] };
        blocks.push(block);
      }
      (op === REMOVED ? block.removed : block.added).push(i);
    }
    if (op !== ADDED) oldLine += 1;
  }
  return blocks;
}

/** For each added line of a block, the number of removed lines before it: it follows the line that it replaces. */
export function placesInBlock(
  body: HunkBody,
  { removed, added }: Pick<Block, 'removed' | 'added'>,
): number[] {
  let place = 0;
  return Array.from(pairLines(body, removed, added), (partner) => {
    if (partner >= 0) place = partner + 1;
    return place;
  });
}

function partOfBlock(body: HunkBody, block: Block, picked: ReadonlySet<number>): Piece[] {
  const pieces: Piece[] = [];
  block.removed.forEach((line, i) => {
    if (!picked.has(line)) return;
    pieces.push({ start: block.at + i, end: block.at + i + 1, text: new Uint8Array(0), order: line });
  });
  const places = placesInBlock(body, block);
  block.added.forEach((line, j) => {
    const gap = block.at + (places[j] ?? 0);
    if (picked.has(line)) pieces.push({ start: gap, end: gap, text: bodyLine(body, line), order: line });
  });
  return pieces;
}

/** Blocks that need more comparisons are paired by position. */
const PAIRING_MAX_CELLS = 40_000;
/** Lines less similar than this are not versions of each other. */
const PAIRING_MIN_LIKENESS = 0.3;
/** How much of each line to compare. */
const PAIRING_MAX_BYTES = 256;

/** For each added line, the ascending index of the removed line it replaces, or -1: by position or likeness. */
function pairLines(body: HunkBody, removed: readonly number[], added: readonly number[]): Int32Array {
  if (removed.length === added.length || removed.length * added.length > PAIRING_MAX_CELLS) {
    return pairByPosition(removed.length, added.length);
  }
  const width = added.length + 1;
  const best = new Float64Array((removed.length + 1) * width);
  const scoreAt = (i: number, j: number) => best[i * width + j] ?? 0;
  const likenessOf = (i: number, j: number) => {
    const value = likeness(bodyLine(body, removed[i] ?? 0), bodyLine(body, added[j] ?? 0));
    return value >= PAIRING_MIN_LIKENESS ? value : 0;
  };
  const alike = new Float64Array(removed.length * added.length);
  for (let i = removed.length - 1; i >= 0; i -= 1) {
    for (let j = added.length - 1; j >= 0; j -= 1) {
      const value = likenessOf(i, j);
      alike[i * added.length + j] = value;
      best[i * width + j] = Math.max(
        scoreAt(i + 1, j),
        scoreAt(i, j + 1),
        value === 0 ? 0 : scoreAt(i + 1, j + 1) + value,
      );
    }
  }
  if (scoreAt(0, 0) === 0) return pairByPosition(removed.length, added.length);
  const pairs = new Int32Array(added.length).fill(-1);
  for (let i = 0, j = 0; i < removed.length && j < added.length; ) {
    const value = alike[i * added.length + j] ?? 0;
    if (value > 0 && scoreAt(i, j) === scoreAt(i + 1, j + 1) + value) {
      pairs[j] = i;
      i += 1;
      j += 1;
    } else if (scoreAt(i, j) === scoreAt(i + 1, j)) i += 1;
    else j += 1;
  }
  return pairs;
}

const pairByPosition = (removed: number, added: number) =>
  Int32Array.from({ length: added }, (_, j) => (j < removed ? j : -1));

/** The share of the longer line that the common beginning and end cover. */
function likeness(a: Uint8Array, b: Uint8Array): number {
  const aLength = Math.min(a.length, PAIRING_MAX_BYTES);
  const bLength = Math.min(b.length, PAIRING_MAX_BYTES);
  const shorter = Math.min(aLength, bLength);
  let head = 0;
  while (head < shorter && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && a[aLength - 1 - tail] === b[bLength - 1 - tail]) tail += 1;
  return (head + tail) / Math.max(1, aLength, bLength);
}
