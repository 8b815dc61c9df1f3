/** The code that loads the zsh client: printed for `eval "$(copane init zsh)"`, and written into .zshrc. */
import path from 'node:path';
import type { InitPlace } from './integration.ts';

/** A word that zsh and sh read as it is. */
export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Loads the zsh client of this copane. Silent when copane was moved away. */
export function zshCode({ root }: Pick<InitPlace, 'root'>): string {
  const file = shellQuote(path.join(root, 'shell/ashlet.zsh'));
  return `[[ -r ${file} ]] && source ${file}\n`;
}
