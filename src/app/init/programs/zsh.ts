/** The zsh client: one marked block at the end of .zshrc. */
import path from 'node:path';
import { ok } from '../../../lib/result.ts';
import { addZshBlock, hasZshBlock, removeZshBlock } from '../edit/zsh-block.ts';
import type { Integration } from '../integration.ts';

export const zsh: Integration = {
  name: 'zsh',
  summary: 'completions below the prompt of the shell',
  parts: ({ env, home, root }) => [
    {
      kind: 'file',
      name: 'shell',
      file: path.join(env.ZDOTDIR || home, '.zshrc'),
      about: 'loads the client that completes below the prompt',
      add: (text) => ok(addZshBlock(text ?? '', path.join(root, 'shell'))),
      remove: (text, original) => {
        const rest = removeZshBlock(text);
        return ok(rest === '' && original === null ? null : rest);
      },
      isIn: hasZshBlock,
    },
  ],
  next: 'Open a new shell, or run "exec zsh".',
};
