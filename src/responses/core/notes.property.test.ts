/**
 * Random edit programs on random pulled texts, tracking the author of every character. The two promises of `notes.ts`
 * are checked against this record, which shares no code with it.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inFull } from '../../../test/helpers/full-run.ts';
import { extractNotes, type LineKind } from './notes.ts';

/** A line and the author of each character: `A` the AI, `H` the user, a blank nobody. */
interface Written {
  readonly text: string;
  readonly by: string;
  /** The index in the pulled text for each character; -1 for the user's and for blanks. */
  readonly from: readonly number[];
  readonly marked: boolean;
}

const AI_WORDS = [
  'flush',
  'parser',
  'line',
  'the',
  'is',
  'end()',
  'buffer',
  'never',
  '漢字',
  'yes',
  '-',
  '1.',
  '{',
  '```',
];
/** None of these is one of the AI's words, or part of one. */
const OWN_WORDS = ['why', 'CRLF?', 'bitte', 'wrong', 'no!', 'warum', 'ok,', '不'];

const ROW_MAX_CHARS = 1000;
const write = (text: string, author: 'A' | 'H', marked = false, row = 0): Written => ({
  text,
  by: text.replace(/\S/g, author),
  from: [...text].map((character, at) =>
    author === 'H' || character === ' ' ? -1 : row * ROW_MAX_CHARS + at,
  ),
  marked,
});
const joinLines = (a: Written, b: Written): Written => ({
  text: `${a.text} ${b.text.trimStart()}`,
  by: `${a.by} ${b.by.slice(b.text.length - b.text.trimStart().length)}`,
  from: [...a.from, -1, ...b.from.slice(b.text.length - b.text.trimStart().length)],
  marked: a.marked || b.marked,
});
const slice = (line: Written, from: number, to?: number): Written => ({
  text: line.text.slice(from, to),
  by: line.by.slice(from, to),
  from: line.from.slice(from, to),
  marked: line.marked,
});

const words = (from: readonly string[], max: number) =>
  fc.array(fc.constantFrom(...from), { minLength: 1, maxLength: max }).map((list) => list.join(' '));
const pulledText = fc.array(fc.oneof({ weight: 5, arbitrary: words(AI_WORDS, 8) }, fc.constant('')), {
  maxLength: 14,
});

type Edit = (lines: readonly Written[], pulled: readonly string[]) => readonly Written[];
const place = fc.integer({ min: 0, max: 10_000 });
const at = (lines: readonly unknown[], seed: number) => seed % Math.max(1, lines.length);
const splice = (lines: readonly Written[], index: number, count: number, ...put: readonly Written[]) => [
  ...lines.slice(0, index),
  ...put,
  ...lines.slice(index + count),
];
/** `dd` as in Neovim: the mark moves onto the line below. */
const remove = (lines: readonly Written[], index: number) => {
  const next = lines[index + 1];
  const slid = lines[index]?.marked === true && next !== undefined ? { ...next, marked: true } : next;
  return splice(lines, index, 2, ...(slid === undefined ? [] : [slid]));
};

const human = fc.oneof(
  { weight: 4, arbitrary: words(OWN_WORDS, 5) },
  { weight: 2, arbitrary: words([...OWN_WORDS, ...AI_WORDS], 6) },
  { weight: 1, arbitrary: words(AI_WORDS, 3) },
  { weight: 1, arbitrary: fc.constant('') },
);

