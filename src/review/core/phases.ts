/** Orders the files of a change for writing: what makes room goes before what takes it. */
import type { ByteString } from './bytes.ts';
import type { Subject } from './change.ts';

/**
 * Positions grouped in steps without mutual obstruction: a file makes room for a folder of its name, a folder's files
 * for a file or link of its name. Two that wait for each other share a step. `reverse`: the steps that undo everything.
 */
export function phasesOf(
  subjects: readonly Subject[],
  positions: readonly number[],
  reverse: boolean,
): number[][] {
  const waits = waitsFor(subjects, positions);
  const levels = new Map<number, number>();
  const levelOf = (position: number): number => {
    const known = levels.get(position);
    if (known !== undefined) return known;
    levels.set(position, 0);
    let level = 0;
    for (const other of waits.get(position) ?? []) level = Math.max(level, levelOf(other) + 1);
    levels.set(position, level);
    return level;
  };
  const phases: number[][] = [];
  for (const position of positions) {
    const level = levelOf(position);
    while (phases.length <= level) phases.push([]);
    phases[level]?.push(position);
  }
  const steps = phases.filter((phase) => phase.length > 0);
  return reverse ? steps.reverse() : steps;
}

/** By position, the files whose paths must be free first. */
function waitsFor(
  subjects: readonly Subject[],
  positions: readonly number[],
): ReadonlyMap<number, readonly number[]> {
  const freed = new Map<ByteString, number>();
  const made: [number, ByteString][] = [];
  for (const position of positions) {
    const subject = subjects[position];
    if (subject === undefined || subject.newPath === subject.oldPath) continue;
    if (subject.oldPath !== null && subject.operation !== 'copy') freed.set(subject.oldPath, position);
    if (subject.newPath !== null) made.push([position, subject.newPath]);
  }
  const names = new Set(made.map(([, path]) => path));
  const inside = new Map<ByteString, number[]>();
  for (const [path, position] of freed) {
    for (const folder of foldersOf(path)) {
      if (!names.has(folder)) continue;
      const list = inside.get(folder);
      if (list === undefined) inside.set(folder, [position]);
      else list.push(position);
    }
  }
  const waits = new Map<number, number[]>();
  for (const [position, path] of made) {
    const inTheWay = foldersOf(path).flatMap((folder) => freed.get(folder) ?? []);
    const others = [...inTheWay, ...(inside.get(path) ?? [])].filter((other) => other !== position);
    if (others.length > 0) waits.set(position, others);
  }
  return waits;
}

/** The parent folders of `path`, outermost first. */
function foldersOf(path: ByteString): ByteString[] {
  const folders: ByteString[] = [];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at));
  return folders;
}
