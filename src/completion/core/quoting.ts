/** Quotes names for a command line, and removes the quoting again. */

/** `text` as the shell reads it, without its backslashes and quotes. */
export const unquoted = (text: string): string => text.replace(/\\(.)|["']/g, '$1');

/** A name as written in the word: escaped outside quotes, unchanged inside. */
export function quoteRest(name: string, quote = ''): string {
  if (quote === "'") return name.replaceAll("'", "'\\''");
  // Double quotes do not stop history expansion.
  if (quote === '"') return name.replace(/["\\$`!]/g, '\\$&');
  // zsh expands `=NAME` to the path of a program.
  return name.replace(/^=|[\s"'\\$`!#&*()|;<>?[\]{}~^]/g, '\\$&');
}
