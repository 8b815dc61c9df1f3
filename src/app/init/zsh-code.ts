/** The code that loads the zsh client, for `eval "$(copane init zsh)"` and for .zshrc. */
import path from 'node:path';
import type { InitPlace } from './integration.ts';

/** Quotes a word for zsh and sh. */
export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Loads the zsh client of this copane. Silent if copane was moved away. */
export function zshCode({ root }: Pick<InitPlace, 'root'>): string {
  const file = shellQuote(path.join(root, 'shell/ashlet.zsh'));
  return `[[ -r ${file} ]] && source ${file}\n`;
}
