/** Changes of turns as programs get them: `snake_case`, texts of hunks as unified diffs. Pure. */
import { displayBytes, latin1 } from '../../review/core/bytes.ts';
import { countLines, hunksText } from './change-hunks.ts';
import type { ChangeHunk, FileChange, RecordedTurn, TurnChanges, TurnCommand } from './turn-edits.ts';

/** One object for the turns that were asked for. */
export function encodeChanges(changes: TurnChanges, turns: readonly RecordedTurn[]) {
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
