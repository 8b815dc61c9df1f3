/**
 * Takes the words for the user out of a JSON answer while it still comes, so that nobody watches braces. An answer
 * that is not JSON goes through as it is. Sans I/O.
 */

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

export class MessageStream {
  #text = '';
  /** Where in `#text` the words begin; null while that is unknown. */
  #at: number | null = null;
  #isProse = false;
  #isOver = false;

  /** Takes a piece; gives the words that it completes. */
  push(piece: string): string {
    if (this.#isProse) return piece;
    this.#text += piece;
    if (this.#isOver) return '';
    const start = this.#text.trimStart();
    if (start !== '' && !/^[{`]/.test(start)) {
      this.#isProse = true;
      return this.#text;
    }
    this.#at ??= this.#findWords();
    return this.#at === null ? '' : this.#takeWords(this.#at);
  }

  #findWords(): number | null {
    const found = /"message"\s*:\s*"/.exec(this.#text);
    return found === null ? null : found.index + found[0].length;
  }

  #takeWords(from: number): string {
    let at = from;
    let words = '';
    while (at < this.#text.length) {
      const character = this.#text.charAt(at);
      if (character === '"') {
        this.#isOver = true;
        break;
      }
      const width = character === '\\' ? (this.#text.charAt(at + 1) === 'u' ? 6 : 2) : 1;
      // The rest of an escape may come with the next piece.
      if (at + width > this.#text.length) break;
      words += width === 1 ? character : unescaped(this.#text.slice(at + 1, at + width));
      at += width;
    }
    this.#at = at;
    return words;
  }
}

function unescaped(sequence: string): string {
  const [kind = ''] = sequence;
  if (kind !== 'u') return ESCAPES[kind] ?? kind;
  const code = Number.parseInt(sequence.slice(1), 16);
  return Number.isNaN(code) ? '' : String.fromCharCode(code);
}
