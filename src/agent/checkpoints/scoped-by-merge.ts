/** Rolls back hunks of a run without a change log by merging reverse patches. Overlaps with newer edits conflict. */
import { append } from '../../lib/append.ts';
import type { AgentConflict } from '../../protocol/commands/agent.ts';
import { type ByteString, displayBytes, sameBytes } from '../../review/core/bytes.ts';
import type { FileImage } from '../../review/core/file-state.ts';
import { readBody, sideText } from '../../review/core/hunk-body.ts';
import { hunkPieces } from '../../review/core/hunk-pieces.ts';
import { type LineTable, lineRange, lineTable } from '../../review/core/line-table.ts';
import { merge3 } from '../../review/core/merge3.ts';
import { parsePatch } from '../../review/core/parse-patch.ts';
import { comparePieces, countLines, type Piece, replay } from '../../review/core/piece.ts';
import type { RollbackPlan } from './plan-rollback.ts';

/** One file of the run, with the hunks to remove. */
export interface MergedFile {
  readonly path: ByteString;
  readonly proposed: FileImage | null;
  readonly current: FileImage | null;
  readonly hunks: readonly { readonly hunk_id: string; readonly reverse_patch: string }[];
}

const GONE = 'the file no longer exists.';
const WHOLE = 'it concerns the whole file; only the whole run can be rolled back.';
const EDITED = 'its lines have been edited since.';

/** The plan; empty if there are conflicts. */
export function planByMerge(files: readonly MergedFile[]): RollbackPlan {
  const conflicts: AgentConflict[] = [];
  const planned: RollbackPlan['files'][number][] = [];
  for (const file of files) {
    const refuse = (hunk: string | null, reason: string) =>
      conflicts.push({ file_path: displayBytes(file.path), hunk_id: hunk, reason });
    const { proposed, current } = file;
    if (proposed === null || current === null) {
      refuse(null, GONE);
      continue;
    }
    const table = lineTable(proposed.bytes);
    const pieces: Piece[] = [];
    for (const { hunk_id, reverse_patch } of file.hunks) {
      const own = piecesOf(table, reverse_patch);
      if (own === null) refuse(hunk_id, WHOLE);
      else append(pieces, own);
    }
    const reverted = lineTable(replay(table, pieces.sort(comparePieces)));
    const merged = merge3(table, lineTable(current.bytes), reverted);
    if (merged.conflicts > 0) refuse(file.hunks[0]?.hunk_id ?? null, EDITED);
    if (sameBytes(merged.text, current.bytes)) continue;
    planned.push({
      path: file.path,
      before: current,
      after: { ...current, bytes: merged.text },
      decided: current,
    });
  }
  return { decisions: new Map(), files: planned, laterHunks: 0, conflicts };
}

/** The result of a reverse patch on the proposed text; null if the patch does not fit exactly. */
function piecesOf(table: LineTable, reversePatch: string): readonly Piece[] | null {
  const bytes = new TextEncoder().encode(`--- a\n+++ b\n${reversePatch}`);
  const parsed = parsePatch(bytes);
  const hunk = parsed.ok ? parsed.value.files[0]?.hunks[0] : undefined;
  if (!parsed.ok || hunk === undefined || hunk.oldStart === null) return null;
  const body = readBody(parsed.value.bytes, hunk);
  const old = sideText(body, 'old');
  const start = hunk.oldCount === 0 ? hunk.oldStart : hunk.oldStart - 1;
  if (!sameBytes(lineRange(table, start, start + countLines(old)), old)) return null;
  return hunkPieces(body, null).map((piece) => ({
    ...piece,
    start: piece.start + start,
    end: piece.end + start,
  }));
}
