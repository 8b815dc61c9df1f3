/** A single-file task, as people give it to a small model, and a description of the expected file. Pure. */
import { type EvalTask, taskSchema } from '../task.ts';

/** The task's file before the job. */
interface OneFile {
  readonly file: string;
  readonly before: string;
}

/** `after`: the one right text, or a pattern for all of it where several are right. */
export function oneFileTask(
  name: string,
  prompt: string,
  { file, before }: OneFile,
  after: string | RegExp,
): EvalTask {
  const check = typeof after === 'string' ? { is: after } : { matches: after.source };
  return taskSchema.parse({
    name,
    kind: 'code',
    prompt,
    files: { [file]: before },
    checks: [{ file, ...check }],
  });
}

const START = '(?<![\\s\\S])';
const END = '(?![\\s\\S])';

const exactly = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** A pattern for the whole text: `before` to the byte, except for these pieces, each of which must match its pattern. */
export function withPattern(before: string, ...pieces: readonly (readonly [string, RegExp])[]): RegExp {
  let [rest, pattern] = [before, START];
  for (const [piece, { source }] of pieces) {
    const at = rest.indexOf(piece);
    if (at === -1) throw new Error(`There is no such piece: ${piece}`);
    pattern += exactly(rest.slice(0, at)) + source;
    rest = rest.slice(at + piece.length);
  }
  return new RegExp(pattern + exactly(rest) + END, 'mu');
}
