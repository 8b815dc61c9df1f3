/** What turns changed, from their session file and from copane's looks: per file and in total. Pure. */
import { sameBytes } from '../../review/core/bytes.ts';
import { MODE_FILE } from '../../review/core/patch-model.ts';
import {
  type AttributedFile,
  attributeFile,
  isLater,
  type SeenFile,
  type SeenSide,
  type TurnFactsOfFile,
} from './attribute.ts';
import { countLines } from './change-hunks.ts';
import { putBack } from './our-steps.ts';
import { pairMoves } from './pair-moves.ts';
import { turnChanges } from './turn-changes.ts';
import type { FileChange, RecordedTurn, TurnChanges, TurnCommand, TurnEdit } from './turn-edits.ts';

/** What the looks saw during the turns. */
export interface SeenTurns {
  readonly files: readonly SeenFile[];
  /** Files in which the looks would have seen a change, but saw none. */
  readonly unchanged?: ReadonlySet<string>;
  /** What other AIs in the same working tree did meanwhile. */
  readonly others?: readonly RecordedTurn[];
  /** When the last look began, ms since the epoch; null or left out if unknown. */
  readonly until?: number | null;
  /** Why something may be missing; a sentence for users, null if nothing is. */
  readonly gap: string | null;
}

const NOT_LOOKED_SINCE =
  'the AI ran a command after copane looked at the files last, and what that changed is not known yet';

/** What turns changed, and for each file the two texts that its review compares. */
export interface SeenChanges {
  readonly changes: TurnChanges;
  readonly files: readonly AttributedFile[];
}

/** The changes of turns, oldest first. `seen`: null if there was no look at the files. */
export function seenChanges(turns: readonly RecordedTurn[], seen: SeenTurns | null): SeenChanges {
  const kept = turns.filter(({ rewound }) => !rewound);
  const recorded = turnChanges(kept);
  const [edits, tries] = [inOrder(kept), inOrder(kept, 'unknown')];
  const others = seen?.others ?? [];
  const othersEdits = inOrder(others);
  const until = seen?.until ?? null;
  const commands = commandsOf(kept);
  const facts = {
    until,
    commands,
    editTimes: edits.flatMap(({ at }) => at ?? []),
    othersCommands: commandsOf(others),
  };
  // An edit before the last look that is in no look was undone, by a command for example.
  const isUndone = (file: string) =>
    seen?.unchanged?.has(file) === true &&
    edits.every((edit) => edit.path !== file || (edit.at !== null && !isLater(edit, facts)));
  const attributed = ({ file, movedFrom }: SeenMove): AttributedFile | null => {
    const isOwn = ({ path }: TurnEdit) => path === file.path || path === movedFrom;
    const theirs = othersEdits.filter(({ path }) => path === file.path);
    const told = wholeFile(file, {
      ...facts,
      commands: [...commands, ...tries.filter(isOwn).map(asCommand)],
      edits: edits.filter(isOwn),
      othersEdits: theirs,
    });
    if (told === null || movedFrom === undefined || told.change.kind !== 'edit') return told;
    return { ...told, change: { ...told.change, kind: 'rename', movedFrom } };
  };
  const looked = new Map(seen?.files.map((file) => [file.path, file]));
  const asOne = (from: string, to: string) => {
    const move = joinNames(looked, { path: to, movedFrom: from });
    return move && attributed(move);
  };
  const found = pairMoves(
    [
      ...joinMoves(looked, edits).flatMap((move) => attributed(move) ?? []),
      ...recorded.files.filter(({ path }) => !looked.has(path) && !isUndone(path)).map(ofRecord),
    ],
    asOne,
  );
  const files = [...found].sort((a, b) => (a.change.path < b.change.path ? -1 : 1));
  const hunks = files.flatMap(({ change }) => change.hunks);
  const isBehind = until !== null && commands.some((command) => isAfter(command, until));
  const unknown =
    seen === null ? (recorded.unknown ?? null) : (seen.gap ?? (isBehind ? NOT_LOOKED_SINCE : null));
  return {
    files,
    changes: {
      files: files.map(({ change }) => change),
      ...countLines(hunks),
      sources: seen === null ? recorded.sources : [...recorded.sources, 'snapshot'],
      ...(unknown === null ? {} : { unknown }),
    },
  };
}

