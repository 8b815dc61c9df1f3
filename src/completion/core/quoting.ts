/** Names as they must stand in a command line, and back. */

/** `text` as the shell reads it, without its backslashes and quotes. `quote`: it stands inside of one. */
export function unquoted(text: string, quote = ''): string {
  if (quote === "'") return text;
  return quote === '"' ? text.replace(/\\(["\\$`])/g, '$1') : text.replace(/\\(.)|["']/g, '$1');
}

/** A name as it must stand in the word: escaped outside quotes, as it is inside. */
export function quoteRest(name: string, quote = ''): string {
  if (quote === "'") return name.replaceAll("'", "'\\''");
  // History expansion is not stopped by double quotes.
  if (quote === '"') return name.replace(/["\\$`!]/g, '\\$&');
  // zsh takes the name of a program behind a leading `=` for its path.
  return name.replace(/^=|[\s"'\\$`!#&*()|;<>?[\]{}~^]/g, '\\$&');
}
