/**
 * Random edits of a few files, recorded as whole texts, as hunks with line numbers, or with LF instead of the line
 * ends: the combined result must equal that of a model of the files.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromLatin1, latin1 } from '../../review/core/bytes.ts';
import { hunksOf, hunksText } from './change-hunks.ts';
import { bytesOf, exactText } from './file-text.ts';
import { KnownLines, scriptBetween } from './known-lines.ts';
import { turnChanges } from './turn-changes.ts';
import type { ChangeHunk, EditHunk, FileChange, TurnEdit } from './turn-edits.ts';

const RUNS = 400;
/** A rename onto a name that another file of the turn had. */
const FAILED_ONCE: [number][] = [[1542483285]];

function forSeeds(check: (seed: number) => void): void {
  fc.assert(fc.property(fc.integer(), check), { numRuns: RUNS, examples: FAILED_ONCE });
}

/** Numbers from 0 to 1, the same for the same seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const linesIn = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function diff(before: string, after: string): readonly ChangeHunk[] {
  const all = (text: string) => linesIn(text).map((line) => ({ text: line, by: 'tool' as const }));
  return hunksOf(scriptBetween(all(before), all(after)));
}

/** The model's own way to apply hunks: every old line must be at its number. */
function applied(before: string, hunks: readonly EditHunk[]): string {
  const old = linesIn(before);
  const out: string[] = [];
  let at = 0;
  for (const { oldStart, lines } of hunks) {
    const start = lines.some((line) => line[0] !== '+') ? oldStart - 1 : oldStart;
    while (at < start) out.push(old[at++] ?? '');
    for (const line of lines) {
      if (line[0] !== '+') expect(old[at++]).toBe(line.slice(1));
      if (line[0] !== '-') out.push(line.slice(1));
    }
  }
  return [...out, ...old.slice(at)].join('');
}

interface World {
  readonly next: () => number;
  readonly files: Map<string, string>;
  readonly edits: TurnEdit[];
}

const pick = (world: World, count: number) => Math.floor(world.next() * count);

function changed(world: World, text: string): string {
  const lines = [...linesIn(text)];
  for (let times = 0; times <= pick(world, 3); times += 1) {
    const at = pick(world, lines.length + 1);
    const fresh = `${['a', 'b', 'b', 'd'][pick(world, 4)]}${pick(world, 5)}\n`;
    lines.splice(at, pick(world, 3), ...(pick(world, 3) > 0 ? [fresh] : []));
  }
  const joined = lines
    .map((line, at) => (at < lines.length - 1 && !line.endsWith('\n') ? `${line}\n` : line))
    .join('');
  return pick(world, 8) === 0 ? joined.replace(/\n$/, '') : joined;
}

function record(world: World, path: string, more: Partial<TurnEdit> & Pick<TurnEdit, 'kind'>): void {
  world.edits.push({
    path,
    order: world.edits.length,
    at: null,
    outcome: 'applied',
    source: 'tool',
    by: 'tool',
    lineEnds: 'exact',
    ...more,
  });
}

/** One edit by a tool, recorded in one of the programs' ways. */
function toolEdit(world: World, path: string, onlyHunks: boolean): void {
  const before = world.files.get(path);
  const roll = pick(world, 10);
  if (before === undefined) {
    const after = changed(world, '');
    world.files.set(path, after);
    record(world, path, { kind: 'add', after: exactText(after) });
    return;
  }
  if (roll === 0) {
    world.files.delete(path);
    record(world, path, { kind: 'delete', before: exactText(before) });
    return;
  }
  // Onto a file of the turn, hunks alone do not determine the resulting text.
  const target = `${path}x`;
  const isTaken = world.files.has(target) || world.edits.some((edit) => edit.path === target);
  const to = roll === 1 && !(onlyHunks && isTaken) ? target : path;
  const after = changed(world, before);
  world.files.delete(path);
  world.files.set(to, after);
  const texts = onlyHunks
    ? { patch: diff(before, after) }
    : { before: exactText(before), after: exactText(after) };
  record(world, to, to === path ? { kind: 'edit', ...texts } : { kind: 'rename', movedFrom: path, ...texts });
}

