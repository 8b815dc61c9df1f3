/**
 * Cuts a hunk that is too large to be judged into parts: between its changed runs, then at blank lines, then where a
 * paragraph or a sentence ends. Where none of these comes in time the part stays oversized; nothing is cut blindly.
 */
import type { AgentLimits } from '../../protocol/agent.ts';
import { bodyLine, CONTEXT, type HunkBody, REMOVED } from '../../review/core/hunk-body.ts';

export type HunkLimits = Pick<AgentLimits, 'max_hunk_lines' | 'max_hunk_bytes'>;

/** Which changed lines of the body belong together. */
type Part = readonly number[];

/** Whether a hunk is too large to review at one look. */
export function isOversized(body: HunkBody, lines: Iterable<number>, limits: HunkLimits): boolean {
  let count = 0;
  let bytes = 0;
  for (const line of lines) {
    count += 1;
    bytes += sizeOf(body, line);
  }
  return count > limits.max_hunk_lines || bytes > limits.max_hunk_bytes;
}

/** The changed lines of a body. */
export function changedLines(body: HunkBody): number[] {
  return Array.from({ length: body.count }, (_, line) => line).filter((line) => body.op(line) !== CONTEXT);
}

/** The parts of a hunk that is too large; null when it is not, or cannot be cut. */
export function splitHunk(body: HunkBody, limits: HunkLimits): readonly Part[] | null {
  if (!isOversized(body, changedLines(body), limits)) return null;
  const parts = packed(
    body,
    runsOf(body).flatMap((run) => cutRun(body, run, limits)),
    limits,
  );
  return parts.length < 2 ? null : parts.map((part) => [...part].sort((a, b) => a - b));
}

interface Run {
  readonly removed: readonly number[];
  readonly added: readonly number[];
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

/** Joins neighbours as long as they fit, so that parts are as large as possible. */
function packed(body: HunkBody, parts: readonly Part[], limits: HunkLimits): Part[] {
  const packs: number[][] = [];
  for (const part of parts) {
    const last = packs.at(-1);
    if (last !== undefined && !isOversized(body, [...last, ...part], limits)) last.push(...part);
    else packs.push([...part]);
  }
  return packs;
}

/** One run in pieces that fit, as far as its text has places to cut. */
function cutRun(body: HunkBody, run: Run, limits: HunkLimits): Part[] {
  const whole = [...run.removed, ...run.added];
  if (!isOversized(body, whole, limits)) return [whole];
  for (const isEnd of [endsParagraph, endsSentence]) {
    const parts = cutAt(body, run, isEnd);
    if (parts.length > 1) {
      return parts.flatMap((part) => (isEnd === endsSentence ? [lines(part)] : cutRun(body, part, limits)));
    }
  }
  return [whole];
}

const lines = ({ removed, added }: Run): Part => [...removed, ...added];

/** Cuts both sides at the same number of places, each side at its own. */
function cutAt(body: HunkBody, run: Run, isEnd: (body: HunkBody, line: number) => boolean): Run[] {
  const leading = run.added.length >= run.removed.length ? 'added' : 'removed';
  const blocks = blocksOf(run[leading], (line) => isEnd(body, line));
  if (blocks.length < 2) return [run];
  const other = leading === 'added' ? run.removed : run.added;
  const otherBlocks = blocksOf(other, (line) => isEnd(body, line));
  let taken = 0;
  return blocks.map((block, i) => {
    // The same share of the blocks on the other side; of a few, the first parts have one each.
    const until =
      i === blocks.length - 1
        ? otherBlocks.length
        : Math.ceil(((i + 1) * otherBlocks.length) / blocks.length);
    const own = otherBlocks.slice(taken, until).flat();
    taken = until;
    return leading === 'added' ? { removed: own, added: block } : { removed: block, added: own };
  });
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

const decoder = new TextDecoder();
const textOf = (body: HunkBody, line: number) => decoder.decode(bodyLine(body, line));
const sizeOf = (body: HunkBody, line: number) => body.end(line) - body.start(line);

/** A blank line ends what stands above it. */
function endsParagraph(body: HunkBody, line: number): boolean {
  return textOf(body, line).trim() === '';
}

/** Whether the line ends a sentence, or a block of code or data. */
function endsSentence(body: HunkBody, line: number): boolean {
  return /[.!?…。！？;}\])][)"'”’*_`]*\s*$/u.test(textOf(body, line));
}
