/** `copane send`: types a prompt into the AI pane and reports whether it arrived. */
import type { Command } from 'commander';
import { loadConfig } from '../app/config/load-config.ts';
import { copanePaths } from '../platform/paths.ts';
import type { Config } from '../protocol/config.ts';
import { type CliContext, subcommand, unwrap } from './cli-context.ts';
import { jsonLine } from './json-line.ts';
import { JSON_OPTION, PANE_OPTION, readInput } from './options.ts';
import { type PaneFlag, withPane } from './with-pane.ts';

interface SendFlags extends PaneFlag {
  readonly raw?: boolean;
  readonly markers?: boolean;
  readonly command?: boolean;
  readonly submit: boolean;
  readonly steer?: boolean;
}

export function command(context: CliContext): Command {
  return subcommand('send', context)
    .description(
      'type a prompt into the AI pane and submit it\n\nExit code: 0 delivered or queued · 3 refused, nothing typed · 4 no such pane ·\n5 typed into the composer, not submitted · 6 sent, arrival not confirmed',
    )
    .argument('[file]', 'a file with the prompt, or - for stdin', '-')
    .option(...PANE_OPTION)
    .option('--raw', 'never put marker lines around the prompt')
    .option('--markers', 'always put marker lines around the prompt')
    .option('--command', 'type one line key by key, as a slash command')
    .option(
      '--steer',
      'break in on a working AI; by default the prompt waits until it is done, or for its next step',
    )
    .option('--no-submit', 'leave the text in the composer')
    .option(...JSON_OPTION)
    .action((file: string, flags: SendFlags) => send(context, file, flags));
}

async function send(context: CliContext, file: string, flags: SendFlags): Promise<void> {
  const text = unwrap(context, await readInput(file, context));
  await withPane(context, flags.pane, async (session) => {
    const wanted = {
      text: flags.command ? text.trimEnd() : text,
      mode: flags.command ? 'command' : 'prompt',
      markers: markersOf(context, flags),
      submit: flags.submit,
      whenBusy: flags.steer ? 'steer' : 'queue',
    } as const;
    const report = unwrap(context, await session.send(wanted));
    if (context.json) context.out(jsonLine(report));
    else if (report.state === 'queued') context.say('copane: Queued; the AI is busy and holds it.');
    else if (report.state === 'staged') context.say('copane: Typed into the composer, not submitted.');
  });
}

function markersOf({ env }: CliContext, { raw, markers }: SendFlags): Config['markers'] {
  if (raw) return 'never';
  return markers ? 'always' : loadConfig(copanePaths(env).configFile, env).config.markers;
}
