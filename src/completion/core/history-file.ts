/** Reads zsh's history file in its own encoding ("metafied"), as bytes arrive. Skips what it cannot read. */

export interface HistoryEntry {
  readonly line: string;
  /** Seconds since the epoch; 0 if the file does not say. */
  readonly at: number;
}

/** An entry beyond this is a pasted document, not a command. */
export const MAX_ENTRY_BYTES = 8 * 1024;

const NEWLINE = 0x0a;
const BACKSLASH = 0x5c;
const META = 0x83;
const META_FLIP = 0x20;
const COLON = 0x3a;
const STAMP_MAX_BYTES = 48;
const EXTENDED = /^: *(\d{1,12}):\d+;/;

/** zsh escapes some bytes as 0x83 followed by the byte XOR 0x20. */
function unmetafy(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(META)) return bytes;
  const plain = new Uint8Array(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i] ?? 0;
    if (byte === META && i + 1 < bytes.length) {
      i += 1;
      plain[length] = (bytes[i] ?? 0) ^ META_FLIP;
    } else plain[length] = byte;
    length += 1;
  }
  return plain.subarray(0, length);
}

export class HistoryFileParser {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  /** The start of an entry whose end has not arrived yet. */
  #carry = new Uint8Array(0);

  push(chunk: Uint8Array): HistoryEntry[] {
    const bytes = this.#join(chunk);
    const entries: HistoryEntry[] = [];
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, end + 1)) {
      if (end > start && bytes[end - 1] === BACKSLASH) continue;
      this.#take(bytes.subarray(start, end), entries);
      start = end + 1;
    }
    const rest = bytes.subarray(start);
    // Unfinished and already too long: drop it. Its tail is then read as a separate, harmless entry.
    this.#carry = rest.length > 2 * MAX_ENTRY_BYTES ? new Uint8Array(0) : rest.slice();
    return entries;
  }

  /** Forgets an unfinished entry: the file was replaced. */
  reset(): void {
    this.#carry = new Uint8Array(0);
  }

  #join(chunk: Uint8Array): Uint8Array {
    if (this.#carry.length === 0) return chunk;
    const joined = new Uint8Array(this.#carry.length + chunk.length);
    joined.set(this.#carry);
    joined.set(chunk, this.#carry.length);
    return joined;
  }

  #take(raw: Uint8Array, entries: HistoryEntry[]): void {
    if (raw.length === 0 || raw.length > MAX_ENTRY_BYTES) return;
    // Split as bytes: a slice of a longer string would keep all of it in memory.
    const stamp =
      raw[0] === COLON ? EXTENDED.exec(String.fromCharCode(...raw.subarray(0, STAMP_MAX_BYTES))) : null;
    let text: string;
    try {
      text = this.#decoder.decode(unmetafy(stamp === null ? raw : raw.subarray(stamp[0].length)));
    } catch {
      // A command in another encoding cannot be suggested byte for byte: it is left out.
      return;
    }
    // A colon at the start would look like the start of a stamp: zsh escapes it.
    const line = trimmed((stamp === null ? text.replace(/^\\:/, ':') : text).replaceAll('\\\n', '\n'));
    if (line !== '' && !/[\u0000-\u0008\u000b-\u001f\u007f]/.test(line))
      entries.push({ line, at: Number(stamp?.[1] ?? 0) });
  }
}

/** Removes blanks at the end, except an escaped one: without it the line would end in a backslash. */
function trimmed(text: string): string {
  const line = text.trimEnd();
  return /(?<!\\)(?:\\\\)*\\$/.test(line) ? text.slice(0, line.length + 1) : line;
}
