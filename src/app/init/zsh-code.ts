/** The code of `eval "$(copane init zsh)"`. */
import path from 'node:path';
import { zshInitScript } from './edit/zsh-block.ts';
import type { InitPlace } from './integration.ts';

/** Loads the zsh client of this copane. */
export function zshCode({ root }: InitPlace): string {
  return zshInitScript(path.join(root, 'shell'));
}
