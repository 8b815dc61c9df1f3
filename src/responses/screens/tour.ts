/** How the tour's scripted AI draws: a rule and an input line at the end, both gone while it answers. */
import type { ScreenReading } from '../../protocol/screen.ts';
import type { Screen, ScreenRules } from './port.ts';
import { composerOf, findUp, isRule, readingOf, trimBlankLines, trimmedRows } from './shared.ts';
import type { Unwrapped } from './unwrap.ts';

const INPUT_GUTTER_CELLS = 2;

function read(screen: Screen): ScreenReading {
  const rows = trimmedRows(screen);
  const rule = findUp(rows, rows.length - 1, isRule);
  const input = rows.slice(rule + 1).map(({ text }) => text);
  if (rule < 0 || input[0]?.startsWith('❯') !== true) return readingOf('working', { kind: 'absent' });
  return readingOf('idle', composerOf(input.map((line) => line.slice(INPUT_GUTTER_CELLS))));
}

function extract(lines: readonly string[]): Unwrapped {
  const rule = lines.findLastIndex(isRule);
  // The next step is above the rule, in a separate paragraph.
  const next = lines.slice(0, rule + 1).findLastIndex((line) => line.trim() === '');
  return { lines: trimBlankLines(next < 0 ? lines : lines.slice(0, next)), reflowed: false };
}

export const tourScreen: ScreenRules = { read, extract };
