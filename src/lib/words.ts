/** Splits a command setting (`$EDITOR`) into words, with quotes and backslashes as in a shell; expands nothing. */

const WORD = /(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs;

/** The words of `text`: `code --wait "my file"` → `code`, `--wait`, `my file`. */
export const splitWords = (text: string): string[] => (text.match(WORD) ?? []).map(unquote);

function unquote(word: string): string {
  return word.replace(
    /\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'/gs,
    (_whole, escaped?: string, double?: string, single?: string) => {
      if (escaped !== undefined) return escaped;
      return double !== undefined ? double.replace(/\\(["\\$`])/g, '$1') : (single ?? '');
    },
  );
}
