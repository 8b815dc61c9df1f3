/** A hunk as shown: with surroundings, modified version, or conflict sides. Decisions are on its own lines. Pure. */
import { alignSequences, editScript, Interner } from '../../lib/sequence-diff.ts';
import type { Conflict, Hunk, Surroundings } from '../../protocol/review.ts';
import { docOf, type HunkDoc, type HunkLine, NO_NUMBERS, splitText } from './hunk-doc.ts';
import type { ReviewView } from './port.ts';

type Texts = NonNullable<ReviewView['modified']>['texts'];

/** A conflict's two sides, each compared with the base, instead of the hunk's lines. */
export function readConflict(hunk: Pick<Hunk, 'id' | 'diff'>, sides: Conflict): HunkDoc {
  const base = splitText(sides.base);
  const from = numbersOf(hunk.diff)?.before.first ?? 1;
  const part = (title: string, text: string, line: number): HunkLine[] => {
    const lines = numbered(compare(base, splitText(text)), from, line);
    const isSame = lines.every(({ op }) => op === 'same');
    return [titleLine(isSame ? `${title}: no difference` : title), ...lines];
  };
  const lines = [
    ...part('yours: from the base to the text there now', sides.yours, sides.yoursLine),
    ...part(
      'suggested: from the base to the text it proposes',
      sides.suggested,
      numbersOf(hunk.diff)?.after.first ?? 1,
    ),
  ];
  return docOf(hunk, lines, { from: lines.length, count: 0 });
}

/** The reader's version of the hunk, compared with the suggested one, and below it the hunk as suggested. */
export function readModified(hunk: Pick<Hunk, 'id' | 'diff'>, doc: HunkDoc, texts: Texts): HunkDoc {
  const made = compare(splitText(texts.suggested), splitText(texts.result));
  const head = [
    titleLine('yours: the text in its place, compared with the suggestion'),
    ...made,
    titleLine('suggested'),
  ];
  const { from, count } = doc.own;
  return docOf(hunk, [...head, ...doc.lines], { from: head.length + from, count });
}

function compare(before: readonly string[], after: readonly string[]): HunkLine[] {
  const interner = new Interner();
  const [a, b] = [interner.idsOf(before), interner.idsOf(after)];
  return editScript(a.length, b.length, alignSequences(a, b)).map(({ kind, a: at, b: to }): HunkLine => {
    const text = (kind === 'removed' ? before[at] : after[to]) ?? '';
    return { ...NO_NUMBERS, op: kind, text };
  });
}

/** The lines with their numbers on both sides. */
function numbered(lines: readonly HunkLine[], before: number, after: number): HunkLine[] {
  let [old, updated] = [before, after];
  return lines.map((line) => {
    const [isOld, isNew] = [line.op !== 'added', line.op !== 'removed'];
    const numbers = { before: isOld ? old : null, after: isNew ? updated : null };
    old += Number(isOld);
    updated += Number(isNew);
    return { ...line, ...numbers };
  });
}

const titleLine = (text: string): HunkLine => ({ ...NO_NUMBERS, op: 'title', text });

/** Adds up to `wanted` lines of the file above and below, and continues the numbers of both sides. */
export function withSurroundings(
  hunk: Pick<Hunk, 'id' | 'diff'>,
  doc: HunkDoc,
  around: Surroundings,
  wanted: number,
): HunkDoc {
  const above = around.above.slice(Math.max(0, around.above.length - wanted));
  const below = around.below.slice(0, wanted);
  const numbers = numbersOf(doc.diff);
  if (numbers === null || above.length + below.length === 0) return doc;
  const { before, after } = numbers;
  const own = doc.lines.slice(doc.own.from, doc.own.from + doc.own.count);
  const aroundLine = (text: string, one: number, other: number): HunkLine => {
    return { ...NO_NUMBERS, op: 'around', text, before: one, after: other };
  };
  const head = above.map((text, index) => {
    const distance = above.length - index;
    return aroundLine(text, before.first - distance, after.first - distance);
  });
  const tail = below.map((text, index) => aroundLine(text, before.next + index, after.next + index));
  const lines = [...doc.lines.slice(0, doc.own.from), ...head, ...own, ...tail];
  return docOf(hunk, lines, { from: doc.own.from + head.length, count: own.length });
}

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Both sides' numbers of the first line and of the line after the hunk; an empty side names the one before. */
function numbersOf(diff: string) {
  const header = HEADER.exec(diff);
  if (header === null) return null;
  const side = (number = '0', count = '1') => {
    const first = Number(number) + (count === '0' ? 1 : 0);
    return { first, next: first + Number(count) };
  };
  return { before: side(header[1], header[2]), after: side(header[3], header[4]) };
}
