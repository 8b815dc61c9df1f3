/** `copane changes`: shows which files the turns of an AI changed. */

import { type Command, Option } from 'commander';
import { readSessionChanges } from '../app/changes/session-changes.ts';
import { countLines, hunksText } from '../changes/core/change-hunks.ts';
import { formatPatch, formatStat, shownName } from '../changes/core/format-changes.ts';
import type {
  ChangeHunk,
  FileChange,
  RecordedTurn,
  TurnChanges,
  TurnCommand,
} from '../changes/core/turn-edits.ts';
import type { PickTurns } from '../changes/turn-reader.ts';
import { namesByReason } from '../lib/count.ts';
import { ok } from '../lib/result.ts';
import { noTurn } from '../responses/core/select-range.ts';
import { displayBytes, latin1 } from '../review/core/bytes.ts';
import { topOf } from '../review/vcs/repository-place.ts';
import { type CliContext, subcommand, unwrap, wholeNumber } from './cli-context.ts';
import { jsonLine } from './json-line.ts';
import { JSON_OPTION, PANE_OPTION } from './options.ts';

interface ChangesFlags {
  readonly number?: number;
  readonly from?: number;
  readonly session?: boolean;
  readonly id?: string;
  readonly stat?: boolean;
  readonly patch?: boolean;
  readonly pane?: string;
}

export function command(context: CliContext): Command {
  const oneOf = (options: readonly Option[]) => {
    const names = options.map((option) => option.attributeName());
    return options.map((option) => option.conflicts(names.filter((name) => name !== option.attributeName())));
  };
  const scopes = oneOf([
    new Option('-n, --number <n>', 'the n-th turn; 1 is the newest').argParser(wholeNumber(1)),
    new Option('--from <n>', 'from the n-th turn on, as one change').argParser(wholeNumber(1)),
    new Option('--session', 'the whole session, as one change'),
  ]);
  const forms = oneOf([
    new Option('--stat', 'a line for each file; the default'),
    new Option('--patch', 'a patch for "git apply"'),
    new Option(...JSON_OPTION),
  ]);
  const options = [...scopes, ...forms];
  const changed = subcommand('changes', context)
    .description(
      'show what the AI changed in files, by its session file and what a companion saw; the newest turn without options\n\n' +
        'Exit code: 0 printed, or nothing was changed · 4 no such pane, session or turn, or not known',
    )
    .option('--id <session>', 'a session of this folder, running or not: its id, or its file')
    .option(...PANE_OPTION)
    .action((flags: ChangesFlags) => changes(context, flags));
  for (const option of options) changed.addOption(option);
  return changed;
}

async function changes(context: CliContext, flags: ChangesFlags): Promise<void> {
  const reach = flags.session ? Number.POSITIVE_INFINITY : (flags.from ?? flags.number ?? 1);
  const wanted = { pane: flags.pane ?? null, session: flags.id ?? null, cwd: context.cwd, turns: reach };
  const read = unwrap(context, await readSessionChanges(context.env, wanted, pickBy(flags)));
  for (const note of read.notes) context.say(`copane: ${note}`);
  print(context, { changed: read.changes, turns: read.turns, root: read.root }, flags);
}

const pickBy =
  ({ number, from, session }: ChangesFlags): PickTurns =>
  (ids) => {
    const wanted = session ? ids.length : (from ?? number ?? 1);
    const first = ids.length - wanted;
    const isAsked = number !== undefined || from !== undefined;
    if (first < 0 && isAsked) return noTurn(wanted, ids.length);
    const isOne = !session && from === undefined;
    return ok([Math.max(0, first), isOne ? first : ids.length - 1]);
  };

interface Shown {
  readonly changed: TurnChanges;
  readonly turns: readonly RecordedTurn[];
  readonly root: string;
}

function print(context: CliContext, shown: Shown, flags: ChangesFlags): void {
  const { changed, turns, root } = shown;
  if (context.json) context.out(jsonLine(encodeChanges(changed, turns)));
  else if (flags.patch) printPatch(context, changed, root);
  else if (changed.files.length > 0) context.show(formatStat(changed, root));
  if (context.json) return;
  if (!flags.patch)
    for (const line of inexact(changed.files, root)) context.say(`copane: Not exact: ${line}`);
  for (const line of lacking(shown)) context.say(`copane: ${line}`);
}

function printPatch(context: CliContext, changed: TurnChanges, root: string): void {
  const { bytes, left } = formatPatch(changed, root);
  context.out(Buffer.from(bytes).toString('utf8'));
  const reported = changed.files.filter(({ hunks }) => hunks.length > 0);
  for (const line of inexact(reported, root)) context.say(`copane: This patch is not exact: ${line}`);
  for (const { path, why } of left)
    context.say(`copane: ${shownName(path, root)} is not in the patch: ${why}.`);
}

/** A sentence for each reason, with the files it applies to. */
function inexact(files: readonly FileChange[], root: string): readonly string[] {
  const told = files.flatMap(({ path, why }) =>
    why === undefined ? [] : [[shownName(path, root), why] as const],
  );
  return namesByReason(told).map((words) => `${words}.`);
}

/** Explains why the list may be incomplete or is empty. */
function lacking({ changed: { files, unknown }, turns, root }: Shown): readonly string[] {
  const [which, these] = turns.length > 1 ? ['these turns', 'These turns'] : ['this turn', 'This turn'];
  if (turns.length === 0) return ['Nothing was asked here yet.'];
  if (unknown !== undefined) {
    const all =
      files.length === 0 ? `The changes of ${which} are not known` : `There may be more changes of ${which}`;
    const hint = topOf(root) === null ? [] : ['All changes since the last commit: git diff'];
    return [`${all}: ${unknown}.`, ...hint];
  }
  return files.length === 0 ? [`${these} changed no file.`] : [];
}

/** One object for the requested turns. */
function encodeChanges(changes: TurnChanges, turns: readonly RecordedTurn[]) {
  return {
    turns: turns.map(({ turnId, interrupted, rewound }) => ({ id: turnId, interrupted, rewound })),
    files: changes.files.map(encodeFile),
    added: changes.added,
    removed: changes.removed,
    sources: changes.sources,
    commands: turns.flatMap(({ commands }) => commands.map(encodeCommand)),
    ...(changes.unknown === undefined ? {} : { unknown: changes.unknown }),
  };
}

function encodeFile({ path, movedFrom, kind, modes, hunks, exact, why, binary }: FileChange) {
  return {
    path,
    ...(movedFrom === undefined ? {} : { moved_from: movedFrom }),
    kind,
    ...(modes === undefined ? {} : { modes: modes.map((mode) => mode.toString(8)) }),
    ...countLines(hunks),
    exact,
    ...(why === undefined ? {} : { why }),
    ...(binary ? { binary } : {}),
    hunks: hunks.map(encodeHunk),
  };
}

function encodeHunk(hunk: ChangeHunk) {
  return {
    old_start: hunk.oldStart,
    old_lines: hunk.oldLines,
    new_start: hunk.newStart,
    new_lines: hunk.newLines,
    origin: hunk.origin,
    diff: displayBytes(latin1(hunksText([hunk]))),
  };
}

function encodeCommand({ command, cwd, at, exit, outcome, callId }: TurnCommand) {
  return { command, cwd, at, exit, outcome, ...(callId === undefined ? {} : { call_id: callId }) };
}