/** Edits that keep lines whole or cut them at blanks. */
const edits: readonly fc.Arbitrary<Edit>[] = [
  fc.tuple(place, human).map(
    ([seed, text]): Edit =>
      (lines) =>
        splice(lines, at(lines, seed), 0, write(text, 'H')),
  ),
  place.map(
    (seed): Edit =>
      (lines, pulled) => {
        const text = pulled[at(pulled, seed)] ?? '';
        return splice(lines, at(lines, seed), 0, write(text, 'H'));
      },
  ),
  place.map(
    (seed): Edit =>
      (lines) =>
        remove(lines, at(lines, seed)),
  ),
  place.map(
    (seed): Edit =>
      (lines) => {
        const index = at(lines, seed);
        const [a, b] = [lines[index], lines[index + 1]];
        return a === undefined || b === undefined
          ? lines
          : splice(lines, index, 2, b, { ...a, marked: false });
      },
  ),
  place.map(
    (seed): Edit =>
      (lines) => {
        const line = lines[at(lines, seed)];
        return line === undefined ? lines : splice(lines, at(lines, seed) + 1, 0, { ...line, marked: false });
      },
  ),
  place.map(
    (seed): Edit =>
      (lines) => {
        const index = at(lines, seed);
        const [a, b] = [lines[index], lines[index + 1]];
        return a === undefined || b === undefined ? lines : splice(lines, index, 2, joinLines(a, b));
      },
  ),
  fc.tuple(place, place).map(
    ([seed, cut]): Edit =>
      (lines) => {
        const index = at(lines, seed);
        const line = lines[index];
        if (line === undefined) return lines;
        const blanks = [...line.text.matchAll(/\s/g)].map((match) => match.index);
        const column = blanks[at(blanks, cut)] ?? 0;
        return splice(lines, index, 1, slice(line, 0, column), { ...slice(line, column), marked: false });
      },
  ),
  fc.tuple(place, place).map(
    ([from, to]): Edit =>
      (lines) => {
        const index = at(lines, from);
        const line = lines[index];
        const rest = splice(lines, index, 1);
        return line === undefined ? lines : splice(rest, at(rest, to), 0, line);
      },
  ),
  fc.constant<Edit>((lines) => [...lines].sort((a, b) => (a.text < b.text ? -1 : 1))),
  fc.constantFrom(...AI_WORDS, ...OWN_WORDS).map(
    (word): Edit =>
      (lines) =>
        lines.filter((line) => !line.text.includes(word)),
  ),
  fc.integer({ min: 8, max: 60 }).map(
    (width): Edit =>
      (lines) =>
        fill(lines, width),
  ),
  fc.tuple(place, words(OWN_WORDS, 3)).map(
    ([seed, text]): Edit =>
      (lines) => {
        const line = lines[at(lines, seed)];
        return line === undefined
          ? lines
          : splice(lines, at(lines, seed), 1, joinLines(line, write(text, 'H')));
      },
  ),
  fc.tuple(place, human).map(
    ([seed, text]): Edit =>
      (lines) => {
        const line = lines[at(lines, seed)];
        return line === undefined ? lines : splice(lines, at(lines, seed), 1, write(text, 'H', line.marked));
      },
  ),
  fc.constant<Edit>((lines) => lines.map((line, index) => ({ ...line, marked: index === 0 }))),
];

/** `gq` over everything: paragraphs filled to `width`; all marks collapse on the first line. */
function fill(lines: readonly Written[], width: number): readonly Written[] {
  const filled: Written[] = [];
  for (const line of lines) {
    const last = filled.at(-1);
    if (line.text.trim() === '' || last === undefined || last.text.trim() === '') filled.push(line);
    else filled[filled.length - 1] = joinLines(last, line);
  }
  return filled
    .flatMap((line) => {
      const rows = [...line.text.matchAll(new RegExp(`\\S.{0,${width}}(?=\\s|$)|\\S+`, 'g'))];
      return rows.length === 0
        ? [line]
        : rows.map((row) => slice(line, row.index, row.index + row[0].length));
    })
    .map((line, index) => ({ ...line, marked: index === 0 }));
}

const squeezed = (text: string) => text.replace(/\s+/g, '');

function explain(lines: readonly Written[], kinds: readonly LineKind[]): string {
  return lines
    .map((line, index) => `${kinds[index]}\t${line.marked ? '*' : ' '}${line.text}\n\t\t ${line.by}`)
    .join('\n');
}

/** How often each character occurs in `texts`. */
function census(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const character of texts.map(squeezed).join(''))
    counts.set(character, (counts.get(character) ?? 0) + 1);
  return counts;
}

