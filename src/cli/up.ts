/** `copane up [-- CMD]`: the AI CLI and the companion, side by side. Inside tmux only a split, never a nested session. */
import { createInterface } from 'node:readline/promises';
import { attachCommand, openCheckedTmux, type TmuxAccess } from '../app/tmux.ts';
import { chooseAi } from '../app/up/plan.ts';
import {
  companionIsUp,
  createSession,
  installedClis,
  paneColumns,
  sessionOf,
  splitCompanion,
  tourCommand,
} from '../app/up/up.ts';
import { fail, ok, type Result } from '../lib/result.ts';
import { findOnPath, replaceProcess } from '../platform/exec.ts';
import { type CliContext, subcommand, unwrap } from './cli-context.ts';

export function command(context: CliContext) {
  return subcommand('up', context)
    .description('open the AI CLI and the companion side by side in tmux, in the current folder')
    .argument('[command...]', 'what to run in the AI pane (default: the AI CLI that is installed)')
    .usage('[-- COMMAND ...]')
    .action(async (asked: string[]) => {
      const access = unwrap(context, await openCheckedTmux(context.env));
      const ai = unwrap(context, await decideAi(context, asked));
      const here = context.env.TMUX ? context.env.TMUX_PANE : undefined;
      if (here !== undefined) return inside(context, access, here, ai);
      return outside(context, access, ai);
    });
}

async function decideAi(context: CliContext, asked: readonly string[]): Promise<Result<readonly string[]>> {
  const canAsk = context.stdin.isTTY === true;
  const choice = chooseAi(asked, installedClis(context.env), canAsk);
  switch (choice.kind) {
    case 'run': {
      const [program = ''] = choice.argv;
      if (findOnPath(program, context.env) !== null) return ok(choice.argv);
      return fail(
        'not_found',
        `there is no program "${program}" on your PATH`,
        'Check its name, or give its full path.',
      );
    }
    case 'tour':
      context.say('copane: no AI CLI is installed; opening the tour with a scripted one.');
      return ok(tourCommand());
    case 'ask':
      return ask(context, choice.among);
  }
}

async function ask(context: CliContext, among: readonly string[]): Promise<Result<readonly string[]>> {
  among.forEach((name, index) => {
    context.say(`  ${index + 1}  ${name}`);
  });
  const lines = createInterface({ input: context.stdin, output: process.stderr });
  const answer = await lines.question(`Which one? [1] `);
  lines.close();
  const chosen = among[(answer.trim() === '' ? 1 : Number(answer)) - 1];
  return chosen === undefined ? fail('invalid', `"${answer}" is none of them`) : ok([chosen]);
}

/** In tmux: the companion goes beside this pane, and this pane becomes the AI CLI. */
async function inside(
  context: CliContext,
  { tmux }: TmuxAccess,
  pane: string,
  ai: readonly string[],
): Promise<void> {
  const columns = unwrap(context, await paneColumns(tmux, pane));
  unwrap(context, await tmux.run([['set-option', '-p', '-t', pane, '@copane_role', 'ai']]));
  unwrap(
    context,
    await splitCompanion(tmux, { aiPane: pane, columns, folder: context.cwd, env: context.env }),
  );
  const [program = '', ...args] = ai;
  replaceProcess(findOnPath(program, context.env) ?? program, args, context.env);
}

async function outside(
  context: CliContext,
  { tmux, server }: TmuxAccess,
  ai: readonly string[],
): Promise<void> {
  const session = await sessionOf(tmux, context.cwd);
  const seen = context.stdin.isTTY === true && process.stdout.isTTY === true;
  const terminal = seen ? { columns: process.stdout.columns, rows: process.stdout.rows } : null;
  if (!session.exists) {
    const wanted = { name: session.name, folder: context.cwd, ai, terminal, env: context.env };
    const companion = unwrap(context, await createSession(tmux, wanted));
    if (!seen) unwrap(context, await companionIsUp(tmux, companion));
  }
  if (!seen) {
    context.say(
      `copane: running in the tmux session "${session.name}". Look at it with: tmux attach -t =${session.name}`,
    );
    return;
  }
  const attach = attachCommand(server, session.name, context.env);
  replaceProcess(findOnPath('tmux', context.env) ?? 'tmux', attach.args, attach.env);
}
