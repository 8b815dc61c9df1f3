/** Every program that copane can set up. To add one, add a file in `programs/` and a line here. */
import type { Integration } from './integration.ts';
import { claude } from './programs/claude.ts';
import { codex } from './programs/codex.ts';
import { gemini } from './programs/gemini.ts';
import { nvim } from './programs/nvim.ts';
import { opencode } from './programs/opencode.ts';
import { pi } from './programs/pi.ts';
import { tmux } from './programs/tmux.ts';
import { zsh } from './programs/zsh.ts';

export const INTEGRATIONS: readonly Integration[] = [tmux, zsh, nvim, claude, codex, gemini, opencode, pi];