/** With what a reviewer has taken back. */
function wholeFile(file: SeenFile, told: TurnFactsOfFile): AttributedFile | null {
  const back = putBack(file.steps);
  const whole = back && attributeFile({ ...file, steps: [...file.steps, back] }, told);
  return whole ?? attributeFile(file, told);
}

/** It may have written something after the last look. */
function isAfter({ outcome, at, endedAt }: TurnCommand, until: number): boolean {
  return outcome !== 'refused' && (endedAt ?? at ?? 0) > until;
}

/** A renamed file, with the looks' content under both names. */
interface SeenMove {
  readonly file: SeenFile;
  readonly movedFrom?: string;
}

type SeenFiles = ReadonlyMap<string, SeenFile>;

/** The files, with both names of one that a tool renamed as one. */
function joinMoves(files: SeenFiles, edits: readonly TurnEdit[]): readonly SeenMove[] {
  const moves = edits.flatMap((edit) => joinNames(files, edit) ?? []);
  const joined = new Map(moves.map((move) => [move.file.path, move]));
  const oldNames = new Set(moves.map(({ movedFrom }) => movedFrom));
  return [...files.values()]
    .filter(({ path }) => !oldNames.has(path))
    .map((file) => joined.get(file.path) ?? { file });
}

/** Null if one name did not become the other, or if nothing else changed, which the bytes show. */
function joinNames(
  files: SeenFiles,
  { path, movedFrom = path }: Pick<TurnEdit, 'path' | 'movedFrom'>,
): SeenMove | null {
  const [old, updated] = [files.get(movedFrom)?.steps, files.get(path)?.steps];
  const [went, came] = [old?.at(-1), updated?.[0]];
  if (old === updated || !old || !updated || !went || !came) return null;
  if (went.after !== null || came.before !== null) return null;
  const [first, last] = [old[0]?.before?.bytes, updated.at(-1)?.after?.bytes];
  if (first == null || last == null || sameBytes(first, last)) return null;
  const moved = { ...came, before: went.before };
  return { file: { path, steps: [...old.slice(0, -1), moved, ...updated.slice(1)] }, movedFrom };
}

/** Edits of all turns with this outcome, numbered across the turns. */
function inOrder(
  turns: readonly RecordedTurn[],
  wanted: TurnEdit['outcome'] = 'applied',
): readonly TurnEdit[] {
  return turns.flatMap(({ edits }, turn) =>
    edits
      .filter(({ outcome }) => outcome === wanted)
      .map((edit) => ({ ...edit, order: turn * ORDER_SPAN + edit.order }))
      .sort((a, b) => a.order - b.order),
  );
}

/** How long an interrupted edit may have written to its file. */
const BROKEN_OFF_MS = 3_000;

/** An edit that may or may not have been made: as with a command, no record has its text. */
function asCommand({ order, outcome, at, calledAt }: TurnEdit): TurnCommand {
  const began = calledAt ?? at;
  // One without a result was interrupted: unlike a command it does not continue.
  const endedAt = began !== null && at === began ? began + BROKEN_OFF_MS : at;
  return { command: '', cwd: null, exit: null, at: began, endedAt, order, outcome };
}

const commandsOf = (turns: readonly RecordedTurn[]) =>
  turns.flatMap(({ commands, startedAt = null }, turn) =>
    commands.map((command) => ({ ...command, turnAt: startedAt, order: turn * ORDER_SPAN + command.order })),
  );

/** Edits and commands of one turn. */
const ORDER_SPAN = 1_000_000;

/** A file that no look covers: git ignores it, or it is elsewhere. */
function ofRecord(change: FileChange): AttributedFile {
  const { before, after, kind, exact } = change;
  const isKnown = (side: typeof before, isThere: boolean) =>
    !isThere || (side !== undefined && 'bytes' in side);
  if (!exact || !isKnown(before, kind !== 'add') || !isKnown(after, kind !== 'delete'))
    return { change, review: null };
  const side = (text: typeof before): SeenSide =>
    text !== undefined && 'bytes' in text ? { mode: MODE_FILE, bytes: text.bytes } : null;
  return { change, review: { before: side(before), after: side(after) } };
}
