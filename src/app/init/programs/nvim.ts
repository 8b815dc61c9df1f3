/** The Neovim plugin: a link in the package folder that Neovim loads. Edits no configuration. */
import path from 'node:path';
import type { Integration } from '../integration.ts';

export const nvim: Integration = {
  name: 'nvim',
  summary: 'pull answers into a buffer, send notes, review suggestions',
  parts: ({ env, home, root }) => [
    {
      kind: 'link',
      name: 'plugin',
      file: path.join(
        env.XDG_DATA_HOME || path.join(home, '.local/share'),
        env.NVIM_APPNAME || 'nvim',
        'site/pack/copane/start/copane',
      ),
      about: 'a package that Neovim loads at its start',
      target: path.join(root, 'nvim'),
      mark: 'lua/copane',
    },
  ],
  next: 'Restart Neovim; ":checkhealth copane" checks the set-up, ":help copane" explains the rest.',
};
