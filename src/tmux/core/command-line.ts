/** Writes tmux commands as one line of tmux's own language, for control mode and for nested commands. */

export type TmuxCommand = readonly string[];

const PLAIN = /^[A-Za-z0-9_%@=:.,/+-]+$/;

/** One word, quoted so that tmux reads back exactly that word. Line ends and NUL have no quoted form: a defect. */
export function quoteWord(word: string): string {
  if (/[\r\n\0]/.test(word)) throw new Error('a tmux command line cannot contain a line break');
  if (PLAIN.test(word)) return word;
  return `'${word.replaceAll("'", `'"'"'`)}'`;
}

/** Commands in order, as one line; a failing one ends the line. */
export function formatCommandLine(commands: readonly TmuxCommand[]): string {
  return commands.map((command) => command.map(quoteWord).join(' ')).join(' ; ');
}

/** The same as an argument list: `;` separates commands, and is escaped at the end of a word (tmux splits there). */
export function formatArgv(commands: readonly TmuxCommand[]): readonly string[] {
  const words = commands.map((command) => command.map((word) => word.replace(/;$/, '\\;')));
  return words.flatMap((command, index) => (index === 0 ? command : [';', ...command]));
}
