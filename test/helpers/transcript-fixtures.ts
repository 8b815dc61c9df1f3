/** The recorded sessions of the real AI CLIs, laid out as the readers expect them. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { CliId } from '../../src/protocol/cli-id.ts';
import type { TranscriptPlace } from '../../src/responses/transcripts/port.ts';
import type { ExpectedTurn } from './transcript-cases.ts';
import { FIXTURE_PROJECT, FIXTURES } from './transcript-recorder.ts';

export interface RecordedSession {
  /** `claude-2.1.332/cases` */
  readonly name: string;
  readonly cli: CliId;
  readonly scenario: string;
  readonly folder: string;
  readonly expected: readonly ExpectedTurn[];
}

/** Every recording in the repository. */
export function recordedSessions(): readonly RecordedSession[] {
  return readdirSync(FIXTURES)
    .sort()
    .flatMap((client) =>
      readdirSync(path.join(FIXTURES, client)).map((scenario): RecordedSession => {
        const folder = path.join(FIXTURES, client, scenario);
        const expected = JSON.parse(
          readFileSync(path.join(folder, 'expected.json'), 'utf8'),
        ) as ExpectedTurn[];
        const cli = client.replace(/(-old)?-[\d.]+$/, '') as CliId;
        return { name: `${client}/${scenario}`, cli, scenario, folder, expected };
      }),
    );
}

/** Where a reader finds the recording. `scratch` takes what cannot be read in place (a database). */
export function placeOf(recording: RecordedSession, scratch: string): TranscriptPlace {
  const dump = path.join(recording.folder, 'opencode.json');
  const home = path.join(recording.folder, 'home');
  const env: Record<string, string> = { HOME: existsSync(home) ? home : scratch };
  if (existsSync(dump)) {
    restoreDatabase(dump, path.join(scratch, '.local/share/opencode/opencode.db'));
    env.HOME = scratch;
  }
  const history = path.join(recording.folder, 'history.md');
  if (existsSync(history)) env.AIDER_CHAT_HISTORY_FILE = history;
  return { cwd: FIXTURE_PROJECT, pid: null, env };
}

interface DumpedTable {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, SQLInputValue>>[];
}

/** A database with the dumped tables. */
function restoreDatabase(dump: string, file: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, '');
  const database = new DatabaseSync(file);
  for (const { table, columns, rows } of JSON.parse(readFileSync(dump, 'utf8')) as DumpedTable[]) {
    database.exec(`CREATE TABLE ${table} (${columns.join(', ')})`);
    const insert = database.prepare(`INSERT INTO ${table} VALUES (${columns.map(() => '?').join(', ')})`);
    for (const row of rows) insert.run(...columns.map((column) => row[column] ?? null));
  }
  database.close();
}
