/**
 * Splits a hunk that is too large to review: between its changed runs, at blank lines, where a sentence or a block
 * ends, and last between lines that each became one line. Removed lines stay with their replacement. If there is no
 * such place in time, the part stays oversized; it is never split blindly.
 */
import { COMPARED_MAX_PAIRS, pairLines } from '../../lib/line-pairs.ts';
import type { AgentLimits } from '../../protocol/agent.ts';
import { bodyLine, CONTEXT, changedLines, type HunkBody, REMOVED } from '../../review/core/hunk-body.ts';

export type HunkLimits = Pick<AgentLimits, 'max_hunk_lines' | 'max_hunk_bytes'>;

/** Changed lines of the body that belong together. */
type Part = readonly number[];

/** Whether a hunk is too large to review at once. */
export function isOversized(body: HunkBody, lines: Iterable<number>, limits: HunkLimits): boolean {
  return exceeds(sizeOf(body, lines), limits);
}

interface Size {
  readonly lines: number;
  readonly bytes: number;
}

const exceeds = ({ lines, bytes }: Size, limits: HunkLimits) =>
  lines > limits.max_hunk_lines || bytes > limits.max_hunk_bytes;

function sizeOf(body: HunkBody, lines: Iterable<number>): Size {
  let count = 0;
  let bytes = 0;
  for (const line of lines) {
    count += 1;
    bytes += body.end(line) - body.start(line);
  }
  return { lines: count, bytes };
}

/** The parts of a hunk that is too large; null if it is not, or cannot be split. */
export function splitHunk(body: HunkBody, limits: HunkLimits): readonly Part[] | null {
  if (!isOversized(body, changedLines(body), limits)) return null;
  const pieces = runsOf(body).flatMap((run, i, all) =>
    cutRun(body, run, { limits, levels: LEVELS, cost: betweenRuns(body, all[i - 1], run) }),
  );
  const parts = joined(body, withMoves(body, pieces), limits);
  return parts.length < 2 ? null : parts.map((part) => [...part].sort((a, b) => a - b));
}

interface Run {
  readonly removed: readonly number[];
  readonly added: readonly number[];
}

/** Lines that stay together, and the cost of a cut right before them. */
interface Piece {
  readonly lines: Part;
  readonly cost: number;
}

/** Removed and added lines without context between them. */
function runsOf(body: HunkBody): Run[] {
  const runs: { removed: number[]; added: number[] }[] = [];
  for (let line = 0; line < body.count; line += 1) {
    const op = body.op(line);
    if (op === CONTEXT) continue;
    const last = runs.at(-1);
    const isNext = line > 0 && body.op(line - 1) !== CONTEXT;
    const run = last !== undefined && isNext ? last : { removed: [], added: [] };
    if (run !== last) runs.push(run);
    (op === REMOVED ? run.removed : run.added).push(line);
  }
  return runs;
}

/** This many lines that leave one piece and appear in another are a move; half of it would lose or duplicate them. */
const MOVE_MIN_LINES = 3;
/** A shorter line does not show where it came from. */
const MOVED_MIN_CHARS = 4;

/** The pieces, joined if lines move between them. */
function withMoves(body: HunkBody, pieces: readonly Piece[]): Piece[] {
  const first = pieces.map((_, i) => i);
  const groupOf = (piece: number): number => {
    let at = piece;
    for (let next = first[at] ?? at; next !== at; next = first[at] ?? at) {
      first[at] = first[next] ?? next;
      at = next;
    }
    return at;
  };
  for (const { from, to } of movesBetween(body, pieces)) {
    const groups = [groupOf(from), groupOf(to)];
    first[Math.max(...groups)] = Math.min(...groups);
  }
  return [...Map.groupBy(pieces.keys(), groupOf)].map(([head, members]) => ({
    cost: pieces[head]?.cost ?? 0,
    lines: members.flatMap((piece) => pieces[piece]?.lines ?? []),
  }));
}

interface Move {
  readonly from: number;
  readonly to: number;
  readonly lines: number;
}

