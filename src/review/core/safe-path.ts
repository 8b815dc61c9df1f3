/** Which names a suggestion may touch: inside its root, and never a version control's own. */
import { type ByteString, displayBytes } from './bytes.ts';

/** Longest path that Linux accepts, in bytes. */
const PATH_MAX_BYTES = 4095;

/** Version control folders; a file written there runs code at the user's next command. */
const RESERVED: ReadonlySet<string> = new Set('.git git~1 .jj .hg .svn .sl .bzr .pijul _darcs'.split(' '));

/** Characters that some file systems ignore in names (HFS+: zero width, bidi marks, BOM), and similar ones. */
const IGNORED = /\p{Default_Ignorable_Code_Point}/gu;

/** Why `path` may not be touched, as a sentence; null if it may. */
export function pathProblem(path: ByteString): string | null {
  const shown = JSON.stringify(displayBytes(path));
  if (path === '') return 'A file without a name.';
  if (path.length > PATH_MAX_BYTES) return `The path ${shown.slice(0, 80)}… is too long.`;
  if (path.includes('\0')) return `The path ${shown} contains a NUL byte.`;
  if (path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path))
    return `The path ${shown} is absolute: it leaves the root.`;
  // A backslash separates folders on some file systems that Linux mounts.
  for (const part of path.split(/[/\\]/)) {
    if (part === '..') return `The path ${shown} leaves the root.`;
    if (isControlName(part)) return `The path ${shown} is in a folder of the version control system.`;
  }
  if (path.split('/').some((part) => part === '' || part === '.'))
    return `The path ${shown} has an empty part.`;
  return null;
}

/** A version control folder, under any name that some file system would resolve to it. */
export const isControlName = (name: ByteString): boolean => RESERVED.has(plainName(name));

/** The name as a lenient file system reads it: no case, compatibility forms, ignored characters or final dots. */
function plainName(part: ByteString): string {
  const [name = ''] = displayBytes(part).replace(IGNORED, '').split(':');
  // Case folding also maps lookalike letters: the long s is an s.
  return name
    .replace(/[. ]+$/, '')
    .normalize('NFKC')
    .toLowerCase();
}