function textOf(side: FileChange['before']): string | undefined {
  return side === undefined ? undefined : latin1(bytesOf(side));
}

function play(
  seed: number,
  options: { readonly onlyHunks: boolean; readonly human: boolean },
): World & { start: Map<string, string> } {
  const next = numbers(seed);
  const world: World = { next, files: new Map(), edits: [] };
  for (const path of ['/p/a', '/p/b', '/p/c'])
    if (pick(world, 4) > 0) world.files.set(path, changed(world, 'b1\nb2\nb3\nb4\nb5\nb6\nb7\nb8\nb9\n'));
  const start = new Map(world.files);
  for (let step = 0; step < 2 + pick(world, 8); step += 1) {
    const paths = [...new Set([...world.files.keys(), '/p/a', '/p/b'])].sort();
    const path = paths[pick(world, paths.length)] ?? '/p/a';
    const text = world.files.get(path);
    if (options.human && pick(world, 3) === 0 && text !== undefined)
      world.files.set(path, changed(world, text));
    else toolEdit(world, path, options.onlyHunks);
  }
  return { ...world, start };
}

function changesOf(world: World) {
  return turnChanges([{ turnId: 't', edits: world.edits, commands: [], interrupted: false, rewound: false }]);
}

/** The initial files that no change has touched. */
function without(files: readonly FileChange[], start: ReadonlyMap<string, string>): Map<string, string> {
  const touched = new Set(
    files.filter(({ kind }) => kind !== 'add').map(({ path, movedFrom }) => movedFrom ?? path),
  );
  return new Map([...start].filter(([path]) => !touched.has(path)));
}

describe('chains of recorded edits', () => {
  it('give the result of a model of the files, with somebody else editing in between', () => {
    forSeeds((seed) => {
      const world = play(seed, { onlyHunks: false, human: true });
      for (const file of changesOf(world).files) {
        const before = textOf(file.before) ?? '';
        expect(applied(before, file.hunks), `seed ${seed}, ${file.path}`).toBe(textOf(file.after) ?? '');
        expect(file.exact).toBe(true);
      }
    });
  });

  it('without anybody else give the files before and after', () => {
    forSeeds((seed) => {
      const { start, ...world } = play(seed, { onlyHunks: false, human: false });
      const { files } = changesOf(world);
      const now = without(files, start);
      for (const file of files) {
        const from = file.movedFrom ?? file.path;
        expect(textOf(file.before), `seed ${seed}, ${file.path}`).toBe(
          file.kind === 'add' ? undefined : start.get(from),
        );
        const base = file.kind === 'add' ? '' : (start.get(from) ?? '');
        if (file.kind !== 'delete') now.set(file.path, applied(base, file.hunks));
      }
      expect([...now].sort(), `seed ${seed}`).toEqual([...world.files].sort());
    });
  });

  it('of hunks alone give one difference from the first file to the last', () => {
    forSeeds((seed) => {
      const { start, ...world } = play(seed, { onlyHunks: true, human: false });
      const { files } = changesOf(world);
      const now = without(files, start);
      for (const file of files) {
        const from = file.movedFrom ?? file.path;
        const base = file.kind === 'add' ? '' : (start.get(from) ?? '');
        if (file.kind !== 'delete') now.set(file.path, applied(base, file.hunks));
        expect(file.exact, `seed ${seed}, ${file.path}`).toBe(true);
      }
      expect([...now].sort(), `seed ${seed}`).toEqual([...world.files].sort());
    });
  });

  it('of hunks alone never claim to be exact if a line contradicts another', () => {
    forSeeds((seed) => {
      const lines = new KnownLines(null);
      const next = numbers(seed);
      const [first, second, other] = ['b1\nb2\nb3\n', 'b1\nX\nb3\n', 'b1\nY\nb3\n'];
      expect(lines.apply(diff(first, second), 'tool')).toBe(true);
      expect(lines.apply(diff(next() < 0.5 ? first : other, 'b1\nZ\nb3\n'), 'tool')).toBe(false);
    });
  });

  it('are written as unified diffs that mark a missing line end', () => {
    const text = latin1(hunksText(diff('a\nb', 'a\nc\n')));
    expect(text).toBe('@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n');
    expect(fromLatin1(text).length).toBe(text.length);
  });
});
