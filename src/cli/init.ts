/** `copane init PROGRAM`: shows its plan, asks, keeps a backup, writes. `copane init zsh` into a pipe prints code. */
import { Argument, type Command, Option } from 'commander';
import type { InitPlace, Integration } from '../app/init/integration.ts';
import { initPlace } from '../app/init/place.ts';
import { INTEGRATIONS } from '../app/init/registry.ts';
import { carryOut, type InitPlan, planInit, planRemove } from '../app/init/run.ts';
import { showPlan } from '../app/init/show.ts';
import { zshCode } from '../app/init/zsh-code.ts';
import { fail, ok, type Result } from '../lib/result.ts';
import { confirm } from './ask.ts';
import { type CliContext, ExitWith, refuse, subcommand, unwrap } from './cli-context.ts';

interface InitFlags {
  readonly parts?: string;
  readonly print?: boolean;
  readonly remove?: boolean;
  readonly yes?: boolean;
}

const NAMES = INTEGRATIONS.map(({ name }) => name);
/** The supported programs, one per line. */
const LIST = INTEGRATIONS.map(({ name, summary }) => `  ${name.padEnd(9)} ${summary}\n`).join('');

export function command(context: CliContext): Command {
  return subcommand('init', context)
    .description(
      `set up a program to work with copane\n\n${LIST}\n  eval "$(copane init zsh)"   in your .zshrc does the same as "copane init zsh"`,
    )
    .addArgument(new Argument('[program]', 'which program; left out: lists them').choices(NAMES))
    .option('--parts <names>', 'only these parts, separated by commas')
    .addOption(new Option('--print', 'show what would be written, write nothing').conflicts('yes'))
    .option('--remove', 'remove what was written')
    .option('--yes', 'write without asking')
    .action((program: string | undefined, flags: InitFlags) =>
      program === undefined ? context.out(LIST) : init(context, program, flags),
    );
}

async function init(context: CliContext, name: string, flags: InitFlags): Promise<void> {
  const place = initPlace(context.env);
  const integration = INTEGRATIONS.find((candidate) => candidate.name === name);
  if (integration === undefined) {
    refuse(context, 'invalid', `copane cannot set up "${name}"`, `It can set up: ${NAMES.join(', ')}.`);
    return;
  }
  if (integration.name === 'zsh' && !flags.remove && !flags.yes && (flags.print || !process.stdout.isTTY)) {
    context.out(zshCode(place));
    return;
  }
  const plan = unwrap(context, planOf(integration, place, flags));
  for (const note of plan.notes) context.say(`copane: ${note}`);
  if (plan.changes.length === 0) {
    context.say(
      flags.remove
        ? `copane has changed nothing in the configuration of ${name}.`
        : `${name} is set up already. ${integration.next}`,
    );
    if (!flags.remove && !flags.print) return;
  }
  if (plan.changes.length > 0) context.show(showPlan(plan, place.home));
  if (flags.print) return;
  if (plan.changes.length > 0) unwrap(context, await allowed(context, flags));
  unwrap(context, carryOut(integration, place, plan));
  if (plan.changes.length > 0) context.say(doneWords(integration, flags));
  if (plan.notes.length > 0) throw new ExitWith(3);
}

function planOf(integration: Integration, place: InitPlace, flags: InitFlags): Result<InitPlan> {
  if (flags.remove) return planRemove(integration, place);
  const names = flags.parts?.split(',').map((part) => part.trim()) ?? null;
  return planInit(integration, place, names);
}

/** Asks on a terminal, unless `--yes` was given. */
async function allowed(context: CliContext, { yes }: InitFlags): Promise<Result<void>> {
  if (yes) return ok(undefined);
  if (context.stdin.isTTY !== true) return fail('refused', 'nothing was written', 'Add --yes to write this.');
  return (await confirm(context, 'Write this?')) ? ok(undefined) : fail('refused', 'nothing was written');
}

function doneWords({ name, next }: Integration, { remove }: InitFlags): string {
  return remove
    ? `Removed from the configuration of ${name}.`
    : `Written. ${next} "copane init ${name} --remove" undoes it.`;
}
