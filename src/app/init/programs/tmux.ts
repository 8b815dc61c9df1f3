/** tmux: keys for the companion and AI states in the status line, through the plugin that TPM also loads. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { blockPart } from '../edit/block-part.ts';
import type { InitPlace, Integration } from '../integration.ts';
import { shellQuote } from '../zsh-code.ts';

/** The existing file; tmux reads both, this order first. */
function configFile({ env, home }: InitPlace): string {
  const plain = path.join(home, '.tmux.conf');
  const xdg = path.join(env.XDG_CONFIG_HOME || path.join(home, '.config'), 'tmux/tmux.conf');
  return !existsSync(plain) && existsSync(xdg) ? xdg : plain;
}

/** Single-quotes a word for tmux, which has no escapes inside quotes but joins adjacent words. */
const tmuxQuote = (text: string): string => `'${text.replaceAll("'", `'"'"'`)}'`;

function lines({ root }: InitPlace): string {
  return [
    '# prefix a: the companion over the window; prefix A: beside the AI; prefix Alt+a: to the AI that waits for you.',
    '# Status line: what every AI pane does. Other keys: set -g @copane-popup-key, -split-key, -jump-key above this',
    '# (an empty one binds nothing), and @copane-status off. "copane init tmux --remove" takes these lines out.',
    `run-shell ${tmuxQuote(shellQuote(path.join(root, 'copane.tmux')))}`,
    '',
  ].join('\n');
}

export const tmux: Integration = {
  name: 'tmux',
  summary: 'a key that opens the companion, and the states of the AIs in the status line',
  parts: (place) => [
    blockPart({
      name: 'keys',
      file: configFile(place),
      about: 'binds keys that are free, and adds a word to the status line',
      lines: lines(place),
    }),
  ],
  next: 'Run "tmux source-file" with that file, or restart tmux; then prefix a opens the companion.',
};
