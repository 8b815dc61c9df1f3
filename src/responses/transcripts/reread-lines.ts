/** The lines of a file that cannot be read from its end: reads it whole after each change. */

import type { Line } from '../../lib/line-splitter.ts';
import { errorMessage } from '../../lib/result.ts';
import { fileAt } from './files.ts';
import type { LineSource } from './jsonl-session.ts';
import type { TailStep } from './jsonl-tail.ts';

/** The result of reading the whole file. */
export interface WholeReading {
  readonly lines: readonly Line[];
  /** The last line, if it does not end in LF yet. */
  readonly pending: string | null;
  /** The lines begin where the file begins. */
  readonly complete: boolean;
  /** The file is being rewritten: the earlier lines stay valid until the next read. */
  readonly torn?: boolean;
}

/** Reads a whole file; an exception makes the file unavailable. */
export type WholeRead = (file: string) => Promise<WholeReading | { readonly unavailable: string }>;

const NOTHING: WholeReading = { lines: [], pending: null, complete: false };

export class RereadLines implements LineSource {
  readonly #path: string;
  readonly #readWhole: WholeRead;
  #seen: string | null = null;
  #last = NOTHING;
  readonly canReachBack = false;

  constructor(path: string, readWhole: WholeRead) {
    this.#path = path;
    this.#readWhole = readWhole;
  }

  get complete(): boolean {
    return this.#last.complete;
  }

  pendingText(): string | null {
    return this.#last.pending;
  }

  forget(): void {
    this.#seen = null;
  }

  back(): Promise<readonly Line[] | null> {
    return Promise.resolve([]);
  }

  async poll(): Promise<TailStep> {
    const file = await fileAt(this.#path);
    if (file === null) return { kind: 'unavailable', reason: `${this.#path} cannot be read` };
    const seen = `${file.bytes}:${file.modifiedAt}`;
    if (seen === this.#seen) return { kind: 'unchanged' };
    const read = await this.#attempt();
    if ('unavailable' in read) return { kind: 'unavailable', reason: read.unavailable };
    if (read.torn === true && this.#seen !== null) return { kind: 'unchanged' };
    this.#seen = seen;
    // The caller owns the lines now.
    this.#last = { ...read, lines: [] };
    return { kind: 'restarted', lines: read.lines };
  }

  async #attempt(): ReturnType<WholeRead> {
    try {
      return await this.#readWhole(this.#path);
    } catch (error) {
      return { unavailable: errorMessage(error) };
    }
  }
}