function checkPromises(
  lines: readonly Written[],
  pulled: readonly string[],
  kinds: readonly LineKind[],
): void {
  const told = () => explain(lines, kinds);
  const pulledKeys = census2(pulled);
  const withheld = lines.filter((_, index) => kinds[index] === 'response' || kinds[index] === 'blank');
  lines.forEach((line, index) => {
    const kind = kinds[index];
    if (line.text.trim() === '') return;
    expect(kind, told()).not.toBe('blank');
    const isAll = (author: string) =>
      [...line.by].every((by) => by === author || by === ' ' || /\s/.test(by));
    if (isAll('A') && !isPatchOfCopies(line, lines, { pulled, kinds }))
      expect(kind, `sent unasked:\n${told()}`).not.toBe('note');
    const isForeign = OWN_WORDS.some((word) => line.text.includes(word));
    if (isForeign) expect(kind, `a word of the human's is lost:\n${told()}`).not.toBe('response');
  });
  for (const [key, count] of census2(withheld.map((line) => line.text))) {
    if (!pulledKeys.has(key)) continue;
    expect(count, `more copies withheld than pulled: ${key}\n${told()}`).toBeLessThanOrEqual(
      pulledKeys.get(key) ?? 0,
    );
  }
  const [had, kept] = [census(pulled), census(withheld.map((line) => line.text))];
  for (const [character, count] of kept) {
    expect(count, `more withheld than pulled: ${character}\n${told()}`).toBeLessThanOrEqual(
      had.get(character) ?? 0,
    );
  }
}

/**
 * Pieces of lines joined out of order while copies of the lines remain in the buffer (or the user wrote the same words
 * as the AI, which were taken for the AI's): nothing distinguishes such a line from the user's. The one stated
 * exception.
 */
function isPatchOfCopies(line: Written, lines: readonly Written[], { pulled, kinds }: Outcome): boolean {
  const own = line.from.filter((source) => source >= 0);
  if (own.every((source, at) => at === 0 || follows(own[at - 1] ?? 0, source, pulled))) return false;
  if (lines.some((other, at) => other.by.includes('H') && kinds[at] === 'response')) return true;
  const others = lines.filter((other) => other !== line);
  const copied = new Set(others.flatMap((other) => other.from));
  const standing = new Set(others.map((other) => squeezed(other.text)));
  const isStanding = (source: number) =>
    standing.has(squeezed(pulled[Math.floor(source / ROW_MAX_CHARS)] ?? ''));
  return own.some((source, at) => copied.has(source) || isStanding(source) || own.indexOf(source) !== at);
}

interface Outcome {
  readonly pulled: readonly string[];
  readonly kinds: readonly LineKind[];
}

/** The next character of the same row (blanks aside), or the first of the next row. */
function follows(before: number, after: number, pulled: readonly string[]): boolean {
  const [row, next] = [Math.floor(before / ROW_MAX_CHARS), Math.floor(after / ROW_MAX_CHARS)];
  if (row === next) return after === before + 1 || after === before + 2;
  return after % ROW_MAX_CHARS === 0 && pulled.findIndex((text, at) => at > row && text !== '') === next;
}

/** How often each line occurs in `texts`, ignoring white space. */
function census2(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts)
    if (text.trim() !== '') counts.set(squeezed(text), (counts.get(squeezed(text)) ?? 0) + 1);
  return counts;
}

function run(pulled: readonly string[], program: readonly Edit[]): readonly Written[] {
  const start: readonly Written[] = pulled.map((text, row) => write(text, 'A', true, row));
  return program.reduce((lines, edit) => edit(lines, pulled), start);
}

const program = fc.array(fc.oneof(...edits), { maxLength: 12 });
/** `i<CR>` anywhere, inside words too. */
const cutAnywhere: fc.Arbitrary<Edit> = fc.tuple(place, place).map(
  ([seed, cut]): Edit =>
    (lines) => {
      const index = at(lines, seed);
      const line = lines[index];
      if (line === undefined) return lines;
      const column = cut % (line.text.length + 1);
      return splice(lines, index, 1, slice(line, 0, column), { ...slice(line, column), marked: false });
    },
);
/** Cuts anywhere, between insertions, deletions and additions. */
const cutting = fc.array(
  fc.oneof(cutAnywhere, ...[edits[0], edits[2], edits[11]].filter((edit) => edit !== undefined)),
  {
    maxLength: 8,
  },
);
const RUNS = { numRuns: inFull(500, 1500) };

