/** The feedback log: one JSON line a decision, whole lines only, for people and for tools that learn from them. */
import { appendFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage, fail, ok, type Result } from '../lib/result.ts';
import type { DecisionEntry } from '../protocol/review.ts';

export class FeedbackLog {
  readonly #file: string;
  /** One line after the other. Several processes may append: each line is one write at the end of the file. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(file: string) {
    this.#file = file;
  }

  /** Appends one decision. */
  append(entry: DecisionEntry): Promise<Result<void>> {
    const next = this.#queue.then(() => this.#append(entry));
    this.#queue = next;
    return next;
  }

  async #append(entry: DecisionEntry): Promise<Result<void>> {
    const line = {
      timestamp: new Date(entry.ts).toISOString(),
      suggestion_id: entry.suggestion,
      hunk_id: entry.hunk,
      file: entry.file,
      action: entry.action,
      original_diff: entry.originalDiff,
      modified_diff: entry.modifiedDiff,
      comment: entry.comment,
      applied: entry.applied,
    };
    try {
      await mkdir(path.dirname(this.#file), { recursive: true, mode: 0o700 });
      await appendFile(this.#file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
      return ok(undefined);
    } catch (thrown) {
      return fail('internal', `The feedback log ${this.#file} cannot be written (${errorMessage(thrown)}).`);
    }
  }
}
