/** The feedback log: one JSON line a decision, whole lines only, for people and for tools that learn from them. */
import { appendFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage, fail, ok, type Result } from '../../lib/result.ts';
import type { DecisionEntry } from '../../protocol/review.ts';

export class FeedbackLog {
  readonly #file: string;
  /** One write after the other. Several processes may append: whole lines go to the end of the file in one write. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(file: string) {
    this.#file = file;
  }

  /** Appends decisions, in one write. */
  append(entries: readonly DecisionEntry[]): Promise<Result<void>> {
    const next = this.#queue.then(() => this.#append(entries));
    this.#queue = next;
    return next;
  }

  async #append(entries: readonly DecisionEntry[]): Promise<Result<void>> {
    const lines = entries.map((entry) => `${JSON.stringify(lineOf(entry))}\n`);
    try {
      await mkdir(path.dirname(this.#file), { recursive: true, mode: 0o700 });
      await appendFile(this.#file, lines.join(''), { mode: 0o600 });
      return ok(undefined);
    } catch (thrown) {
      return fail('internal', `The feedback log ${this.#file} cannot be written (${errorMessage(thrown)}).`);
    }
  }
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
    applied: entry.applied,
  };
}
