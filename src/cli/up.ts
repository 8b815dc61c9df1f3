/** `copane up [-- CMD]`: opens the AI CLI and the companion side by side. Inside tmux it only splits. */
import { askTerminal, colorsOf } from '../app/terminal-background.ts';
import { openCheckedTmux, openTmux, type TmuxAccess, tmuxWords } from '../app/tmux.ts';
import { chooseAi } from '../app/up/plan.ts';
import {
  companionIsUp,
  companionOf,
  createSession,
  findMissing,
  fitWindow,
  giveRoom,
  installedClis,
  type NewSession,
  openAi,
  openCompanion,
  popupCommand,
  restartAi,
  sessionOf,
  tourCommand,
} from '../app/up/up.ts';
import { fail, ok, type Result } from '../lib/result.ts';
import { findOnPath, replaceProcess, startApart } from '../platform/exec.ts';
import { canDrawOn } from '../ui/kit/theme/detect.ts';
import { ask } from './ask.ts';
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
      const here = context.env.TMUX ? context.env.TMUX_PANE : undefined;
      if (here === undefined) return outside(context, access, { asked, popup });
      if (await isThere(access, here)) return inside(context, access, { pane: here, asked, popup });
      const { TMUX, TMUX_PANE, ...env } = context.env;
      return outside({ ...context, env }, openTmux(env), { asked, popup });
    });
}

/** Checks that the tmux of `$TMUX` still exists: a shell can outlive it, and programs inherit the variable. */
async function isThere({ tmux }: TmuxAccess, pane: string): Promise<boolean> {
  const found = await tmux.run([['display-message', '-p', '-t', pane, '#{pane_id}']]);
  return found.ok || found.error.code !== 'not_found';
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
      context.say('copane: No AI CLI is installed; opening the tour with a scripted one.');
      return ok(tourCommand());
    case 'ask':
      return chooseOne(context, choice.among);
  }
}

async function chooseOne(context: CliContext, among: readonly string[]): Promise<Result<readonly string[]>> {
  among.forEach((name, index) => {
    context.say(`  ${index + 1}  ${name}`);
  });
  const answer = await ask(context, 'Which one? [1] ');
  const chosen = among[(answer.trim() === '' ? 1 : Number(answer)) - 1];
  return chosen === undefined ? fail('invalid', `"${answer}" is not one of them`) : ok([chosen]);
}

/** In tmux: opens the companion beside or over this pane, and runs the AI CLI in this pane. */
async function inside(
  context: CliContext,
  { tmux, panes, server }: TmuxAccess,
  { pane, asked, popup }: Wanted & { readonly pane: string },
): Promise<void> {
  const [program = '', ...args] = unwrap(context, await decideAi(context, asked));
  const { env, cwd: folder } = context;
  unwrap(context, await tmux.run([['set-option', '-p', '-t', pane, '@copane_role', 'ai']]));
  const place = { beside: pane, follows: pane, folder, env };
  if (popup) {
    const shown = tmuxWords(server, [popupCommand(place)], env);
    // The popup command runs until the popup closes; the AI CLI starts below it meanwhile.
    startApart(findOnPath('tmux', env) ?? 'tmux', shown.args, shown.env);
  } else {
    const listed = unwrap(context, await panes.list());
    const windowId = listed.find(({ facts }) => facts.identity.paneId === pane)?.facts.windowId ?? '';
    const companion = companionOf(listed, windowId);
    if (companion !== null) unwrap(context, await giveRoom(tmux, companion, pane));
    else {
      const { isWindow } = unwrap(context, await openCompanion(tmux, place));
      if (isWindow) context.say(OWN_WINDOW);
    }
  }
  replaceProcess(findOnPath(program, env) ?? program, args, env);
}

const OWN_WINDOW =
  'copane: This window is too small for two panes; the companion is in the window "copane" (prefix n).';

interface Wanted {
  readonly asked: readonly string[];
  readonly popup: boolean;
}

