/**
 * Reads what ripgrep prints with `--null --line-number --only-matching --replace ''`: `PATH NUL LINE : LF` for each
 * match and nothing of its text, so that a match in a line of 10 MB costs nothing. Sans I/O.
 */

const NUL = 0;
const LF = 0x0a;

/** Keep no more than this of one record; paths are shorter. */
const RECORD_MAX_BYTES = 16 * 1024;

/** Lines that matched, by path as ripgrep gave it. */
export class MatchStream {
  readonly files = new Map<string, number[]>();
  readonly #maxMatches: number;
  #rest: Buffer = Buffer.alloc(0);
  #matches = 0;

  constructor(maxMatches: number) {
    this.#maxMatches = maxMatches;
  }

  get overflowed(): boolean {
    return this.#matches >= this.#maxMatches;
  }

  /** Takes output; false once there are more matches than wanted. */
  push(chunk: Buffer): boolean {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const nul = bytes.indexOf(NUL);
      const end = nul === -1 ? -1 : bytes.indexOf(LF, nul);
      if (end === -1) break;
      this.#add(bytes.toString('utf8', 0, nul), bytes.toString('latin1', nul + 1, end));
      bytes = bytes.subarray(end + 1);
      if (this.overflowed) return false;
    }
    this.#rest = Buffer.from(bytes.length > RECORD_MAX_BYTES ? Buffer.alloc(0) : bytes);
    return true;
  }

  #add(path: string, rest: string): void {
    const line = /^(\d+):/.exec(rest)?.[1];
    if (line === undefined) return;
    const number = Number(line);
    const lines = this.files.get(path);
    if (lines === undefined) this.files.set(path, [number]);
    else if (lines.at(-1) !== number) lines.push(number);
    else return;
    this.#matches += 1;
  }
}
