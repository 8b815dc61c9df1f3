/** Resolves a path that a model wrote: follows links, refuses paths outside the root or of a version control. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { fail, ok, type Result } from '../../lib/result.ts';
import { systemCode } from '../../platform/system-error.ts';
import { utf8Bytes } from '../../review/core/bytes.ts';
import { pathProblem } from '../../review/core/safe-path.ts';

/** An existing or possible file or folder of the project. */
export interface ProjectPath {
  /** From the root, with links resolved and `/` as separator; '' is the root. */
  readonly relative: string;
  readonly absolute: string;
  readonly exists: boolean;
}

/** `given` as a path from the root. Absolute paths are accepted if they are inside. */
function relativeOf(root: string, given: string): string {
  const absolute = path.resolve(root, given === '' ? '.' : given);
  return path.relative(root, absolute);
}

/** Why `relative` may not be read; null if it may. */
function problemOf(relative: string): string | null {
  if (relative === '') return null;
  if (relative === '..' || relative.startsWith('../') || path.isAbsolute(relative)) {
    return `The path leaves the project.`;
  }
  return pathProblem(utf8Bytes(relative));
}

/** The path with its links resolved: of the nearest existing part, if the rest does not exist. */
async function resolveLinks(absolute: string): Promise<{ readonly real: string; readonly exists: boolean }> {
  try {
    return { real: await realpath(absolute), exists: true };
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw thrown;
    const parent = path.dirname(absolute);
    if (parent === absolute) return { real: absolute, exists: false };
    const { real } = await resolveLinks(parent);
    return { real: path.join(real, path.basename(absolute)), exists: false };
  }
}

/**
 * Finds the file that `given` names within `root`, a path without links. If that fails, it tries spellings of models: a
 * Markdown link, diff prefixes, the project's name, a leading slash, backslashes, quotes, another Unicode form.
 */
export async function resolveInProject(root: string, given: string): Promise<Result<ProjectPath>> {
  const linked = /^\s*\[[^\]]*\]\(([^()\s]+)\)\s*$/.exec(given)?.[1] ?? given;
  const bare = linked.trim().replace(/^[`'"@]+(?=\S)|(?<=\S)[`'"]+$/g, '');
  const exact = await resolveExact(root, given);
  if (exact.ok && exact.value.exists) return exact;
  for (const spelling of spellingsOf(bare, path.basename(root))) {
    const found = await resolveExact(root, spelling);
    if (found.ok && found.value.exists && found.value.relative !== '') return found;
  }
  return bare === given ? exact : resolveExact(root, bare);
}

function spellingsOf(bare: string, project: string): Set<string> {
  const slashed = bare.replaceAll('\\', '/').replace(/^file:\/\//, '');
  const fromRoot = slashed.replace(/^\/+/, '');
  const inProject = fromRoot.startsWith(`${project}/`) ? fromRoot.slice(project.length + 1) : fromRoot;
  const plain = [bare, slashed, fromRoot, inProject, fromRoot.replace(/^[ab]\//, '')];
  return new Set(plain.flatMap((one) => [one, one.normalize('NFC'), one.normalize('NFD')]));
}

async function resolveExact(root: string, given: string): Promise<Result<ProjectPath>> {
  if (given.includes('\0')) return fail('refused', 'The path holds a NUL.');
  const wanted = relativeOf(root, given);
  const before = problemOf(wanted);
  if (before !== null) return fail('refused', before, 'Use a path from the project folder.');
  try {
    const { real, exists } = await resolveLinks(path.join(root, wanted));
    const relative = path.relative(root, real);
    const after = problemOf(relative);
    if (after !== null) {
      return fail('refused', `${JSON.stringify(given)} is a link, and what it points to is off limits.`);
    }
    return ok({ relative, absolute: real, exists });
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === null) throw thrown;
    return fail('refused', `${JSON.stringify(given)} cannot be reached (${code}).`);
  }
}
