/** The command line that an AI CLI runs for its hooks. It always exits with 0 and prints nothing, even when copane is gone. */
import path from 'node:path';
import { hookFolderOf } from '../../responses/hooks/folder.ts';
import type { InitPlace } from './integration.ts';

/** The name by which our hooks are recognized, whatever the path of their copane. */
const PROGRAM_NAME = 'copane-hook';

/** The program that the hooks run. */
function hookProgram({ root }: InitPlace): string {
  return path.join(root, 'integrations/hooks', PROGRAM_NAME);
}

/** For a shell, which it replaces, so that the program's parent is the AI CLI itself. Does nothing when copane is gone. */
export function hookCommand(place: InitPlace, cli: string): string {
  const program = quoted(hookProgram(place));
  return `[ ! -x ${program} ] || exec ${program} ${cli} ${quoted(hookFolderOf(place.stateDir))}`;
}

/** Runs `$0`, or where that is gone the program behind the `--`. */
const GUARD = '[ -x "$0" ] && exec "$0" "$@"; shift 3; [ $# -eq 0 ] || exec "$@"';

/** As words, for a CLI that runs no shell; `chained` is run next with the same arguments, also when copane is gone. */
export function hookArgv(place: InitPlace, cli: string, chained: readonly string[]): readonly string[] {
  const chain = chained.length === 0 ? [] : ['--', ...chained];
  return ['sh', '-c', GUARD, hookProgram(place), cli, hookFolderOf(place.stateDir), ...chain];
}

/** Whether a command line is a hook of ours. */
export function isHookCommand(command: string): boolean {
  return new RegExp(`(^|[/' ])${PROGRAM_NAME}(['" ]|$)`).test(command);
}

/** The program that was chained behind ours; null when the words are not ours. */
export function chainedBehind(argv: readonly string[]): readonly string[] | null {
  if (argv[0] !== 'sh' || path.basename(argv[3] ?? '') !== PROGRAM_NAME) return null;
  const at = argv.indexOf('--');
  return at === -1 ? [] : argv.slice(at + 1);
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
