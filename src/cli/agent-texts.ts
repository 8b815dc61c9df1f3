/** `copane agent working|merge|edit`: the working texts of a session, from the command line. */
import path from 'node:path';
import type { Command } from 'commander';
import { count } from '../lib/count.ts';
import { oneLine } from '../lib/sanitize.ts';
import type { Client } from '../protocol/client.ts';
import { type CliContext, EXIT_CONFLICT, ExitWith, refuse, unwrap } from './cli-context.ts';
import { JSON_OPTION, readInput } from './options.ts';
import { line, withHost, withReviewer } from './review-output.ts';

export interface SessionFlags {
  readonly session?: string;
  readonly root?: string;
}

const SESSION_OPTION = ['--session <id>', "default: this project's most recent session"] as const;
const ROOT_OPTION = ['--root <dir>', 'the project folder', '.'] as const;

/** The given session, or the most recent one of the project; an archived one only if there is no other. */
export async function sessionOf(
  context: CliContext,
  client: Client,
  flags: SessionFlags,
): Promise<{ readonly session_id: string }> {
  if (flags.session !== undefined) return { session_id: flags.session };
  const root = path.resolve(context.cwd, flags.root ?? '.');
  const sessions = unwrap(context, await client.request('agent/sessions', { root, archived: true }));
  const last = sessions.find(({ status }) => status === 'active') ?? sessions[0];
  if (last === undefined) return refuse(context, 'not_found', `There is no session for ${root}.`);
  return { session_id: last.id };
}

/** Adds the subcommands to `copane agent`. */
export function addTexts(add: (name: string) => Command, context: CliContext): void {
  add('working')
    .description('list files whose working text is not on disk; with a file, print its working text')
    .argument('[file]', 'by its path in the project')
    .option(...SESSION_OPTION)
    .option(...ROOT_OPTION)
    .option(...JSON_OPTION)
    .action((file: string | undefined, flags: SessionFlags) => working(context, file ?? null, flags));
  add('merge')
    .description('take the file on disk as your edits, underneath the proposed ones')
    .argument('<file>')
    .option(...SESSION_OPTION)
    .option(...ROOT_OPTION)
    .option(...JSON_OPTION)
    .action((file: string, flags: SessionFlags) => merge(context, file, flags));
  add('edit')
    .description("replace a file's working text with your own; hunks that no longer apply are rejected")
    .argument('<file>', 'by its path in the project')
    .argument('<from>', 'a file with the new text; "-" reads stdin')
    .option(...SESSION_OPTION)
    .option(...ROOT_OPTION)
    .option(...JSON_OPTION)
    .action((file: string, from: string, flags: SessionFlags) => edit(context, { file, from }, flags));
}

async function working(context: CliContext, file: string | null, flags: SessionFlags): Promise<void> {
  const files = await withHost(context, async (client) =>
    client.request('agent/working', { ...(await sessionOf(context, client, flags)), file_path: file }),
  );
  if (context.json) return context.out(line(files));
  if (file === null) {
    for (const one of files) {
      const open = one.undecided === 0 ? '' : `  ${count(one.undecided, 'hunk')} open`;
      const conflict = one.conflict === null ? '' : `  ! ${oneLine(one.conflict)}`;
      context.show(`${oneLine(one.file_path)}${open}${one.unsaved ? '  unsaved' : ''}${conflict}\n`);
    }
    if (files.length === 0) context.say('copane: Every working text matches the disk.');
    return;
  }
  const [one] = files;
  if (one === undefined) refuse(context, 'not_found', `${file} is not part of any proposal.`);
  else if (typeof one.text === 'string') context.out(one.text);
  else
    context.say(
      one.text === null ? 'copane: There is no such file.' : 'copane: The text is too long to show.',
    );
}

async function merge(context: CliContext, file: string, flags: SessionFlags): Promise<void> {
  const { conflicts } = await withReviewer(context, async (client) =>
    client.request('agent/merge', { ...(await sessionOf(context, client, flags)), file_path: file }),
  );
  if (context.json) context.out(line({ conflicts }));
  for (const { hunk_id, reason } of conflicts) context.say(`copane: ${hunk_id ?? file}: ${oneLine(reason)}`);
  if (conflicts.length > 0) {
    context.say(
      `  Settle it by hand: copane agent working ${file} > FILE; …; copane agent edit ${file} FILE`,
    );
    throw new ExitWith(EXIT_CONFLICT);
  }
}

async function edit(
  context: CliContext,
  { file, from }: { readonly file: string; readonly from: string },
  flags: SessionFlags,
): Promise<void> {
  const text = unwrap(context, await readInput(from, context));
  const done = await withReviewer(context, async (client) => {
    const session = await sessionOf(context, client, flags);
    return client.request('agent/edit', { ...session, file_path: file, text, settles_conflicts: true });
  });
  if (context.json) context.out(line(done));
  const rejected = done.rejected_hunks === 0 ? '' : ` ${count(done.rejected_hunks, 'hunk')} rejected.`;
  context.say(`copane: Done in the working text.${rejected} "copane agent save" writes it to disk.`);
}
