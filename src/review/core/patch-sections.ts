/** Drops files from git's patch until it is small enough to review: new files before edited ones, and the largest. */
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

const TOO_LARGE = 'too large to be reviewed with the rest';
export const TOO_MANY = `one of more than ${PATCH_MAX_FILES} changed files`;

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

/** The patch within the bounds of a review, and the files dropped from it, with the reason in words. */
export function withinBounds(patch: Uint8Array): {
  readonly patch: Uint8Array;
  readonly left: ReadonlyMap<ByteString, string>;
} {
  const bytes = Buffer.from(patch.buffer, patch.byteOffset, patch.length);
  const sections = sectionsOf(bytes);
  const totals = BOUNDS.map((_, at) => total(sections, at));
  const isOver = (at: number) => (totals[at] ?? 0) > (BOUNDS[at] ?? 0);
  const isTooLarge = () => BOUNDS.some((_, at) => at > 0 && isOver(at));
  const left = new Map<Section, string>();
  const leave = (section: Section, why: string) => {
    left.set(section, why);
    for (const [at, size] of section.takes.entries()) totals[at] = (totals[at] ?? 0) - size;
  };
  const rest = () => sections.filter((one) => !left.has(one));
  for (const section of sections) if ((section.takes[4] ?? 0) > BINARY_MAX_BYTES) leave(section, TOO_LARGE);
  // What the user has edited is worth more than a folder of new files.
  const isNew = ({ start, end }: Section) =>
    /^[^\n]*\nnew file mode /.test(latin1(bytes, start, Math.min(start + HEADER_MAX_BYTES, end)));
  if (isOver(0)) {
    const last = rest().reverse();
    for (const section of [...last.filter(isNew), ...last.filter((one) => !isNew(one))])
      if (isOver(0)) leave(section, TOO_MANY);
  }
  if (isTooLarge()) {
    const edited = rest().filter((one) => !isNew(one));
    const editsFit = BOUNDS.every((bound, at) => total(edited, at) <= bound);
    const share = ({ takes }: Section) => Math.max(...takes.map((size, at) => size / (BOUNDS[at] ?? 1)));
    const candidates = editsFit ? rest().filter(isNew) : rest();
    for (const section of candidates.sort((a, b) => share(b) - share(a)))
      if (isTooLarge()) leave(section, TOO_LARGE);
  }
  if (left.size === 0) return { patch, left: new Map() };
  return {
    patch: Buffer.concat(rest().map(({ start, end }) => bytes.subarray(start, end))),
    left: new Map([...left].map(([section, why]) => [nameOf(bytes, section), why])),
  };
}

const total = (sections: readonly Section[], bound: number) =>
  sections.reduce((sum, { takes }) => sum + (takes[bound] ?? 0), 0);

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
