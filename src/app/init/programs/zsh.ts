/** The zsh client: one marked block at the end of .zshrc. */
import path from 'node:path';
import { blockPart } from '../edit/block-part.ts';
import type { Integration } from '../integration.ts';
import { zshCode } from '../zsh-code.ts';

/** Loads the client directly: running copane to get the code would slow down every shell start. */
const ABOUT = '# Completions below the prompt. "copane init zsh --remove" takes these lines out.\n';

export const zsh: Integration = {
  name: 'zsh',
  summary: 'completions below the prompt of the shell',
  parts: ({ env, home, root }) => [
    blockPart({
      name: 'shell',
      file: path.join(env.ZDOTDIR || home, '.zshrc'),
      about: 'loads the client that completes below the prompt',
      lines: `${ABOUT}${zshCode({ root })}`,
    }),
  ],
  next: 'Open a new shell, or run "exec zsh".',
};
