/** Tells whether an AI CLI in a tmux pane started this process: such a process may not decide on reviews. */
import { fail, ok, type Result } from '../lib/result.ts';
import type { ProcessInfo, ProcessSource } from '../platform/process-tree.ts';
import type { CliId } from '../protocol/cli-id.ts';
import { detectCli } from '../tmux/core/cli-detect.ts';

/** The AI CLI that is an ancestor of `pid` and runs below a tmux server; null if there is none. */
export async function findAiAbove(processes: ProcessSource, pid: number): Promise<CliId | null> {
  let cli: CliId | null = null;
  for (const at of (await processes.above(pid)).slice(1)) {
    if (cli !== null && isTmuxServer(at)) return cli;
    cli ??= detectCli(at.argv);
  }
  return null;
}

function isTmuxServer({ argv }: ProcessInfo): boolean {
  const program = argv[0] ?? '';
  return /(?:^|\/)tmux(?::|$)/.test(program.split(' ')[0] ?? '');
}

/** Refuses if an AI CLI runs this command: the author of a change must not review it. */
export async function refuseBelowAi(processes: ProcessSource, pid: number): Promise<Result<void>> {
  const cli = await findAiAbove(processes, pid);
  if (cli === null) return ok(undefined);
  return fail(
    'refused',
    `This command was started by ${cli} in a tmux pane: an AI may not decide on a review.`,
    'Decide in the companion, or in a shell of your own.',
  );
}
