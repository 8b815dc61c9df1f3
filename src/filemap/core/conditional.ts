/**
 * Conditional compilation: a parser sees all branches of an `#if`. If these are only heads, or open a block that they
 * do not close, there are several heads for one body, and everything below is misread. Keeps one branch of such an
 * `#if`; the rest becomes blanks, so that every other character stays in its place. Pure.
 */
import { Masker, type MaskRules } from './mask.ts';

const DIRECTIVE = /^\s*#\s*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b\s*(.*)/;

/** Lines `[start, end)` after a directive, and how many blocks they leave open. */
interface Branch {
  readonly start: number;
  end: number;
  open: number;
  /** It closes a block that it did not open. */
  closes: boolean;
  isDead: boolean;
}

interface Conditional {
  readonly branches: Branch[];
  /** The lines of its directives. */
  readonly directives: number[];
}

/** The source with one branch of each `#if` that splits a declaration or a block. */
export function oneBranch(source: string, rules: MaskRules): string {
  if (!/^\s*#\s*if/m.test(source)) return source;
  const lines = source.split('\n');
  const masker = new Masker(rules);
  const code = lines.map((line) => masker.mask(line));
  const blanked = new Set<number>();
  const open: Conditional[] = [];
  /** A directive that ends with a backslash goes on; a macro's lines are no code of the branch. */
  let continued: 'conditional' | 'other' | null = null;
  code.forEach((line, i) => {
    const current = open.at(-1);
    const [, word, condition = ''] = continued === null ? (DIRECTIVE.exec(line) ?? []) : [];
    if (continued === 'conditional') current?.directives.push(i);
    else if (word?.startsWith('if')) {
      open.push({ directives: [i], branches: [branchAt(i + 1, /^0\s*$/.test(condition))] });
    } else if (word !== undefined && current !== undefined) {
      current.directives.push(i);
      const last = current.branches.at(-1);
      if (last !== undefined) last.end = i;
      if (word === 'endif') close(open, code, i, blanked);
      else current.branches.push(branchAt(i + 1, false));
    }
    const kind: typeof continued = word === undefined ? (/^\s*#/.test(line) ? 'other' : null) : 'conditional';
    const own = continued ?? kind;
    if (own === null) count(line, current?.branches.at(-1));
    continued = own !== null && line.trimEnd().endsWith('\\') ? own : null;
  });
  return lines.map((line, i) => (blanked.has(i) ? ' '.repeat(line.length) : line)).join('\n');
}

const branchAt = (start: number, isDead: boolean): Branch => ({
  start,
  end: start,
  open: 0,
  closes: false,
  isDead,
});

function count(line: string, branch: Branch | undefined): void {
  if (branch === undefined) return;
  for (const character of line) {
    if (character === '{') branch.open += 1;
    else if (character === '}') branch.open -= 1;
    if (branch.open < 0) branch.closes = true;
  }
}

/** Ends the innermost `#if`: leaves it as it is, or keeps one branch; the branch around it has what is left open. */
function close(open: Conditional[], code: readonly string[], end: number, blanked: Set<number>): void {
  const conditional = open.pop();
  const outer = open.at(-1)?.branches.at(-1);
  if (conditional === undefined) return;
  const { branches, directives } = conditional;
  const splits =
    branches.some((branch) => branch.open !== 0 || branch.closes) || areHeads(branches, code, end);
  if (!splits) return;
  const kept = branches.find(({ isDead }) => !isDead);
  for (const branch of branches) {
    if (branch === kept) continue;
    for (let i = branch.start; i < branch.end; i += 1) blanked.add(i);
  }
  for (const i of directives) blanked.add(i);
  if (outer === undefined || kept === undefined) return;
  outer.closes ||= kept.closes && outer.open === 0;
  outer.open += kept.open;
}

/** Whether a declaration goes on below: `int f(int a)` or `int f(long a)`, then `{`; or `template <class T>` above. */
function areHeads(branches: readonly Branch[], code: readonly string[], end: number): boolean {
  const [first] = branches;
  const above = code.slice(0, (first?.start ?? 1) - 1).findLast((line) => line.trim() !== '');
  // With one branch, nothing is lost.
  if (branches.length === 1 && UNFINISHED.test(above ?? '')) return true;
  const below = code.slice(end + 1).find((line) => line.trim() !== '');
  return (
    below?.trimStart().startsWith('{') === true &&
    branches.some((branch) => UNFINISHED.test(code.slice(branch.start, branch.end).join('\n')))
  );
}

const UNFINISHED = /[\w)>]\s*$/;
