/** Which files of a source are requested. Nothing else in it is read, checked or refused. */
import path from 'node:path';
import { compileGlobs } from '../../lib/glob.ts';
import { fail, ok, type Result } from '../../lib/result.ts';
import { type ByteString, displayBytes } from '../core/bytes.ts';

export interface FileFilter {
  /** Globs of paths in the root; a folder includes its contents. */
  readonly files: readonly string[];
  readonly exclude: readonly string[];
  /** Files and folders by absolute name. */
  readonly paths: readonly string[];
}

export type IsWanted = (name: ByteString) => boolean;

/** For paths in `root`, which has no links. Refuses globs that would take too long to match. */
export function fileScope(root: string, { files, exclude, paths }: FileFilter): Result<IsWanted> {
  const within = paths.map((name) => path.relative(root, name));
  const wanted = files.length === 0 ? () => true : namedBy(files);
  const unwanted = exclude.length === 0 ? () => false : namedBy(exclude);
  if (wanted === null || unwanted === null) {
    return fail('invalid', 'The globs are too long, or have too many alternatives.', 'Give fewer of them.');
  }
  return ok((bytes) => {
    const name = displayBytes(bytes).replace(/\/$/, '');
    const isNamed = within.length === 0 || within.some((one) => one === '' || isAt(name, one));
    return isNamed && wanted(name) && !unwanted(name);
  });
}

const isAt = (name: string, place: string) => name === place || name.startsWith(`${place}/`);

const WILDCARD = /[*?[{\\]/;

/** Matches what is named, directly or by a glob, or is in such a folder; null if it is too much. */
function namedBy(patterns: readonly string[]): ((name: string) => boolean) | null {
  const matches = compileGlobs(patterns.filter((pattern) => WILDCARD.test(pattern)));
  if (matches === null) return null;
  const plain = patterns
    .filter((pattern) => !WILDCARD.test(pattern))
    .map((pattern) => pattern.replace(/^\.?\/|\/$/g, ''));
  return (name) => plain.some((place) => isAt(name, place)) || matches(name);
}