/** The pieces between which lines move: lines that are removed once and added once. */
function movesBetween(body: HunkBody, pieces: readonly Piece[]): Move[] {
  const places = new Map<string, { removed: number[]; added: number[] }>();
  pieces.forEach(({ lines }, piece) => {
    for (const line of lines) {
      const text = textOf(body, line).trim();
      if (text.length < MOVED_MIN_CHARS) continue;
      const place = places.get(text) ?? { removed: [], added: [] };
      places.set(text, place);
      (body.op(line) === REMOVED ? place.removed : place.added).push(piece);
    }
  });
  const moves = new Map<string, Move>();
  for (const { removed, added } of places.values()) {
    const [[from, ...others], [to, ...more]] = [removed, added];
    if (from === undefined || to === undefined || from === to || others.length + more.length > 0) continue;
    const move = moves.get(`${from} ${to}`) ?? { from, to, lines: 0 };
    moves.set(`${from} ${to}`, { ...move, lines: move.lines + 1 });
  }
  return [...moves.values()].filter(({ lines }) => lines >= MOVE_MIN_LINES);
}

/** The cost of one more part: a worse place to cut must save more than one part. */
const PART_COST = 1;
/** An oversized part costs more than any number of cuts. */
const OVERSIZED_COST = 1_000_000;

/** Joins neighbours into parts that fit: as few as possible, cut at the best places. */
function joined(body: HunkBody, pieces: readonly Piece[], limits: HunkLimits): Part[] {
  // For the pieces before each place: the lowest cost, and where the last part begins.
  const best: { readonly cost: number; readonly from: number }[] = [{ cost: 0, from: 0 }];
  const sizes = pieces.map(({ lines }) => sizeOf(body, lines));
  for (let end = 1; end <= pieces.length; end += 1) {
    let chosen = { cost: Number.POSITIVE_INFINITY, from: end - 1 };
    const size = { lines: 0, bytes: 0 };
    for (let from = end - 1; from >= 0; from -= 1) {
      size.lines += sizes[from]?.lines ?? 0;
      size.bytes += sizes[from]?.bytes ?? 0;
      const isLarge = exceeds(size, limits);
      if (isLarge && from < end - 1) break;
      const own = PART_COST + (isLarge ? OVERSIZED_COST : 0) + (from > 0 ? (pieces[from]?.cost ?? 0) : 0);
      const cost = (best[from]?.cost ?? 0) + own;
      // Among equal solutions, the one with larger first parts.
      if (cost < chosen.cost) chosen = { cost, from };
    }
    best.push(chosen);
  }
  const parts: Part[] = [];
  for (let end = pieces.length; end > 0; end = best[end]?.from ?? 0)
    parts.unshift(pieces.slice(best[end]?.from ?? 0, end).flatMap(({ lines }) => lines));
  return parts;
}

/** Where a run may be cut, the best places first. */
interface Level {
  readonly isEnd: (body: HunkBody, line: number) => boolean;
  readonly cost: number;
  /** Only between two lines that each became one line. */
  readonly betweenPairs?: boolean;
}

const LEVELS: readonly Level[] = [
  { isEnd: endsParagraph, cost: 0 },
  { isEnd: endsSentence, cost: 3 },
  { isEnd: () => true, cost: 6, betweenPairs: true },
];

/** A cut between two runs has an unchanged line on both sides. */
const BETWEEN_RUNS_COST = 1.5;
const INDENT_COST = 1 / 8;
const INDENT_MAX_COST = 2;

interface CutOptions {
  readonly limits: HunkLimits;
  readonly levels: readonly Level[];
  /** The cost of the cut before the run. */
  readonly cost: number;
}

/** Splits one run into pieces that fit, as far as its text has places to cut. */
function cutRun(body: HunkBody, run: Run, { limits, levels, cost }: CutOptions): Piece[] {
  const lines = [...run.removed, ...run.added];
  const [level, ...rest] = levels;
  if (level === undefined || !isOversized(body, lines, limits)) return [{ lines, cost }];
  return cutAt(body, run, limits, level).flatMap((own, i) => {
    const head = own.added[0] ?? own.removed[0] ?? 0;
    const before = i === 0 ? cost : level.cost + indentCost(body, head);
    return cutRun(body, own, { limits, levels: rest, cost: before });
  });
}

