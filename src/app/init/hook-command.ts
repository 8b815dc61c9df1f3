/** The command line of an AI CLI's hooks. It always exits with 0 and prints nothing, even if copane is gone. */
import path from 'node:path';
import { hookFolderOf } from '../../responses/hooks/folder.ts';
import type { InitPlace } from './integration.ts';
import { shellQuote } from './zsh-code.ts';

const PROGRAM_NAME = 'copane-hook';

const hookProgram = ({ root }: InitPlace): string => path.join(root, 'integrations/hooks', PROGRAM_NAME);

/** Replaces its shell, so that the program's parent is the AI CLI itself. Does nothing if copane is gone. */
export function hookCommand(place: InitPlace, cli: string): string {
  const program = shellQuote(hookProgram(place));
  return `[ ! -x ${program} ] || exec ${program} ${cli} ${shellQuote(hookFolderOf(place.stateDir))}`;
}

/** Runs `$0`, or if it is gone, the program after the `--`. */
const GUARD = '[ -x "$0" ] && exec "$0" "$@"; shift 3; [ $# -eq 0 ] || exec "$@"';

/** Arguments for a CLI without a shell; `chained` runs next with the same ones, even if copane is gone. */
export function hookArgv(place: InitPlace, cli: string, chained: readonly string[]): readonly string[] {
  const chain = chained.length === 0 ? [] : ['--', ...chained];
  return ['sh', '-c', GUARD, hookProgram(place), cli, hookFolderOf(place.stateDir), ...chain];
}

/** Whether a command line is a copane hook. */
export function isHookCommand(command: string): boolean {
  return new RegExp(`(^|[/' ])${PROGRAM_NAME}(['" ]|$)`).test(command);
}

/** The program chained after ours; null if the arguments are not a copane hook. */
export function chainedBehind(argv: readonly string[]): readonly string[] | null {
  if (argv[0] !== 'sh' || path.basename(argv[3] ?? '') !== PROGRAM_NAME) return null;
  const at = argv.indexOf('--');
  return at === -1 ? [] : argv.slice(at + 1);
}
