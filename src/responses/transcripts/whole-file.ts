/** A session that is one JSON document, rewritten as a whole: read again when it changed, as one line. */
import { fileAt, smallFile } from './files.ts';
import { parseJson } from './json.ts';
import type { LineSource } from './jsonl-session.ts';
import type { TailStep } from './jsonl-tail.ts';
import type { Line } from './line-splitter.ts';

/** A larger document is left to the screen. */
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

export class WholeFile implements LineSource {
  readonly #path: string;
  #seen = '';
  readonly complete = true;
  readonly canReachBack = false;

  constructor(path: string) {
    this.#path = path;
  }

  pendingText(): string | null {
    return null;
  }

  forget(): void {
    this.#seen = '';
  }

  back(): Promise<readonly Line[] | null> {
    return Promise.resolve([]);
  }

  async poll(): Promise<TailStep> {
    const file = await fileAt(this.#path);
    if (file === null) return { kind: 'unavailable', reason: `${this.#path} cannot be read` };
    const seen = `${file.bytes}:${file.modifiedAt}`;
    if (seen === this.#seen) return { kind: 'unchanged' };
    const text = await smallFile(this.#path, MAX_DOCUMENT_BYTES);
    if (text === null) return { kind: 'unavailable', reason: `${this.#path} is too large or cannot be read` };
    // Caught in the middle of being rewritten: what was read before stands until the next look.
    if (parseJson(text) === undefined && this.#seen !== '') return { kind: 'unchanged' };
    this.#seen = seen;
    return { kind: 'restarted', lines: [{ kind: 'line', text }] };
  }
}
