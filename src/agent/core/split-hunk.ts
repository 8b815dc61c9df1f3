/**
 * Splits a hunk that is too large to review: between its changed runs, at blank lines, where a sentence or a block
 * ends, and last between lines that each became one line. Removed lines stay with their replacement, and moved lines with
 * the place that they left. If there is no such place in time, the part stays oversized; it is never split blindly.
 */
import { COMPARED_MAX_PAIRS, pairLines } from '../../lib/line-pairs.ts';
import type { AgentLimits } from '../../protocol/agent.ts';
import { bodyLine, changedLines, type HunkBody } from '../../review/core/hunk-body.ts';
import { type Block, blocksOf, placesInBlock } from '../../review/core/hunk-pieces.ts';
import { JOIN_MAX_LINES } from './composed-hunk.ts';
import { movedBlocks } from './moved-blocks.ts';

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

/**
 * The parts of a hunk that is too large, or that holds places far apart because lines move between them; null if it
 * stays whole.
 */
export function splitHunk(body: HunkBody, limits: HunkLimits): readonly Part[] | null {
  const runs = blocksOf(body);
  const isWide = runs.some((run, i) => isApart(runs[i - 1], run));
  if (!isWide && !isOversized(body, changedLines(body), limits)) return null;
  const moves = movesIn(body, runs);
  const links = [
    ...runs.flatMap((run, i) => (i > 0 && !isApart(runs[i - 1], run) ? [[i - 1, i] as const] : [])),
    ...moves.map(({ from, to }) => [from, to] as const),
  ];
  const parts = linked(runs.length, links).flatMap((group) => {
    const members = new Set(group);
    const own = runs.filter((_, i) => members.has(i));
    const lines = own.flatMap(linesOf);
    if (!isOversized(body, lines, limits)) return [lines];
    const inside = moves.filter(({ from }) => members.has(from));
    return joined(body, piecesOf(body, own, inside, limits), limits);
  });
  return parts.length < 2 ? null : parts.map((part) => [...part].sort((a, b) => a - b));
}

/** Removed and added lines without context between them. */
type Run = Pick<Block, 'removed' | 'added'>;

/** Lines that stay together, and the cost of a cut right before them. */
interface Piece {
  readonly lines: Part;
  readonly cost: number;
}

const linesOf = ({ removed, added }: Run): Part => [...removed, ...added];

/** Whether so many unchanged lines are between two runs that only moved lines put them into one hunk. */
function isApart(before: Run | undefined, after: Run): boolean {
  if (before === undefined) return false;
  return Math.min(...heads(after)) - Math.max(...ends(before)) - 1 > JOIN_MAX_LINES;
}

const heads = ({ removed, added }: Run) => [removed[0] ?? Infinity, added[0] ?? Infinity];
const ends = ({ removed, added }: Run) => [removed.at(-1) ?? -1, added.at(-1) ?? -1];

interface Move {
  /** Indexes of the runs. */
  readonly from: number;
  readonly to: number;
  readonly lines: Part;
}

/** Lines that one run loses and another gains, or the same one further up or down: half of it would lose or duplicate them. */
function movesIn(body: HunkBody, runs: readonly Run[]): Move[] {
  const side = (name: keyof Run) =>
    runs.flatMap((own, run) => own[name].map((line) => ({ line, run, text: textOf(body, line) })));
  const [removed, added] = [side('removed'), side('added')];
  return movedBlocks(removed, added).map((block) => {
    const lost = removed.slice(block.removed.start, block.removed.end);
    const gained = added.slice(block.added.start, block.added.end);
    const lines = [...lost, ...gained].map(({ line }) => line);
    return { from: lost[0]?.run ?? 0, to: gained[0]?.run ?? 0, lines };
  });
}

/** The numbers below `count` in groups: linked ones are in the same. */
function linked(count: number, links: readonly (readonly [number, number])[]): number[][] {
  const first = Array.from({ length: count }, (_, i) => i);
  const groupOf = (i: number): number => {
    let at = i;
    for (let next = first[at] ?? at; next !== at; next = first[at] ?? at) {
      first[at] = first[next] ?? next;
      at = next;
    }
    return at;
  };
  for (const [a, b] of links) {
    const groups = [groupOf(a), groupOf(b)];
    first[Math.max(...groups)] = Math.min(...groups);
  }
  return [...Map.groupBy(first.keys(), groupOf).values()];
}

/** The moved blocks, each with both its places, and the rest of the runs as far as it can be cut. */
function piecesOf(body: HunkBody, runs: readonly Run[], moves: readonly Move[], limits: HunkLimits): Piece[] {
  const moved = new Set(moves.flatMap(({ lines }) => lines));
  const isRest = (line: number) => !moved.has(line);
  const pieces = runs.flatMap((run, i) => {
    const rest = { removed: run.removed.filter(isRest), added: run.added.filter(isRest) };
    const cost = betweenRuns(body, runs[i - 1], run);
    return linesOf(rest).length === 0 ? [] : cutRun(body, rest, { limits, levels: LEVELS, cost });
  });
  if (moves.length === 0) return pieces;
  for (const { lines } of moves) pieces.push({ lines, cost: indentCost(body, firstOf(lines)) });
  const groups = linked(pieces.length, tangles(body, runs, pieces)).map((group) => ({
    lines: group.flatMap((i) => pieces[i]?.lines ?? []),
    cost: pieces[group[0] ?? 0]?.cost ?? 0,
  }));
  return groups.sort((a, b) => firstOf(a.lines) - firstOf(b.lines));
}

/** Pieces of which one adds lines inside what the other removes: each alone would mix the lines of both. */
function tangles(body: HunkBody, runs: readonly Run[], pieces: readonly Piece[]) {
  const owners = new Map(pieces.flatMap(({ lines }, i) => lines.map((line) => [line, i] as const)));
  const ownerOf = (line: number | undefined) => owners.get(line ?? -1) ?? -1;
  return runs.flatMap(({ removed, added }) => {
    const places = placesInBlock(body, { removed, added });
    return added.flatMap((line, j) => {
      const place = places[j] ?? 0;
      const around = ownerOf(removed[place]);
      const isInside = around !== -1 && ownerOf(removed[place - 1]) === around;
      return isInside && ownerOf(line) !== around ? [[ownerOf(line), around] as const] : [];
    });
  });
}

const firstOf = (lines: Part) => lines.reduce((first, line) => Math.min(first, line), Infinity);

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
  const ahead = splitAfter(leading, (line) => isEnd(body, line));
  const behind = splitAfter(following, (line) => isEnd(body, line));
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

function splitAfter(all: readonly number[], isEnd: (line: number) => boolean): number[][] {
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
  const from = before === undefined ? 0 : Math.max(...ends(before)) + 1;
  const until = Math.min(...heads(after));
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
