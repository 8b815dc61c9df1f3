/** `copane pull`: prints the answers of the AI. Turns count from 1, the newest. */

import { type Command, Option } from 'commander';
import type { PaneSession } from '../app/responses/pane-session.ts';
import { fail, ok, type Result } from '../lib/result.ts';
import type { Turn } from '../protocol/turn.ts';
import { noTurn, parseTurnRange, selectTurns, type TurnRange } from '../responses/core/select-range.ts';
import type { ResponseSource } from '../responses/pane-responses.ts';
import type { PaneFacts } from '../tmux/core/formats.ts';
import type { TmuxPort } from '../tmux/port.ts';
import { type CliContext, subcommand, unwrap, wholeNumber } from './cli-context.ts';
import { jsonLine } from './json-line.ts';
import { JSON_OPTION, PANE_OPTION } from './options.ts';
import { type PaneFlag, withPane } from './with-pane.ts';

interface PullFlags extends PaneFlag {
  readonly number?: number;
  readonly range?: string;
  readonly all?: boolean;
  readonly selection?: boolean;
  readonly source: ResponseSource;
  /** The prefix of a session id, or its file. */
  readonly session?: string;
}

export function command(context: CliContext): Command {
  return subcommand('pull', context)
    .description(
      'print what the AI answered; the newest answer without options\n\nExit code: 0 printed, or nothing answered yet · 4 no such pane or turn',
    )
    .addOption(
      new Option('-n, --number <n>', 'the n-th answer; 1 is the newest')
        .argParser(wholeNumber(1))
        .conflicts(['range', 'all']),
    )
    .addOption(new Option('-r, --range <start:end>', 'several answers, oldest first').conflicts('all'))
    .option('--all', 'all answers, oldest first')
    .addOption(
      new Option('--selection', "the text selected in the AI pane's copy mode").conflicts([
        'number',
        'range',
        'all',
      ]),
    )
    .addOption(
      new Option('--source <source>', 'where to read')
        .choices(['auto', 'transcript', 'screen'])
        .default('auto'),
    )
    .addOption(
      new Option(
        '--session <id>',
        'from a session of this folder, running or not (see "copane sessions")',
      ).conflicts(['pane', 'selection', 'source']),
    )
    .option(...PANE_OPTION)
    .option(...JSON_OPTION)
    .action((flags: PullFlags) => pull(context, flags));
}

async function pull(context: CliContext, flags: PullFlags): Promise<void> {
  const range = unwrap(context, rangeOf(flags));
  if (flags.session !== undefined) {
    const turns = unwrap(context, await readNamed(context, flags.session, range));
    return context.json ? context.out(jsonLine({ turns })) : printTurns(context, turns);
  }
  await withPane(context, flags.pane, async (session) => {
    if (flags.selection) return printSelection(context, session);
    const turns = unwrap(context, await readTurns(context, session, range, flags));
    if (context.json) context.out(jsonLine({ turns }));
    else printTurns(context, turns);
  });
}

function rangeOf(flags: PullFlags): Result<TurnRange> {
  if (flags.all) return ok({ start: 1, end: Number.POSITIVE_INFINITY });
  if (flags.range !== undefined) return parseTurnRange(flags.range);
  return ok({ start: flags.number ?? 1, end: flags.number ?? 1 });
}

/** The turns in the range from the given session, newest first. */
async function readNamed(
  { env, cwd }: CliContext,
  name: string,
  range: TurnRange,
): Promise<Result<readonly Turn[]>> {
  const { namedSession, readSession, sessionsOf } = await import('../app/sessions/past-sessions.ts');
  const named = namedSession(await sessionsOf(cwd, [env]), name);
  const read = named.ok ? await readSession(named.value, range.end) : named;
  return read.ok ? inRange(read.value, range) : read;
}

