/** The version of each AI CLI whose screens and session files the rules are based on. */
import type { AI_CLIS } from '../../protocol/cli-ids.ts';

export const RECORDED_VERSIONS: Readonly<Record<(typeof AI_CLIS)[number], string>> = {
  claude: '2.1.332',
  codex: '0.171.0',
  gemini: '0.61.0',
  opencode: '1.18.33',
  pi: '1.6.0',
  aider: '0.86.2',
};
