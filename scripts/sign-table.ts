/** The Review screen's terms, as a table for the Neovim plugin: statuses, filters, and the reviews that it starts. */
import { rowPlainText } from '../src/ui/kit/row.ts';
import { glyphOf, type HunkStatus, STATUS_WORDS } from '../src/ui/kit/tally.ts';
import { UNICODE } from '../src/ui/kit/theme/theme.ts';
import { FILTER_WORDS } from '../src/ui/review/look-commands.ts';
import { startRows } from '../src/ui/review/start-menu.ts';

/** Their names in `:Copane review`, in the order of the menu. */
const START_NAMES = ['working-tree', 'staged', 'unstaged', 'turn', 'branch'];

/** The Lua module. */
export function signTable(): string {
  const statuses = Object.keys(STATUS_WORDS) as HunkStatus[];
  const rows = (textOf: (status: HunkStatus) => string) =>
    statuses.map((status) => `    ${status} = '${textOf(status)}',\n`).join('');
  const filters = Object.entries(FILTER_WORDS).map(([name, words]) => `    { '${name}', '${words}' },\n`);
  const starts = startRows().map(({ left, right }, at) => {
    const options = rowPlainText(right)
      .split(' ')
      .slice(2)
      .map((word) => `'${word}'`);
    return `    { name = '${START_NAMES[at]}', words = '${rowPlainText(left)}', args = { ${options.join(', ')} } },\n`;
  });
  return `--- Generated from src/ui by "npm run docs". The signs and words of what became of a hunk, the filters in their order, and
--- the reviews that can be started, with the arguments of "copane review".
return {
  marks = {
${rows((status) => glyphOf(status, UNICODE))}    seen = '${UNICODE.seen}',
  },
  words = {
${rows((status) => STATUS_WORDS[status])}  },
  filters = {
${filters.join('')}  },
  starts = {
${starts.join('')}  },
}
`;
}
