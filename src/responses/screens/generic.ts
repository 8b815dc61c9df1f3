/**
 * A program that copane does not know: it works by markers. No chrome is known, so none is removed, and no state
 * is claimed; what follows the prompt is the answer, but for a shell's prompt or an empty input line at the very end.
 */
import type { Screen, ScreenRules } from './port.ts';
import { readingOf, trimBlankLines } from './shared.ts';

/** `user@host:~/dir$`, `[user@host dir]#`: unmistakably a shell that waits. A bare `$` or `%` may be the answer's. */
const SHELL_PROMPT = /^(?:\([\w.-]+\) )?\[?[\w.-]+@[\w.-]+[: ][^\n]*[$#%]$/;

/** A sign that prompts and nothing else draws, alone on its line: an empty input line. */
const EMPTY_INPUT = /^[❯›➜»]$/;

const isPrompt = (line: string): boolean => SHELL_PROMPT.test(line) || EMPTY_INPUT.test(line.trim());

function extract(lines: readonly string[]): { lines: readonly string[]; reflowed: boolean } {
  const text = trimBlankLines(lines);
  const last = text.at(-1) ?? '';
  return {
    lines: isPrompt(last) ? trimBlankLines(text.slice(0, -1)) : text,
    reflowed: false,
  };
}

export const genericScreen: ScreenRules = {
  cli: 'generic',
  read: (_screen: Screen) => readingOf('unknown', { kind: 'absent' }),
  extract: (lines) => extract(lines),
};
