/** Explains operating system errors: what each means for the file to be written, and what to do next. */
import { constants } from 'node:os';
import { fail } from '../lib/result.ts';

/** Error codes that Node has no names for. */
const UNNAMED = ['EDQUOT', 'ENOLCK', 'ESTALE'] as const;

/** The system's code of a thrown error (`ENOENT`); null if it has none. */
export function systemCode(thrown: unknown): string | null {
  if (!(thrown instanceof Error) || !('code' in thrown) || typeof thrown.code !== 'string') return null;
  if (!/^unknown/i.test(thrown.code) || !('errno' in thrown)) return thrown.code;
  return UNNAMED.find((name) => constants.errno[name] === Math.abs(Number(thrown.errno))) ?? thrown.code;
}

/**
 * What the work gives; `otherwise` if the system reports an error, or one of these `codes`. Any other error is a
 * defect, and thrown on.
 */
export async function unlessSystemFails<T, U>(
  work: () => Promise<T>,
  otherwise: U,
  codes?: readonly string[],
): Promise<T | U> {
  try {
    return await work();
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === null || codes?.includes(code) === false) throw thrown;
    return otherwise;
  }
}

/** What the work gives; `otherwise` if the file that it needs is missing. */
export const unlessMissing = <T, U>(work: () => Promise<T>, otherwise: U): Promise<T | U> =>
  unlessSystemFails(work, otherwise, ['ENOENT', 'ENOTDIR']);

interface Words {
  readonly what: string;
  /** What to do next; omitted if it is obvious. */
  readonly hint?: string;
}

const WORDS: Readonly<Record<string, Words>> = {
  EACCES: { what: 'you have no permission to write there', hint: 'Check the owner and mode with "ls -ld".' },
  EPERM: { what: 'the system does not permit it', hint: 'Check the owner and mode with "ls -ld".' },
  EROFS: {
    what: 'the file system is read-only',
    hint: 'Mount it writable, or work in a copy; then try again.',
  },
  ENOSPC: { what: 'the disk is full', hint: 'Free some space, then try again.' },
  EDQUOT: { what: 'your disk quota is used up', hint: 'Delete some of your files, then try again.' },
  EFBIG: { what: 'the file is too large, or would be' },
  ENOTREG: { what: 'it is not a regular file' },
  EIO: {
    what: 'the disk reports an input/output error',
    hint: 'The disk or the connection to it may be failing: save your work elsewhere, then look at "dmesg".',
  },
  EMFILE: {
    what: 'copane has too many files open',
    hint: 'Raise the limit ("ulimit -n 4096"), start copane again, then try again.',
  },
  ENFILE: { what: 'the system has too many files open', hint: 'Close some programs, then try again.' },
  ENOMEM: { what: 'the system is out of memory', hint: 'Close some programs, then try again.' },
  ENOLCK: {
    what: 'this file system has no locks to give',
    hint: 'It may be a network folder without a lock service: put the files on a local disk.',
  },
  EBUSY: { what: 'it is in use: something may be mounted there', hint: 'Unmount it, then try again.' },
  ESTALE: { what: 'the network folder has lost the file', hint: 'Mount the folder again, then try again.' },
  ETIMEDOUT: { what: 'the network folder does not answer', hint: 'Check the connection, then try again.' },
  EISDIR: { what: 'a folder stands there' },
  ENOTDIR: { what: 'a file stands where a folder is needed' },
  ENOTEMPTY: { what: 'the folder is not empty' },
  EEXIST: { what: 'something already exists there' },
  ENAMETOOLONG: { what: 'the name is too long' },
  ELOOP: { what: 'a link stands there' },
  ENOENT: { what: 'it is gone' },
  ETXTBSY: { what: 'the program is running' },
};

/** What an error code means, in words; for an unknown code, the code itself. */
export const systemWords = (code: string): Words => WORDS[code] ?? { what: `the system reports ${code}` };

/** A file system error about `name` as a failure that left the file unchanged. Throws a defect on. */
export function fileFailure(thrown: unknown, name: string) {
  const code = systemCode(thrown);
  if (code === null) throw thrown;
  const { what, hint } = systemWords(code);
  return fail('refused', `${name}: ${what}. The file is as it was.`, hint);
}
