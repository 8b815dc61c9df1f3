/** `copane uninstall`: undoes every `copane init` and lists what remains. It deletes no user data. */
import type { Command } from 'commander';
import type { Integration } from '../app/init/integration.ts';
import { initPlace } from '../app/init/place.ts';
import { INTEGRATIONS } from '../app/init/registry.ts';
import { carryOut, type InitPlan, planRemove } from '../app/init/run.ts';
import { showPlan } from '../app/init/show.ts';
import { copanePaths } from '../platform/paths.ts';
import { confirm } from './ask.ts';
import { type CliContext, ExitWith, refuse, subcommand, unwrap } from './cli-context.ts';

interface UninstallFlags {
  readonly yes?: boolean;
  readonly print?: boolean;
}

export function command(context: CliContext): Command {
  return subcommand('uninstall', context)
    .description('remove everything that "copane init" wrote, and list what stays')
    .option('--print', 'show what would be done, and do nothing')
    .option('--yes', 'do it without asking')
    .action((flags: UninstallFlags) => uninstall(context, flags));
}

async function uninstall(context: CliContext, flags: UninstallFlags): Promise<void> {
  const place = initPlace(context.env);
  const plans = INTEGRATIONS.map((integration): readonly [Integration, InitPlan] => [
    integration,
    unwrap(context, planRemove(integration, place)),
  ]);
  const busy = plans.filter(([, plan]) => plan.changes.length > 0);
  for (const [, plan] of busy) context.show(showPlan(plan, place.home));
  const notes = plans.flatMap(([, plan]) => plan.notes);
  for (const note of notes) context.say(`copane: ${note}`);
  if (flags.print) return;
  if (busy.length > 0 && !flags.yes && !(await agreed(context))) {
    refuse(context, 'refused', 'nothing was changed', 'Add --yes to skip the question.');
  }
  for (const [integration, plan] of plans) unwrap(context, carryOut(integration, place, plan));
  context.say(busy.length > 0 ? 'Taken out.' : 'copane has changed the configuration of no other program.');
  sayWhatStays(context);
  if (notes.length > 0) throw new ExitWith(3);
}

async function agreed(context: CliContext): Promise<boolean> {
  return context.stdin.isTTY === true && (await confirm(context, 'Do this?'));
}

function sayWhatStays(context: CliContext): void {
  const { stateDir, cacheDir, configFile } = copanePaths(context.env);
  context.say(
    [
      '',
      'These stay, because they are yours:',
      `  ${stateDir}   drafts, prompts, reviews and their history`,
      `  ${cacheDir}   caches, which copane can make again`,
      `  ${configFile}   your settings`,
      'Remove them with rm -r, when no companion runs; then the folder or package of copane itself.',
    ].join('\n'),
  );
}
