/** `copane send`: types a prompt into the AI pane and reports whether it arrived. */
import type { Command } from 'commander';
import { loadConfig } from '../app/config/load-config.ts';
import { openPaneSession } from '../app/responses/pane-session.ts';
import { copanePaths } from '../platform/paths.ts';
import type { Config } from '../protocol/config.ts';
import { type CliContext, subcommand, unwrap } from './cli-context.ts';
import { jsonLine } from './json-line.ts';
import { JSON_OPTION, PANE_OPTION, readInput } from './options.ts';

interface SendFlags {
  readonly pane?: string;
  readonly raw?: boolean;
  readonly markers?: boolean;
  readonly command?: boolean;
  readonly submit: boolean;
  readonly steer?: boolean;
  readonly json?: boolean;
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
  const text = unwrap(context, await readInput(file, context), flags);
  const session = unwrap(context, await openPaneSession(context.env, flags.pane ?? null), flags);
  try {
    const wanted = {
      text: flags.command ? text.trimEnd() : text,
      mode: flags.command ? 'command' : 'prompt',
      markers: markersOf(
        flags,
        () => loadConfig(copanePaths(context.env).configFile, context.env).config.markers,
      ),
      submit: flags.submit,
      whenBusy: flags.steer ? 'steer' : 'queue',
    } as const;
    const report = unwrap(context, await session.send(wanted), flags);
    if (flags.json) context.out(jsonLine(report));
    else if (report.state === 'queued') context.say('copane: Queued; the AI is busy and holds it.');
    else if (report.state === 'staged') context.say('copane: Typed into the composer, not submitted.');
  } finally {
    await session.close();
  }
}

function markersOf(flags: SendFlags, configured: () => Config['markers']): Config['markers'] {
  if (flags.raw) return 'never';
  return flags.markers ? 'always' : configured();
}
