/** Writes tmux commands as one line of tmux's own language, for control mode and for nested commands. */

export type TmuxCommand = readonly string[];

const PLAIN = /^[A-Za-z0-9_%@=:.,/+-]+$/;

/** One word, quoted so that tmux reads back exactly it. Line ends and NUL cannot be written on a line: they are a defect. */
export function quoteWord(word: string): string {
  if (/[\r\n\0]/.test(word)) throw new Error('a tmux command line cannot contain a line break');
  if (PLAIN.test(word)) return word;
  return `'${word.replaceAll("'", `'"'"'`)}'`;
}

/** Commands in order, as one line; a failing one ends the line. */
export function formatCommandLine(commands: readonly TmuxCommand[]): string {
  return commands.map((command) => command.map(quoteWord).join(' ')).join(' ; ');
}

/** The same as words of a process: `;` stands between commands, and one that ends a word is escaped (tmux would cut there). */
export function formatArgv(commands: readonly TmuxCommand[]): readonly string[] {
  const words = commands.map((command) => command.map((word) => word.replace(/;$/, '\\;')));
  return words.flatMap((command, index) => (index === 0 ? command : [';', ...command]));
}
