/** `copane reply`: an author without MCP answers a comment. A user's reply on an AI's suggestion is a comment. */
import { type Command, InvalidArgumentError } from 'commander';
import { findAiAbove } from '../app/below-ai.ts';
import { fail, ok, type Result } from '../lib/result.ts';
import { systemProcesses } from '../platform/process-tree.ts';
import type { Client } from '../protocol/client.ts';
import type { CommandParams } from '../protocol/command.ts';
import type { Hunk } from '../protocol/review.ts';
import { type CliContext, subcommand } from './cli-context.ts';
import { hunkIds } from './known-ids.ts';
import { JSON_OPTION } from './options.ts';
import { commentLines, hunkLine, hunksToJson, withHost } from './review-output.ts';

interface ReplyFlags {
  readonly to?: number;
}

export function command(context: CliContext): Command {
  return subcommand('reply', context)
    .description('reply to a comment on a hunk: an AI as its author, you as its reviewer; decides nothing')
    .argument('<id>', 'the suggestion, or the beginning of its id')
    .argument('<hunk>', 'the hunk, or the beginning of its id')
    .argument('<text>', 'the reply; it stands below the comment')
    .option(
      '--to <n>',
      'the comment, counted from 1 as "copane show" lists them (default: the last)',
      parseTo,
    )
    .option(...JSON_OPTION)
    .action(async (id: string, hunk: string, text: string, flags: ReplyFlags) => {
      const author = await findAiAbove(systemProcesses, context.pid);
      const { suggestion, replied } = await withHost(context, async (client) => {
        const known = await hunkIds(client, { suggestion: id, hunk });
        if (!known.ok) return known;
        const params = { ...known.value, text: text.trim(), to: flags.to ?? null, author };
        const made = await reply(client, params);
        return made.ok ? ok({ suggestion: params.suggestion, replied: made.value }) : made;
      });
      if (context.json) context.out(hunksToJson(suggestion, [replied]));
      else context.show(`${hunkLine(replied)}\n${commentLines(replied)}`);
    });
}

/** Replies as the author, unless the user replies on the suggestion of an AI. */
async function reply(client: Client, params: Required<CommandParams<'review/reply'>>): Promise<Result<Hunk>> {
  const { suggestion, hunk, text, to, author } = params;
  const shown = await client.request('review/show', { suggestion, maxDiffBytes: 0 });
  if (!shown.ok) return shown;
  if (author !== null || shown.value.author === null) {
    const made = await client.request('review/reply', params);
    return made.ok ? ok(made.value.hunk) : made;
  }
  const comments = shown.value.hunks.find(({ id }) => id === hunk)?.comments ?? [];
  const answered = comments.at(to === null ? -1 : to - 1);
  if (answered === undefined) return fail('not_found', 'There is no such comment on this hunk.');
  const { lines, place } = answered;
  const around = place === null ? null : { first: place.first, last: place.last, ofFile: true as const };
  const made = await client.request('review/comment', {
    suggestion,
    hunk,
    comment: text,
    lines: lines ?? around,
  });
  const [commented] = made.ok ? made.value.hunks : [];
  return commented === undefined ? (made as Result<never>) : ok(commented);
}

function parseTo(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a number from 1.');
  return Number(text);
}
