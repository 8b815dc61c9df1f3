/** The rules of `src/lib/hidden-text.ts` as a table of code points for the Neovim plugin: Lua knows no properties. */
import { FLAGS, HIDDEN_CLASS, JOIN_RULES } from '../src/lib/hidden-text.ts';

const LAST_CODE_POINT = 0x10ffff;
const NUMBERS_PER_LINE = 12;

/** First and last code points of each run that the class matches, in one ascending list. */
function rangesOf(inside: string): readonly number[] {
  const matcher = new RegExp(`^[${inside}]$`, 'v');
  const ranges: number[] = [];
  let isIn = false;
  for (let codePoint = 0; codePoint <= LAST_CODE_POINT; codePoint += 1) {
    const matches = matcher.test(String.fromCodePoint(codePoint));
    if (matches && !isIn) ranges.push(codePoint);
    if (!matches && isIn) ranges.push(codePoint - 1);
    isIn = matches;
  }
  if (isIn) ranges.push(LAST_CODE_POINT);
  return ranges;
}

function listOf(numbers: readonly number[], indent: string): string {
  const lines: string[] = [];
  for (let at = 0; at < numbers.length; at += NUMBERS_PER_LINE) {
    lines.push(`${indent}  ${numbers.slice(at, at + NUMBERS_PER_LINE).join(', ')},\n`);
  }
  return `{\n${lines.join('')}${indent}}`;
}

/** The Lua module. */
export function hiddenTable(): string {
  const classes = [...new Set(JOIN_RULES.flatMap(({ of, after, before }) => [of, after, before]))].filter(
    (inside) => inside !== null,
  );
  const at = (inside: string | null) => (inside === null ? 'nil' : `classes[${classes.indexOf(inside) + 1}]`);
  const rules = JOIN_RULES.map(
    ({ of, after, before }) => `  { of = ${at(of)}, after = ${at(after)}, before = ${at(before)} },\n`,
  );
  const flags = FLAGS.map((flag) => `  '${flag}',\n`);
  return `--- Generated from src/lib/hidden-text.ts by "npm run docs". Code points that a reader does not see, as first and last of
--- each run, and between which neighbours they stay as they are.
local M = {}

M.hidden = ${listOf(rangesOf(HIDDEN_CLASS), '')}

local classes = {
${classes.map((inside) => `  ${listOf(rangesOf(inside), '  ')},\n`).join('')}}

M.rules = {
${rules.join('')}}

M.flags = {
${flags.join('')}}

return M
`;
}
