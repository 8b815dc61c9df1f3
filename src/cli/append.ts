/** `copane append`: adds text to the companion's draft as notes. */
import { text as readAll } from 'node:stream/consumers';
import type { Command } from 'commander';
import { draftKeyOf } from '../app/responses/ai-pane.ts';
import { openPaneSession } from '../app/responses/pane-session.ts';
import { fail } from '../lib/result.ts';
import { type CliContext, subcommand, unwrap } from './cli-context.ts';
import { jsonLine } from './json-line.ts';
import { JSON_OPTION, PANE_OPTION } from './options.ts';

interface AppendFlags {
  readonly pane?: string;
  readonly json?: boolean;
}

export function command(context: CliContext): Command {
  return subcommand('append', context)
    .description("add text to the companion's draft, as notes")
    .argument('[text...]', 'the text; without it stdin is read')
    .option(...PANE_OPTION)
    .option(...JSON_OPTION)
    .action((words: string[], flags: AppendFlags) => append(context, words, flags));
}

async function append(context: CliContext, words: readonly string[], flags: AppendFlags): Promise<void> {
  const text = words.length > 0 ? words.join(' ') : await readAll(context.stdin);
  if (text.trim() === '')
    unwrap(context, fail('invalid', 'there is nothing to append: the text is empty'), flags);
  const session = unwrap(context, await openPaneSession(context.env, flags.pane ?? null), flags);
  try {
    const client = unwrap(context, await session.host(), flags);
    const key = draftKeyOf(session.listing);
    const stored = unwrap(context, await client.request('draft/append', { key, text }), flags);
    if (flags.json) context.out(jsonLine({ key, revision: stored.revision, lines: stored.lines }));
  } finally {
    await session.close();
  }
}
