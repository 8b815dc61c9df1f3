/** What a line of aider's history tells of files: commits, edits, commands, what was undone. Pure. */
import { asString } from './json.ts';
import type { ToolFact } from './tool-facts.ts';

/** How each kind of line begins; its rest is the value. */
const LINES: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['dirty', /^> Committing (.+) before applying edits\. {0,2}$/],
  ['commit', /^> Commit ([0-9a-f]{7,40}) /],
  ['edit', /^> Applied edit to (.+?) {0,2}$/],
  ['refused', /^> Skipping edits to (.+?) {0,2}$/],
  ['failed', /^> # (\d+) SEARCH\/REPLACE blocks? failed to match/],
  ['command', /^> Running (.+?) {0,2}$/],
  ['undone', /^> Removed: ([0-9a-f]{7,40}) /],
];

/**
 * Empty for every other line. A line of the program's own ends in two blanks; a commit whose message has several lines
 * does not, and may be a line of the answer as well: it is not `isWhole`.
 */
export function aiderFacts(value: unknown): readonly ToolFact[] {
  const line = asString(value) ?? '';
  for (const [name, pattern] of LINES) {
    const [, rest] = pattern.exec(line) ?? [];
    if (rest !== undefined)
      return [{ kind: 'mark', id: '', name, at: null, value: { rest, isWhole: line.endsWith('  ') } }];
  }
  return [];
}
