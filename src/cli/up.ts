/** `copane up [-- CMD]`: the AI CLI and the companion, side by side. Inside tmux only a split, never a nested session. */
import { createInterface } from 'node:readline/promises';
import { openCheckedTmux, type TmuxAccess, tmuxWords } from '../app/tmux.ts';
import { chooseAi } from '../app/up/plan.ts';
import {
  companionIsUp,
  createSession,
  installedClis,
  paneColumns,
  popupCommand,
  sessionOf,
  sessionSize,
  splitCompanion,
  tourCommand,
} from '../app/up/up.ts';
import { fail, ok, type Result } from '../lib/result.ts';
import { findOnPath, replaceProcess, startApart } from '../platform/exec.ts';
import { type CliContext, subcommand, unwrap } from './cli-context.ts';

interface UpFlags {
  readonly popup?: boolean;
}

export function command(context: CliContext) {
  return subcommand('up', context)
    .description('open the AI CLI and the companion side by side in tmux, in the current folder')
    .argument('[command...]', 'the command for the AI pane (default: the installed AI CLI)')
    .option('--popup', 'open the companion in a popup over the AI pane, which keeps the whole window')
    .usage('[--popup] [-- COMMAND ...]')
    .action(async (asked: string[], { popup = false }: UpFlags) => {
      const access = unwrap(context, await openCheckedTmux(context.env));
      const ai = unwrap(context, await decideAi(context, asked));
      const here = context.env.TMUX ? context.env.TMUX_PANE : undefined;
      if (here !== undefined) return inside(context, access, { pane: here, ai, popup });
      return outside(context, access, { ai, popup });
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
  return chosen === undefined ? fail('invalid', `"${answer}" is not one of them`) : ok([chosen]);
}

/** In tmux: the companion goes beside or over this pane, and this pane becomes the AI CLI. */
async function inside(
  context: CliContext,
  { tmux, server }: TmuxAccess,
  wanted: { readonly pane: string; readonly ai: readonly string[]; readonly popup: boolean },
): Promise<void> {
  const { pane, ai, popup } = wanted;
  const { env, cwd: folder } = context;
  const columns = unwrap(context, await paneColumns(tmux, pane));
  unwrap(context, await tmux.run([['set-option', '-p', '-t', pane, '@copane_role', 'ai']]));
  if (popup) {
    const shown = tmuxWords(server, [popupCommand({ aiPane: pane, folder, env })], env);
    // It lasts as long as the popup; the AI CLI begins below it meanwhile.
    startApart(findOnPath('tmux', env) ?? 'tmux', shown.args, shown.env);
  } else {
    unwrap(context, await splitCompanion(tmux, { aiPane: pane, columns, folder, env }));
  }
  const [program = '', ...args] = ai;
  replaceProcess(findOnPath(program, env) ?? program, args, env);
}

async function outside(
  context: CliContext,
  { tmux, server }: TmuxAccess,
  { ai, popup }: { readonly ai: readonly string[]; readonly popup: boolean },
): Promise<void> {
  const { env, cwd: folder } = context;
  const session = await sessionOf(tmux, folder);
  const isTerminal = context.stdin.isTTY === true && process.stdout.isTTY === true;
  const seen = isTerminal && canShowTmux(env.TERM);
  if (isTerminal && !seen) context.say(`copane: tmux cannot be shown here (TERM is "${env.TERM ?? ''}").`);
  const terminal = seen ? { columns: process.stdout.columns, rows: process.stdout.rows } : null;
  const commands = [['attach-session', '-t', `=${session.name}`]];
  if (!session.exists) {
    const wanted = { name: session.name, folder, ai, terminal, env };
    const aiPane = unwrap(context, await createSession(tmux, wanted));
    if (popup) commands.push(popupCommand({ aiPane, folder, env }));
    else {
      const { columns } = sessionSize(wanted);
      const companion = unwrap(context, await splitCompanion(tmux, { aiPane, columns, folder, env }));
      if (!seen) unwrap(context, await companionIsUp(tmux, companion));
    }
  }
  if (!seen) {
    context.say(
      `copane: running in the tmux session "${session.name}". Look at it with: tmux attach -t =${session.name}`,
    );
    return;
  }
  const attach = tmuxWords(server, commands, env);
  replaceProcess(findOnPath('tmux', env) ?? 'tmux', attach.args, attach.env);
}

/** tmux refuses to attach to a terminal that cannot be cleared. */
function canShowTmux(term: string | undefined): boolean {
  return term !== undefined && term !== '' && term !== 'dumb';
}
