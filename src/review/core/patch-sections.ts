/** Drops files from git's patch, largest first, until it is small enough to review. */
import { BINARIES_MAX_BYTES, BINARY_MAX_BYTES } from './binary-patch.ts';
import { type ByteString, LF, latin1 } from './bytes.ts';
import {
  HEADER_MAX_BYTES,
  PATCH_MAX_BYTES,
  PATCH_MAX_FILES,
  PATCH_MAX_HUNKS,
  PATCH_MAX_LINES,
} from './patch-model.ts';
import { gitHeaderNames } from './quoted-name.ts';

/** One file's section of the patch: its position, and its share of each bound. */
interface Section {
  readonly start: number;
  readonly end: number;
  readonly takes: readonly number[];
}

const BOUNDS: readonly number[] = [
  PATCH_MAX_FILES,
  PATCH_MAX_BYTES,
  PATCH_MAX_LINES,
  PATCH_MAX_HUNKS,
  BINARIES_MAX_BYTES,
];

/** The patch within the bounds of a review, and the files dropped from it. */
export function withinBounds(patch: Uint8Array): {
  readonly patch: Uint8Array;
  readonly left: readonly ByteString[];
} {
  const bytes = Buffer.from(patch.buffer, patch.byteOffset, patch.length);
  const sections = sectionsOf(bytes);
  const totals = BOUNDS.map((_, at) => sections.reduce((sum, { takes }) => sum + (takes[at] ?? 0), 0));
  const isOver = () => BOUNDS.some((most, at) => (totals[at] ?? 0) > most);
  const left = new Set(sections.filter(({ takes }) => (takes[4] ?? 0) > BINARY_MAX_BYTES));
  const leave = (section: Section) => {
    left.add(section);
    for (const [at, size] of section.takes.entries()) totals[at] = (totals[at] ?? 0) - size;
  };
  for (const section of [...left]) leave(section);
  if (isOver()) {
    const share = ({ takes }: Section) => Math.max(...takes.map((size, at) => size / (BOUNDS[at] ?? 1)));
    const largest = sections.filter((one) => !left.has(one)).sort((a, b) => share(b) - share(a));
    for (const section of largest) {
      if (!isOver()) break;
      leave(section);
    }
  }
  if (left.size === 0) return { patch, left: [] };
  const kept = sections.filter((section) => !left.has(section));
  return {
    patch: Buffer.concat(kept.map(({ start, end }) => bytes.subarray(start, end))),
    left: [...left].map((section) => nameOf(bytes, section)),
  };
}

/** Content lines begin with other characters, so `diff --git` and `@@` at a line's beginning are git's. */
function sectionsOf(bytes: Buffer): Section[] {
  const starts = [0, ...placesOf(bytes, '\ndiff --git ').map((at) => at + 1)];
  const countsLines = bytes.length > PATCH_MAX_LINES;
  return starts.map((start, at) => {
    const end = starts[at + 1] ?? bytes.length;
    const part = bytes.subarray(start, end);
    const lines = countsLines ? linesIn(part) : 0;
    return { start, end, takes: [1, end - start, lines, placesOf(part, '\n@@ ').length, binarySize(part)] };
  });
}

function placesOf(bytes: Buffer, words: string): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(words); at >= 0; at = bytes.indexOf(words, at + 1)) places.push(at);
  return places;
}

function linesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) count += 1;
  return count;
}

/** Inflated size of a binary file; 0 for a text. */
function binarySize(part: Buffer): number {
  const head = latin1(part, 0, Math.min(part.length, HEADER_MAX_BYTES));
  return Number(/\nGIT binary patch\n(?:literal|delta) (\d+)\n/.exec(head)?.[1] ?? 0);
}

function nameOf(bytes: Buffer, { start }: Section): ByteString {
  const end = bytes.indexOf(LF, start);
  const line = latin1(bytes, start + 'diff --git '.length, end < 0 ? bytes.length : end);
  return (gitHeaderNames(line)?.[1] ?? line).replace(/^b\//, '');
}
