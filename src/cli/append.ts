/** `copane append`: adds text to the companion's draft as notes. */
import { text as readAll } from 'node:stream/consumers';
import type { Command } from 'commander';
import { draftKeyOf } from '../app/responses/ai-pane.ts';
import { type CliContext, refuse, subcommand, unwrap } from './cli-context.ts';
import { jsonLine } from './json-line.ts';
import { JSON_OPTION, PANE_OPTION } from './options.ts';
import { type PaneFlag, withPane } from './with-pane.ts';

export function command(context: CliContext): Command {
  return subcommand('append', context)
    .description("add text to the companion's draft, as notes")
    .argument('[text...]', 'the text; without it stdin is read')
    .option(...PANE_OPTION)
    .option(...JSON_OPTION)
    .action((words: string[], { pane }: PaneFlag) => append(context, words, pane));
}

async function append(context: CliContext, words: readonly string[], pane?: string): Promise<void> {
  const text = words.length > 0 ? words.join(' ') : await readAll(context.stdin);
  if (text.trim() === '') refuse(context, 'invalid', 'there is nothing to append: the text is empty');
  await withPane(context, pane, async ({ host, listing }) => {
    const client = unwrap(context, await host());
    const key = draftKeyOf(listing);
    const stored = unwrap(context, await client.request('draft/append', { key, text }));
    if (context.json) context.out(jsonLine({ key, revision: stored.revision, lines: stored.lines }));
  });
}