/** Cuts both sides at matching places. */
function cutAt(body: HunkBody, run: Run, limits: HunkLimits, level: Level): Run[] {
  const { isEnd, betweenPairs = false } = level;
  const [leading, following] =
    run.added.length >= run.removed.length ? [run.added, run.removed] : [run.removed, run.added];
  const ahead = blocksOf(leading, (line) => isEnd(body, line));
  const behind = blocksOf(following, (line) => isEnd(body, line));
  // Without its own places to cut, a large other side would go into one part, and leave the rest one-sided.
  const room = { max_hunk_lines: limits.max_hunk_lines / 2, max_hunk_bytes: limits.max_hunk_bytes / 2 };
  if (behind.some((block) => isOversized(body, block, room))) return [run];
  const partners = partnersOf(body, ahead, behind);
  // No pairs there.
  if (betweenPairs && behind.length === 0) return [run];
  const shares = sharesOf(partners, behind.length);
  const pieces: { ahead: number[]; behind: number[] }[] = [];
  let taken = 0;
  ahead.forEach((block, i) => {
    const isPair = i > 0 && partners[i] !== -1 && partners[i] === (partners[i - 1] ?? -1) + 1;
    const until = i === ahead.length - 1 ? behind.length : (shares[i + 1] ?? 0);
    const last = pieces.at(-1);
    const piece = last !== undefined && betweenPairs && !isPair ? last : { ahead: [], behind: [] };
    if (piece !== last) pieces.push(piece);
    for (const line of block) piece.ahead.push(line);
    for (const other of behind.slice(taken, until)) for (const line of other) piece.behind.push(line);
    taken = until;
  });
  return pieces.map(({ ahead, behind }) =>
    leading === run.added ? { removed: behind, added: ahead } : { removed: ahead, added: behind },
  );
}

/** For each block, the index of the block on the other side with the same beginning, or -1; in ascending order. */
function partnersOf(body: HunkBody, ahead: readonly Part[], behind: readonly Part[]): Int32Array {
  // Beyond the limit, blocks are paired by position, which is meaningful only for equal numbers.
  if (ahead.length * behind.length > COMPARED_MAX_PAIRS && ahead.length !== behind.length)
    return new Int32Array(ahead.length).fill(-1);
  const heads = (blocks: readonly Part[]) =>
    blocks.map((block) => block.map((line) => textOf(body, line)).find((text) => text.trim() !== '') ?? '');
  return pairLines(heads(ahead), heads(behind));
}

/** How many blocks of the other side precede each block: up to its partner, or its share of those in between. */
function sharesOf(partners: Int32Array, count: number): number[] {
  const shares: number[] = [];
  for (let first = -1, last = 0; first < partners.length; first = last) {
    for (last = first + 1; last < partners.length && (partners[last] ?? -1) < 0; last += 1);
    const from = first < 0 ? 0 : (partners[first] ?? 0) + 1;
    const until = partners[last] ?? count;
    for (let at = first + 1; at < last; at += 1)
      shares.push(from + Math.ceil(((at - first - 1) * (until - from)) / (last - first - 1)));
    shares.push(until);
  }
  return shares;
}

function blocksOf(all: readonly number[], isEnd: (line: number) => boolean): number[][] {
  const blocks: number[][] = [];
  let open: number[] = [];
  for (const line of all) {
    open.push(line);
    if (!isEnd(line)) continue;
    blocks.push(open);
    open = [];
  }
  if (open.length > 0) blocks.push(open);
  return blocks;
}

/** The cost of a cut between two runs: lowest below a blank line and before a line with little indentation. */
function betweenRuns(body: HunkBody, before: Run | undefined, after: Run): number {
  const from = Math.max(before?.removed.at(-1) ?? -1, before?.added.at(-1) ?? -1) + 1;
  const until = Math.min(after.removed[0] ?? Infinity, after.added[0] ?? Infinity);
  let least = Number.POSITIVE_INFINITY;
  for (let line = from; line <= until; line += 1) {
    const isBelowBlank = line > from && endsParagraph(body, line - 1);
    least = Math.min(least, indentCost(body, line) + (isBelowBlank ? 0 : BETWEEN_RUNS_COST));
  }
  return least;
}

function indentCost(body: HunkBody, line: number): number {
  const [indent = ''] = /^\s*/.exec(textOf(body, line).trimEnd()) ?? [];
  return Math.min(INDENT_MAX_COST, indent.replaceAll('\t', '    ').length * INDENT_COST);
}

const decoder = new TextDecoder();
const textOf = (body: HunkBody, line: number) => decoder.decode(bodyLine(body, line));

/** A blank line ends the paragraph above it. */
function endsParagraph(body: HunkBody, line: number): boolean {
  return textOf(body, line).trim() === '';
}

function endsSentence(body: HunkBody, line: number): boolean {
  return /[.!?…。！？;}\])][)"'”’*_`]*\s*$/u.test(textOf(body, line));
}