describe('extractNotes over random edit programs', () => {
  it('loses no word of the user and sends no line of the AI unasked, with marks as Neovim moves them', () => {
    fc.assert(
      fc.property(pulledText, program, (pulled, steps) => {
        const lines = run(pulled, steps);
        const buffer = lines.map(
          (line) => ({ text: line.text, mark: line.marked ? 'response' : 'unknown' }) as const,
        );
        checkPromises(lines, pulled, extractNotes(buffer, [{ turnId: 't', lines: [...pulled] }]).kinds);
      }),
      { seed: 41, ...RUNS },
    );
  });

  it('keeps both promises without any mark ($EDITOR)', () => {
    fc.assert(
      fc.property(pulledText, program, (pulled, steps) => {
        const lines = run(pulled, steps);
        checkPromises(lines, pulled, extractNotes(lines, [{ turnId: 't', lines: [...pulled] }]).kinds);
      }),
      { seed: 42, ...RUNS },
    );
  });

  it('keeps both promises with two pulls and any marks', () => {
    fc.assert(
      fc.property(
        pulledText,
        pulledText,
        program,
        fc.infiniteStream(fc.boolean()),
        (first, second, steps, marks) => {
          const pulled = [...first, ...second];
          const lines = run(pulled, steps);
          const buffer = lines.map((line) => ({
            text: line.text,
            mark: marks.next().value === true ? ('response' as const) : ('unknown' as const),
          }));
          const pulls = [
            { turnId: 'a', lines: [...first] },
            { turnId: 'b', lines: [...second] },
          ];
          checkPromises(lines, pulled, extractNotes(buffer, pulls).kinds);
        },
      ),
      { seed: 43, ...RUNS },
    );
  });

  it('loses no word of the user if lines are cut inside words', () => {
    fc.assert(
      fc.property(pulledText, cutting, (pulled, steps) => {
        const lines = run(pulled, steps);
        const buffer = lines.map(
          (line) => ({ text: line.text, mark: line.marked ? 'response' : 'unknown' }) as const,
        );
        const { kinds } = extractNotes(buffer, [{ turnId: 't', lines: [...pulled] }]);
        lines.forEach((line, index) => {
          const isOwn = line.by.includes('H') && !/[A]/.test(line.by);
          if (isOwn && OWN_WORDS.some((word) => line.text.includes(word))) {
            expect(kinds[index], explain(lines, kinds)).not.toBe('response');
          }
        });
      }),
      { seed: 45, ...RUNS },
    );
  });

  it('asks nothing if response lines were only moved, deleted or left, and notes have other words', () => {
    const notes = fc.array(fc.tuple(place, words(OWN_WORDS, 4)), { maxLength: 6 });
    const shuffle = fc.array(fc.tuple(fc.constantFrom(2, 7), place, place), { maxLength: 6 });
    fc.assert(
      fc.property(pulledText, notes, shuffle, (pulled, added, moves) => {
        let lines = run(pulled, []);
        for (const [kind, from, to] of moves) {
          const index = at(lines, from);
          const line = lines[index];
          lines = remove(lines, index);
          if (kind === 7 && line !== undefined) lines = splice(lines, at(lines, to), 0, line);
        }
        for (const [seed, text] of added) lines = splice(lines, at(lines, seed), 0, write(text, 'H'));
        const buffer = lines.map(
          (line) => ({ text: line.text, mark: line.marked ? 'response' : 'unknown' }) as const,
        );
        const { items } = extractNotes(buffer, [{ turnId: 't', lines: [...pulled] }]);
        expect(items.filter((item) => item.text !== '').map((item) => `${item.kind} ${item.text}`)).toEqual(
          lines.filter((line) => line.by.includes('H')).map((line) => `note ${line.text}`),
        );
      }),
      { seed: 44, ...RUNS },
    );
  });
});
