/** Which files of a source are asked for. Nothing else of it is read, checked or refused. */
import path from 'node:path';
import picomatch from 'picomatch';
import { type ByteString, displayBytes } from '../core/bytes.ts';

export interface FileFilter {
  /** Globs of paths within the root; a folder stands for all that is in it. */
  readonly files: readonly string[];
  readonly exclude: readonly string[];
  /** Files and folders by name, absolute. */
  readonly paths: readonly string[];
}

export type IsWanted = (name: ByteString) => boolean;

/** For paths within `root`, which is without links. */
export function fileScope(root: string, { files, exclude, paths }: FileFilter): IsWanted {
  const within = paths.map((name) => path.relative(root, name));
  const wanted = files.length === 0 ? () => true : globs(files);
  const unwanted = exclude.length === 0 ? () => false : globs(exclude);
  return (bytes) => {
    const name = displayBytes(bytes).replace(/\/$/, '');
    const isNamed = within.length === 0 || within.some((one) => one === '' || isAt(name, one));
    return isNamed && wanted(name) && !unwanted(name);
  };
}

const isAt = (name: string, place: string) => name === place || name.startsWith(`${place}/`);

/** Matches a path, or a folder that it is in. */
function globs(patterns: readonly string[]): (name: string) => boolean {
  const trimmed = patterns.map((pattern) => pattern.replace(/^\.\/|\/$/g, ''));
  const matches = picomatch(trimmed, { dot: true });
  return (name) => {
    for (let end = name.length; end > 0; end = name.lastIndexOf('/', end - 1))
      if (matches(name.slice(0, end))) return true;
    return false;
  };
}