function inRange(turns: readonly Turn[], range: TurnRange): Result<readonly Turn[]> {
  const selected = selectTurns(turns, range);
  return selected.length > 0 ? ok(selected) : noTurn(range.start, turns.length);
}

/** The turns in the range, newest first. A turn without an answer yet has no text; that is not an error. */
async function readTurns(
  context: CliContext,
  { responses, listing, read }: PaneSession,
  range: TurnRange,
  flags: PullFlags,
): Promise<Result<readonly Turn[]>> {
  const reading = await read(flags.source, range.end);
  if (!reading.ok) return reading;
  const { turns, source, isBehind } = reading.value;
  if (
    turns.length === 0 &&
    (source === 'transcript' || (responses.hasTranscript && flags.source !== 'screen'))
  ) {
    context.say(isBehind ? 'copane: No response yet.' : 'copane: Nothing was asked here yet.');
    return ok([]);
  }
  if (source === 'none' && listing.facts.dead) return hasEnded(listing.facts.identity.paneId);
  if (source === 'none') return noMarker(listing.facts, flags.source);
  const found = inRange(turns, range);
  if (!found.ok) return found;
  const selected = found.value;
  if (selected.every((turn) => turn.response === '')) context.say('copane: No response yet.');
  for (const warning of new Set(selected.map((turn) => turn.warning)))
    if (warning !== null) context.say(`copane: ${warning}`);
  return ok(selected);
}

function hasEnded(paneId: string): Result<never> {
  return fail(
    'not_found',
    `the program in pane ${paneId} has ended`,
    'The companion has its answers: H lists the sessions of the project',
  );
}

function noMarker({ identity, currentCommand }: PaneFacts, source: ResponseSource): Result<never> {
  const without =
    source === 'screen' ? '' : `runs ${currentCommand}, whose sessions copane does not know, and `;
  return fail(
    'not_found',
    `no answer can be recognized in pane ${identity.paneId}: it ${without}shows no "### END PROMPT" line`,
    'Send the prompt with marker lines: copane send --markers. If an AI CLI ran there before: copane sessions lists its answers',
  );
}

/** Oldest first, separated by blank lines. */
function printTurns(context: CliContext, turns: readonly Turn[]): void {
  const texts = turns.toReversed().flatMap(({ response }) => (response === '' ? [] : [response]));
  if (texts.length === 0) return;
  const text = texts.join('\n\n');
  context.out(text.endsWith('\n') ? text : `${text}\n`);
}

async function printSelection(context: CliContext, session: PaneSession): Promise<void> {
  const text = unwrap(context, await readSelection(session.access.tmux, session.listing.facts));
  context.out(context.json ? jsonLine({ selection: text }) : `${text}\n`);
}

/** The prefix of the tmux buffers that we name; tmux adds a number. */
const BUFFER_PREFIX = 'copane-selection-';

/** The selected text, or a failure if nothing is selected. */
async function readSelection(tmux: TmuxPort, pane: PaneFacts): Promise<Result<string>> {
  const target = pane.identity.paneId;
  const shown = await tmux.run([['display-message', '-p', '-t', target, '#{selection_present}']]);
  if (!shown.ok) return shown;
  if (shown.value.trim() !== '1')
    return fail(
      'not_found',
      'nothing is selected in the AI pane',
      'Select in its copy mode first (prefix [).',
    );
  const copied = await tmux.run([
    ['send-keys', '-t', target, '-X', 'copy-selection-no-clear', BUFFER_PREFIX],
    ['list-buffers', '-F', '#{buffer_name}', '-f', `#{m:${BUFFER_PREFIX}*,#{buffer_name}}`],
  ]);
  if (!copied.ok) return copied;
  const [name] = copied.value.split('\n');
  if (!name) return fail('not_found', 'the selection is empty');
  const text = await tmux.run([
    ['show-buffer', '-b', name],
    ['delete-buffer', '-b', name],
  ]);
  return text.ok ? ok(text.value) : text;
}
