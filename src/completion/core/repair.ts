/** Proposes what a failed command may have lacked, from its words, its exit status and the repository only. */
import { wordList } from '../../lib/word-list.ts';
import { quoteRest } from './quoting.ts';
import { isRef, type RepositoryNames } from './refs.ts';
import { tokenize } from './tokens.ts';

/** Facts about the place where the command ran. */
export interface RepairFacts {
  readonly exit: number;
  readonly isRoot: boolean;
  readonly refs: RepositoryNames;
  /** Words of the line that name folders. */
  readonly folders: ReadonlySet<string>;
}

/** Ended by the user's signal, or not at all: there is nothing to repair. */
const NO_FAILURES = new Set([0, 129, 130, 131, 141, 143, 146, 147, 148]);
const NOT_EXECUTABLE = 126;
/** A repository's author names its branches and remotes: reject hidden characters, options and forced pushes. */
const UNFIT_NAME = /\p{C}|^[-+]/u;
/** Options that a push without an upstream may have; others name what is pushed, or delete it. */
const PUSH_OPTION = /^-(?:[fnqv]|-(?:force|force-with-lease|dry-run|quiet|verbose|no-verify|follow-tags))$/;
/** Commands that usually need root. */
const FOR_ROOT = new Set(
  wordList(
    `apt apt-get dnf yum zypper pacman apk snap dpkg rpm mount umount service useradd usermod groupadd ufw`,
  ),
);

/** Whether an exit status means a failure that a user would fix; null: unknown status. */
export const isFailure = (exit: number | null): exit is number => exit !== null && !NO_FAILURES.has(exit);

/** Other forms of a simple command that failed, likeliest first. Quoted text stays unchanged. */
export function otherForms(line: string, { exit, isRoot, refs, folders }: RepairFacts): readonly string[] {
  const tokens = tokenize(line);
  if (tokens.some(({ kind }) => kind !== 'word')) return [];
  const words = tokens.map(({ text }) => text);
  const [name = '', first = '', second = ''] = words;
  const inserted = (behind: number, text: string) => {
    const at = tokens[behind]?.end ?? line.length;
    return `${line.slice(0, at)} ${text}${line.slice(at)}`;
  };
  if (exit === NOT_EXECUTABLE && name.includes('/')) return [`chmod +x ${name} && ${line}`];
  if (name === 'git') {
    if (first === 'push' && words.length <= 3 && refs.head !== null && !refs.hasUpstream) {
      const known = refs.remotes.includes('origin') ? 'origin' : refs.remotes[0];
      if (!/^[^-]/.test(second) && known === undefined) return [];
      if ([refs.head, known ?? ''].some((one) => UNFIT_NAME.test(one))) return [];
      const isOption = PUSH_OPTION.test(second);
      if (second.startsWith('-') && !isOption) return [];
      const remote = isOption || second === '' ? quoteRest(known ?? '') : second;
      return [`git push ${isOption ? `${second} ` : ''}--set-upstream ${remote} ${quoteRest(refs.head)}`];
    }
    const isNew = words.length === 3 && /^[A-Za-z][\w./-]*$/.test(second) && refs.head !== null;
    if (isNew && !isRef(second, refs) && first === 'checkout') return [inserted(1, '-b')];
    if (isNew && !isRef(second, refs) && first === 'switch') return [inserted(1, '-c')];
    return [];
  }
  if (name === 'cd' && words.length === 2 && /^[\w./~-]+$/.test(first) && first !== '-')
    return [`mkdir -p ${first} && ${line}`];
  if (name === 'mkdir' && !/\s-\w*p/.test(line) && words.some((word) => word.includes('/')))
    return [inserted(0, '-p')];
  const copies = words.slice(1, -1).some((word) => folders.has(word));
  if (name === 'cp' && copies && !/\s-\w*[raR]/.test(line)) return [inserted(0, '-r')];
  return FOR_ROOT.has(name) && !isRoot ? [`sudo ${line}`] : [];
}
