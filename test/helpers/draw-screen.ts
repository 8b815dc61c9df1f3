/** Screens as drawn, from their rows. */

import type { Screen } from '../../src/responses/screens/port.ts';
import { parseStyledRows } from '../../src/tmux/core/sgr.ts';

export const RULE = '─'.repeat(60);

/** A screen of 60 cells with these rows, which may hold SGR. */
export function screenOf(rows: readonly string[], more: Partial<Screen> = {}): Screen {
  return {
    rows: parseStyledRows(rows.join('\n')),
    title: '',
    width: 60,
    cursorRow: null,
    ...more,
  };
}

/** Claude Code's box with one row of input, and the rows above and below it. */
export function claudeScreen(
  above: readonly string[],
  input: string,
  below: readonly string[] = ['  ? for shortcuts'],
) {
  return screenOf([...above, '', RULE, input, RULE, ...below]);
}
