/**
 * Finds the patterns that git's matcher would try for hours. Each `*` of a name, and each `**` of a path, multiplies the
 * ways in which git may match it. Generated lists of files have up to four of them.
 */
import type { Steps } from '../../lib/steps.ts';

/** `*` in one part of a path: five against a name of 250 characters take git a minute, each more fifty times that. */
const STARS_MAX = 4;
/** `**` as a part of its own: four against a path of 400 folders take git minutes. */
const ANY_FOLDERS_MAX = 3;

/** The first line of a `.gitignore`, `.gitattributes` or sparse list that git cannot match in time; null for none. */
export function* hardPatternIn(text: string): Steps<string | null> {
  for (let start = 0; start < text.length; ) {
    const lineFeed = text.indexOf('\n', start);
    const end = lineFeed < 0 ? text.length : lineFeed;
    const line = text.slice(start, end).trim();
    if (!line.startsWith('#') && isHard(line)) return line;
    start = end + 1;
    yield;
  }
  return null;
}

function isHard(pattern: string): boolean {
  // What is escaped, or stands in brackets, matches one character.
  const parts = pattern.replace(/\\.|\[[^\][]*\]/gs, '?').split('/');
  const anyFolders = parts.filter((part) => part === '**').length;
  return anyFolders > ANY_FOLDERS_MAX || parts.some((part) => (part.match(/\*+/g)?.length ?? 0) > STARS_MAX);
}
