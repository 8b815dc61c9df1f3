/** Records where commands ran and how they ended, which zsh's history does not. JSON lines, mode 0600, bounded. */

import { appendFile, mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { parseJson } from '../lib/parse-json.ts';
import { readTextOf } from '../platform/regular-file.ts';
import type { Executed } from './core/suggestion.ts';

const entrySchema = z.object({
  l: z.string(),
  d: z.string(),
  s: z.string().default(''),
  t: z.number(),
  e: z.number().nullable().default(null),
});
const forgottenSchema = z.object({ forget: z.string() });

/** Above this size the next start drops the older half. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Above this size, which only a journal that was never halved reaches, nothing is read. */
const READ_MAX_BYTES = 16 * MAX_BYTES;
const FILE_MODE = 0o600;

export interface JournalContents {
  readonly commands: readonly Executed[];
  readonly forgotten: readonly string[];
}

export class Journal {
  readonly #file: string;
  /** Writes in turn; a failed write loses only its record. */
  #tail: Promise<void> = Promise.resolve();
  readonly #onError: (error: unknown) => void;

  constructor(options: { readonly file: string; readonly onError: (error: unknown) => void }) {
    this.#file = options.file;
    this.#onError = options.onError;
  }

  /** Everything recorded, oldest first. */
  async load(): Promise<JournalContents> {
    const text = await readTextOf(this.#file, READ_MAX_BYTES);
    const commands: Executed[] = [];
    const forgotten: string[] = [];
    for (const line of text.split('\n')) {
      const value = parseLine(line);
      if (value === null) continue;
      if ('forget' in value) forgotten.push(value.forget);
      else commands.push({ line: value.l, cwd: value.d, session: value.s, at: value.t, exit: value.e });
    }
    if (text.length > MAX_BYTES) {
      const half = text.slice(text.indexOf('\n', text.length / 2) + 1);
      await this.#inOrder(() => this.#replace(half));
    }
    return { commands, forgotten };
  }

  append(command: Executed): void {
    this.#write({ l: command.line, d: command.cwd, s: command.session, t: command.at, e: command.exit });
  }

  forget(line: string): void {
    this.#write({ forget: line });
  }

  /** Keeps only commands whose line passes `isKept`, and forgotten lines that pass `isWritten`. */
  async retain(isKept: (line: string) => boolean, isWritten: (line: string) => boolean): Promise<void> {
    await this.#inOrder(async () => {
      const text = await readTextOf(this.#file, READ_MAX_BYTES);
      const lines = text.split('\n').filter((line) => {
        const value = parseLine(line);
        return value !== null && ('forget' in value ? isWritten(value.forget) : isKept(value.l));
      });
      const kept = lines.map((line) => `${line}\n`).join('');
      if (kept !== text) await this.#replace(kept);
    });
  }

  /** Resolves when all is written. */
  async flush(): Promise<void> {
    await this.#tail;
  }

  #write(value: unknown): void {
    void this.#inOrder(async () => {
      await mkdir(path.dirname(this.#file), { recursive: true, mode: 0o700 });
      await appendFile(this.#file, `${JSON.stringify(value)}\n`, { mode: FILE_MODE });
    });
  }

  #inOrder(write: () => Promise<void>): Promise<void> {
    this.#tail = this.#tail.then(write).catch(this.#onError);
    return this.#tail;
  }

  async #replace(text: string): Promise<void> {
    const fresh = `${this.#file}.new`;
    await writeFile(fresh, text, { mode: FILE_MODE });
    await rename(fresh, this.#file);
  }
}

function parseLine(line: string): z.output<typeof entrySchema> | z.output<typeof forgottenSchema> | null {
  // Undefined for a line that a full disk cut short.
  const value = parseJson(line);
  const forgotten = forgottenSchema.safeParse(value);
  if (forgotten.success) return forgotten.data;
  const entry = entrySchema.safeParse(value);
  return entry.success ? entry.data : null;
}
