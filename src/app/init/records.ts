/** Records of what `copane init` did, one per program, with a backup of every edited file, restored if untouched. */
import { createHash } from 'node:crypto';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { errorMessage, fail, ok, type Result } from '../../lib/result.ts';
import { ensurePrivateFolder } from '../../platform/private-files.ts';
import { readRegularSync } from '../../platform/regular-file.ts';

/** Limit of a record and of a backed-up configuration. */
const RECORD_MAX_BYTES = 16 * 1024 * 1024;

const recordSchema = z.strictObject({
  version: z.literal(1),
  parts: z.array(z.string()),
  files: z.array(
    z.strictObject({
      file: z.string(),
      /** The name of the backup beside this record; null if there was no file. */
      backup: z.string().nullable(),
      /** SHA-256 of the text we wrote. */
      written: z.string(),
    }),
  ),
  /** Folders we created, outermost first. */
  folders: z.array(z.string()),
});
export type InitRecord = z.infer<typeof recordSchema>;
export type FileRecord = InitRecord['files'][number];

export const NO_RECORD: InitRecord = { version: 1, parts: [], files: [], folders: [] };

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

export class InitRecords {
  readonly #folder: string;

  constructor(stateDir: string) {
    this.#folder = path.join(stateDir, 'init');
  }

  /** Reads the record of a program; an empty one if it is missing or unreadable. */
  read(name: string): InitRecord {
    try {
      const text = String(readRegularSync(this.#fileOf(name), { maxBytes: RECORD_MAX_BYTES }));
      return recordSchema.safeParse(JSON.parse(text)).data ?? NO_RECORD;
    } catch (thrown) {
      if (thrown instanceof SyntaxError || (thrown as NodeJS.ErrnoException).code !== undefined)
        return NO_RECORD;
      throw thrown;
    }
  }

  backupOf({ backup }: FileRecord): string | null | undefined {
    if (backup === null) return null;
    const file = path.join(this.#folder, backup);
    return existsSync(file) ? String(readRegularSync(file, { maxBytes: RECORD_MAX_BYTES })) : undefined;
  }

  /** Writes a record and its backups; deletes backups that no record names. */
  write(name: string, record: InitRecord, backups: ReadonlyMap<string, string>): Result<void> {
    try {
      ensurePrivateFolder(this.#folder);
      const old = this.read(name).files.flatMap(({ backup }) => backup ?? []);
      for (const [file, text] of backups) this.#put(path.join(this.#folder, file), text);
      if (record.files.length === 0 && record.parts.length === 0) rmSync(this.#fileOf(name), { force: true });
      else this.#put(this.#fileOf(name), `${JSON.stringify(record, null, 2)}\n`);
      const kept = new Set(record.files.map(({ backup }) => backup));
      for (const file of old) if (!kept.has(file)) rmSync(path.join(this.#folder, file), { force: true });
      return ok(undefined);
    } catch (thrown) {
      return fail('refused', `nothing was changed, because no copy can be kept: ${errorMessage(thrown)}`);
    }
  }

  #fileOf(name: string): string {
    return path.join(this.#folder, `${name}.json`);
  }

  #put(file: string, text: string): void {
    const temporary = `${file}.${process.pid}`;
    writeFileSync(temporary, text, { mode: 0o600 });
    renameSync(temporary, file);
  }
}
