/** A session file made by a test, read as the product does: turns, their recorded edits, and what they changed. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { bytesOf } from '../../src/changes/core/file-text.ts';
import { turnChanges } from '../../src/changes/core/turn-changes.ts';
import type { FileChange, RecordedTurn, TurnChanges } from '../../src/changes/core/turn-edits.ts';
import { recordedTurns } from '../../src/changes/recorded/registry.ts';
import type { CliId } from '../../src/protocol/cli-id.ts';
import type { TranscriptRef } from '../../src/responses/transcripts/port.ts';
import { createTranscriptReaders } from '../../src/responses/transcripts/registry.ts';

export interface ReadSession {
  readonly recorded: readonly RecordedTurn[];
  readonly changes: (turn?: number) => TurnChanges;
}

/** A folder for one test; the caller removes it. */
export function scratchFolder(): string {
  return mkdtempSync(path.join(os.tmpdir(), 'copane-changes-'));
}

/** Writes a file and creates its folders. */
export function put(file: string, content: string | Uint8Array): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

/** As JSON lines. */
export function jsonLines(records: readonly object[]): string {
  return `${records.map((record) => JSON.stringify(record)).join('\n')}\n`;
}

export async function readSession(cli: CliId, file: string, sessionId = ''): Promise<ReadSession> {
  const reader = createTranscriptReaders({ isAlive: () => false }).get(cli);
  if (reader === undefined) throw new Error(`no reader for ${cli}`);
  const ref: TranscriptRef = { cli, path: file, sessionId, tie: 'folder', modifiedAt: 0 };
  const session = reader.open(ref, { withTools: true });
  const snapshot = await session.read({ turns: 500 });
  const recorded = snapshot === null ? null : await recordedTurns(snapshot, ref);
  if (recorded === null) throw new Error(session.failure() ?? 'nothing recorded');
  return {
    recorded,
    changes: (turn = recorded.length - 1) => turnChanges(recorded.slice(turn, turn + 1)),
  };
}

/** One changed file by its name, with its contents as text. */
export function told(changes: TurnChanges, name: string) {
  const file = changes.files.find((one) => path.basename(one.path) === name);
  if (file === undefined)
    throw new Error(`${name} is not among ${changes.files.map((one) => one.path).join(', ')}`);
  const text = (side: FileChange['before']) =>
    side === undefined ? undefined : Buffer.from(bytesOf(side)).toString();
  return {
    ...file,
    before: text(file.before),
    after: text(file.after),
    lines: file.hunks.flatMap(({ lines }) => lines),
  };
}
