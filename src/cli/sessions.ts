/** `copane sessions`: lists the AI CLI sessions of this folder. */
import { type Command, Option } from 'commander';
import { listSessions } from '../app/sessions/past-sessions.ts';
import { countAtLeast } from '../lib/count.ts';
import { oneLine } from '../lib/sanitize.ts';
import type { PastSession } from '../protocol/past-session.ts';
import { type CliContext, subcommand, unwrap, wholeNumber } from './cli-context.ts';
import { jsonLine } from './json-line.ts';
import { JSON_OPTION } from './options.ts';

interface SessionsFlags {
  readonly search?: string;
  readonly number: number;
}

/** The default of `-n`. */
const SESSIONS_SHOWN = 20;

export function command(context: CliContext): Command {
  return subcommand('sessions', context)
    .description(
      'earlier and running sessions of every AI CLI in this folder, newest first; "copane pull --session ID" prints an answer of one\n\nExit code: 0 listed, also when there are none',
    )
    .option('--search <words>', 'only sessions with a turn that contains all these words')
    .addOption(
      new Option('-n, --number <n>', 'list at most n sessions')
        .argParser(wholeNumber(1))
        .default(SESSIONS_SHOWN),
    )
    .option(...JSON_OPTION)
    .action((flags: SessionsFlags) => sessions(context, flags));
}

async function sessions(context: CliContext, flags: SessionsFlags): Promise<void> {
  const listed = unwrap(
    context,
    await listSessions(context.env, { cwd: context.cwd, words: flags.search ?? null, running: null }),
  );
  const shown = listed.slice(0, flags.number);
  if (context.json) return context.out(jsonLine({ sessions: shown, more: listed.length - shown.length }));
  if (shown.length === 0)
    return context.say(
      flags.search === undefined
        ? 'copane: No session of an AI CLI in this folder.'
        : 'copane: No session of this folder has these words.',
    );
  context.show(`${shown.map(describe).join('\n')}\n`);
  if (listed.length > shown.length)
    context.say(`copane: ${listed.length - shown.length} more; -n shows more.`);
}

function describe({ session, title, changedAt, answers, more, found }: PastSession): string {
  const time = new Date(changedAt).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
  const head = [
    time,
    session.cli,
    session.sessionId,
    countAtLeast(answers, 'answer', more),
    oneLine(title),
  ].join('  ');
  return found === null ? head : `${head}\n    ${oneLine(found.line)}`;
}
