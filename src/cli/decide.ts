/** `copane decide`: accepts, rejects or modifies a hunk, some of its lines, or every open hunk. */
import { buffer as readAll } from 'node:stream/consumers';
import { Argument, type Command, InvalidArgumentError } from 'commander';
import { count } from '../lib/count.ts';
import { errorMessage, fail, ok, type Result } from '../lib/result.ts';
import { readRegular } from '../platform/regular-file.ts';
import type { Client } from '../protocol/client.ts';
import type { CommandParams } from '../protocol/command.ts';
import type { Hunk as ReviewHunk } from '../protocol/review.ts';
import { filesThatRun, filesUnsure, runningWords, unsureWords } from '../review/core/many-question.ts';
import { isOpen } from '../review/desk/desk.ts';
import { confirm } from './ask.ts';
import { type CliContext, refuse, subcommand, unwrap } from './cli-context.ts';
import { hunkIds } from './known-ids.ts';
import { INPUT_MAX_BYTES, JSON_OPTION } from './options.ts';
import { hunkLine, hunksToJson, withReviewer } from './review-output.ts';

type Params = CommandParams<'review/decide'>;

interface DecideFlags {
  readonly lines?: { readonly first: number; readonly last: number };
  readonly fileLines?: { readonly first: number; readonly last: number };
  readonly diff?: string;
  readonly text?: string;
  readonly merge?: boolean;
  readonly file?: string;
  readonly comment?: string;
  readonly onlyFitting?: boolean;
  readonly acceptSelfRunning?: boolean;
  readonly rejectUnsure?: boolean;
  readonly revision?: number;
}

/** `comment` decides nothing; it only sends the comment. */
const ACTIONS = ['accept', 'reject', 'modify', 'comment'] as const;
type Action = (typeof ACTIONS)[number];

export function command(context: CliContext): Command {
  return subcommand('decide', context)
    .description('decide on a hunk; it is applied whole or not at all')
    .argument('<id>', 'the suggestion, or the beginning of its id')
    .argument(
      '<hunk>',
      'the hunk, or the beginning of its id; "all" for every open hunk, "every" to include decided ones',
    )
    .addArgument(new Argument('<action>').choices(ACTIONS))
    .option(
      '--lines <a-b>',
      'only these lines of the hunk, counted from 1 below its @@ line; the comment is about them',
      parseLines,
    )
    .option(
      '--file-lines <a-b>',
      'with comment: lines of the file as the changes leave it, in the hunk, or between it and its neighbours',
      parseLines,
    )
    .option('--diff <file>', 'with modify: the edited diff ("-" reads stdin)')
    .option('--text <file>', 'with modify: the new text of the lines that the hunk covers ("-" reads stdin)')
    .option('--merge', 'with modify: the three-way merge, where it has no conflict')
    .option('--file <path>', 'with "all": only the hunks of this file')
    .option('--comment <text>', 'a comment for the author; it may have several lines')
    .option('--only-fitting', 'with "all": skip hunks that do not fit')
    .option('--accept-self-running', 'with "all": also accept files that run by themselves')
    .option('--reject-unsure', 'with "all": also reject changes of an answer that may be yours')
    .option('--revision <n>', 'refuse if anything was decided since this revision', Number)
    .option(...JSON_OPTION)
    .action((id: string, hunk: string, action: Action, flags: DecideFlags) =>
      action === 'comment'
        ? comment(context, { suggestion: id, hunk }, flags)
        : decide(context, { suggestion: id, hunk, action }, flags),
    );
}

function parseLines(text: string): { first: number; last: number } {
  const match = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text);
  if (match === null) throw new InvalidArgumentError('It must be A-B, or one line.');
  const first = Number(match[1]);
  return { first, last: match[2] === undefined ? first : Number(match[2]) };
}

async function decide(
  context: CliContext,
  what: Pick<Params, 'suggestion' | 'hunk' | 'action'>,
  flags: DecideFlags,
): Promise<void> {
  if (flags.fileLines !== undefined)
    return refuse(context, 'invalid', 'only a comment takes --file-lines; --lines are of the hunk');
  const modified = unwrap(context, await modificationOf(context, flags));
  const { suggestion, hunks, notes } = await withReviewer(context, async (client) => {
    const known = await hunkIds(client, what);
    if (!known.ok) return known;
    const decision = { ...what, ...known.value };
    const confirmed = await confirmedBy(context, client, decision, flags);
    return client.request('review/decide', {
      ...decision,
      modified,
      lines: flags.lines ?? null,
      file: flags.file ?? null,
      comment: flags.comment ?? null,
      onlyFitting: flags.onlyFitting ?? false,
      ...confirmed,
      revision: flags.revision ?? null,
    });
  });
  if (context.json) context.out(hunksToJson(suggestion.id, hunks));
  else for (const hunk of hunks) context.show(`${hunkLine(hunk)}\n`);
  for (const note of notes) context.say(`copane: ${note}`);
  if (suggestion.write === 'on-save') context.say('copane: "copane agent save" writes it to disk.');
  const left = suggestion.hunkCount - suggestion.decidedCount;
  context.say(
    left === 0
      ? 'copane: Every hunk is decided.'
      : `copane: ${left} of ${suggestion.hunkCount} hunks are open.`,
  );
}