/** Outside tmux: creates or repairs the session of this folder, then attaches. */
async function outside(context: CliContext, access: TmuxAccess, { asked, popup }: Wanted): Promise<void> {
  const { tmux, server } = access;
  const { env, cwd: folder } = context;
  const session = await sessionOf(tmux, folder);
  const isTerminal = context.stdin.isTTY === true && process.stdout.isTTY === true;
  const seen = isTerminal && canDrawOn(env.TERM);
  if (isTerminal && !seen) context.say(`copane: tmux cannot be shown here (TERM is "${env.TERM ?? ''}").`);
  const background = seen ? await askTerminal({ stdin: context.stdin, stdout: process.stdout }) : null;
  const colors = background === null ? null : colorsOf(background);
  const terminal = seen ? { columns: process.stdout.columns, rows: process.stdout.rows } : null;
  const { aiPane, companion } = session.exists
    ? await repaired(context, access, { session: session.name, asked })
    : await created(context, tmux, { session: session.name, asked, terminal, colors });
  // For a companion that already runs; new panes inherit it from the session.
  if (colors !== null)
    unwrap(context, await tmux.run([['set-environment', '-t', `=${session.name}`, 'COLORFGBG', colors]]));
  if (companion !== null) {
    if (terminal !== null) unwrap(context, await fitWindow(tmux, aiPane, terminal));
    unwrap(context, await giveRoom(tmux, companion, aiPane));
  }
  const commands = [['attach-session', '-t', `=${session.name}`]];
  const place = { beside: aiPane, follows: aiPane, folder, env };
  if (popup && companion === null) commands.push(popupCommand(place));
  else if (companion === null) {
    const { pane } = unwrap(context, await openCompanion(tmux, place));
    if (!seen) unwrap(context, await companionIsUp(tmux, pane));
  }
  if (!seen) {
    context.say(
      `copane: Running in the tmux session "${session.name}". Look at it with: tmux attach -t =${session.name}`,
    );
    return;
  }
  const attach = tmuxWords(server, commands, env);
  replaceProcess(findOnPath('tmux', env) ?? 'tmux', attach.args, attach.env);
}

interface Layout {
  readonly aiPane: string;
  /** `%N` of an existing companion. */
  readonly companion: string | null;
}

async function created(
  context: CliContext,
  tmux: TmuxAccess['tmux'],
  wanted: {
    readonly session: string;
    readonly asked: readonly string[];
    readonly terminal: NewSession['terminal'];
    readonly colors: NewSession['colors'];
  },
): Promise<Layout> {
  const { session: name, asked, terminal, colors } = wanted;
  const { env, cwd: folder } = context;
  const ai = unwrap(context, await decideAi(context, asked));
  const aiPane = unwrap(context, await createSession(tmux, { name, folder, ai, terminal, colors, env }));
  return { aiPane, companion: null };
}

/** Reopens closed panes of the session except the companion, and restarts the AI CLI if it has ended. */
async function repaired(
  context: CliContext,
  access: TmuxAccess,
  { session, asked }: { readonly session: string; readonly asked: readonly string[] },
): Promise<Layout> {
  const { tmux } = access;
  const { ai, companion } = unwrap(context, await findMissing(access, session));
  if (ai.do === 'keep') {
    if (asked.length > 0)
      context.say(`copane: An AI CLI runs in "${session}" already; ${asked[0]} was not started.`);
    return { aiPane: ai.paneId, companion };
  }
  const words = unwrap(context, await decideAi(context, asked));
  const wanted = { folder: context.cwd, ai: words };
  if (ai.do === 'restart')
    return { aiPane: unwrap(context, await restartAi(tmux, { ...wanted, paneId: ai.paneId })), companion };
  const beside = companion ?? `=${session}:`;
  return { aiPane: unwrap(context, await openAi(tmux, { ...wanted, beside })), companion };
}
