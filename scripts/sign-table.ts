/** The signs and words of a hunk's status as a table for the Neovim plugin: both screens show the same ones. */
import { glyphOf, type HunkStatus, STATUS_WORDS } from '../src/ui/kit/tally.ts';
import { UNICODE } from '../src/ui/kit/theme/theme.ts';

/** The Lua module. */
export function signTable(): string {
  const statuses = Object.keys(STATUS_WORDS) as HunkStatus[];
  const rows = (textOf: (status: HunkStatus) => string) =>
    statuses.map((status) => `    ${status} = '${textOf(status)}',\n`).join('');
  return `--- Generated from src/ui/kit/tally.ts by "npm run docs". The signs and words of what became of a hunk.
return {
  marks = {
${rows((status) => glyphOf(status, UNICODE))}    seen = '${UNICODE.seen}',
  },
  words = {
${rows((status) => STATUS_WORDS[status])}  },
}
`;
}