type Confirmed = Pick<Params, 'acceptSelfRunning' | 'rejectUnsure'>;

/** Whether to include hunks that need individual review. Asks on a terminal; elsewhere only the flags count. */
async function confirmedBy(
  context: CliContext,
  client: Client,
  { suggestion, hunk, action }: Pick<Params, 'suggestion' | 'hunk' | 'action'>,
  flags: DecideFlags,
): Promise<Confirmed> {
  const { acceptSelfRunning = false, rejectUnsure = false } = flags;
  const given = { acceptSelfRunning, rejectUnsure };
  const isAsked = action === 'accept' ? !acceptSelfRunning : action === 'reject' && !rejectUnsure;
  const isMany = hunk === 'all' || hunk === 'every';
  if (!isMany || !isAsked || !context.stdin.isTTY) return given;
  const shown = await client.request('review/show', { suggestion, maxDiffBytes: 0 });
  const open = shown.ok ? coveredHunks(shown.value.hunks, hunk, flags) : [];
  const isRejected = action === 'reject';
  const files = isRejected ? filesUnsure(open) : filesThatRun(open);
  const question = isRejected
    ? `${unsureWords(files)} Reject them too?`
    : `${runningWords(files)} Accept them too?`;
  const isConfirmed = files.length > 0 && (await confirm(context, question));
  return isRejected ? { ...given, rejectUnsure: isConfirmed } : { ...given, acceptSelfRunning: isConfirmed };
}

/** The hunks that `all` or `every` covers; a hunk in conflict counts as open. */
export function coveredHunks<T extends Pick<ReviewHunk, 'file' | 'status'>>(
  hunks: readonly T[],
  which: string,
  { file: only }: Pick<DecideFlags, 'file'>,
): readonly T[] {
  return hunks.filter(
    ({ file, status }) => (only === undefined || file === only) && (which === 'every' || isOpen(status)),
  );
}

async function comment(
  context: CliContext,
  what: Pick<Params, 'suggestion' | 'hunk'>,
  flags: DecideFlags,
): Promise<void> {
  const text = flags.comment?.trim() ?? '';
  if (text === '') return refuse(context, 'invalid', 'there is no comment', 'Give it with --comment TEXT.');
  if (flags.lines !== undefined && flags.fileLines !== undefined)
    return refuse(context, 'invalid', 'give either --lines or --file-lines, not both');
  const { hunks, suggestion } = await withReviewer(context, async (client) => {
    const known = await hunkIds(client, what);
    if (!known.ok) return known;
    const { suggestion } = known.value;
    if (flags.lines !== undefined) {
      const read = await client.request('review/lines', { ...known.value, count: 1 });
      if (!read.ok) return read;
      const { total } = read.value;
      if (flags.lines.first < 1 || flags.lines.last > total)
        return fail('invalid', `The hunk has ${count(total, 'line')}; --lines counts them from 1.`);
    }
    const made = await client.request('review/comment', {
      ...known.value,
      comment: text,
      lines: flags.fileLines === undefined ? (flags.lines ?? null) : { ...flags.fileLines, ofFile: true },
    });
    return made.ok ? ok({ hunks: made.value.hunks, suggestion }) : made;
  });
  if (context.json) context.out(hunksToJson(suggestion, hunks));
  else for (const hunk of hunks) context.show(`${hunkLine(hunk)}\n`);
}

async function modificationOf(
  context: CliContext,
  flags: DecideFlags,
): Promise<Result<NonNullable<Params['modified']> | null>> {
  if (flags.merge) return ok({ kind: 'merge' });
  const file = flags.diff ?? flags.text;
  if (file === undefined) return ok(null);
  if (flags.diff !== undefined && flags.text !== undefined)
    return fail('invalid', 'give either --diff or --text, not both');
  try {
    const bytes =
      file === '-' ? await readAll(context.stdin) : await readRegular(file, { maxBytes: INPUT_MAX_BYTES });
    return ok({ kind: flags.diff === undefined ? 'text' : 'diff', base64: bytes.toString('base64') });
  } catch (thrown) {
    return fail('invalid', `cannot read ${file}: ${errorMessage(thrown)}`);
  }
}
