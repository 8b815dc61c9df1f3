/** The feedback log: one whole JSON line per decision, for people and for tools that learn from them. */
import { existsSync } from 'node:fs';
import { mkdir, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage, fail, ok, type Result } from '../../lib/result.ts';
import { appendRegular } from '../../platform/regular-file.ts';
import { Slices } from '../../platform/slices.ts';
import type { DecisionEntry } from '../../protocol/review.ts';

/** A larger file is rotated. With the previous one, at most twice as much is kept. */
export const FEEDBACK_MAX_BYTES = 16 * 1024 * 1024;

export class FeedbackLog {
  readonly #file: string;
  readonly #maxBytes: number;
  /** One write at a time. Several processes may append: each write adds whole lines. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(file: string, maxBytes: number = FEEDBACK_MAX_BYTES) {
    this.#file = file;
    this.#maxBytes = maxBytes;
  }

  append(entries: readonly DecisionEntry[]): Promise<Result<void>> {
    const next = this.#queue.then(() => this.#append(entries));
    this.#queue = next;
    return next;
  }

  async #append(entries: readonly DecisionEntry[]): Promise<Result<void>> {
    const lines: string[] = [];
    const slices = new Slices();
    for (const entry of entries) {
      lines.push(`${JSON.stringify(lineOf(entry))}\n`);
      await slices.pause();
    }
    try {
      await mkdir(path.dirname(this.#file), { recursive: true, mode: 0o700 });
      await turnOver(this.#file, this.#maxBytes);
      await appendRegular(this.#file, lines.join(''));
      return ok(undefined);
    } catch (thrown) {
      return fail('internal', `The feedback log ${this.#file} cannot be written (${errorMessage(thrown)}).`);
    }
  }
}

/** Renames a full file to `.1`, replacing the previous one. */
async function turnOver(file: string, maxBytes: number): Promise<void> {
  const size = existsSync(file) ? (await stat(file)).size : 0;
  if (size > maxBytes) await rename(file, `${file}.1`);
}

function lineOf(entry: DecisionEntry) {
  return {
    timestamp: new Date(entry.ts).toISOString(),
    suggestion_id: entry.suggestion,
    hunk_id: entry.hunk,
    file: entry.file,
    action: entry.action,
    original_diff: entry.originalDiff,
    modified_diff: entry.modifiedDiff,
    comment: entry.comment,
    lines: entry.lines,
    file_lines: entry.place,
    applied: entry.applied,
  };
}
