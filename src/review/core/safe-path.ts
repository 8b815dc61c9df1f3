/** Which names a suggestion may touch at all: inside its root, and never what belongs to the version control. */
import { type ByteString, displayBytes } from './bytes.ts';

/** Longest path, in bytes, that Linux takes. */
const PATH_MAX_BYTES = 4095;

/** Folders of version controls; writing there runs code at the user's next command. */
const RESERVED: ReadonlySet<string> = new Set(['.git', 'git~1', '.jj', '.hg', '.svn']);

/** UTF-8 bytes of the characters that HFS+ ignores in names: zero width, bidi marks, BOM. */
const IGNORED = /\xe2\x80[\x8c-\x8f\xaa-\xae]|\xe2\x81[\xaa-\xaf]|\xef\xbb\xbf/g;

/** Why `path` may not be touched, as a sentence; null when it may. */
export function pathProblem(path: ByteString): string | null {
  const shown = JSON.stringify(displayBytes(path));
  if (path === '') return 'A file without a name.';
  if (path.length > PATH_MAX_BYTES) return `The path ${shown.slice(0, 80)}… is too long.`;
  if (path.includes('\0')) return `The path ${shown} holds a NUL.`;
  if (path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path))
    return `The path ${shown} is absolute: it leaves the root.`;
  // A backslash separates folders on some file systems that Linux mounts.
  for (const part of path.split(/[/\\]/)) {
    if (part === '..') return `The path ${shown} leaves the root.`;
    if (isControlName(part)) return `The path ${shown} lies in the version control's own folder.`;
  }
  if (path.split('/').some((part) => part === '' || part === '.'))
    return `The path ${shown} has an empty part.`;
  return null;
}

/** The folder of a version control, under any name by which some file system would find it. */
export function isControlName(name: ByteString): boolean {
  return RESERVED.has(plainName(name));
}

/** The name as a forgiving file system reads it: no case, no compatibility forms, no ignored characters, no stream, no dots or blanks at the end. */
function plainName(part: ByteString): string {
  const [name = ''] = part.replace(IGNORED, '').split(':');
  const plain = name.replace(/[. ]+$/, '');
  // Folding case also makes one of letters that only look alike: the long s is an s.
  return displayBytes(plain).normalize('NFKC').toLowerCase();
}
