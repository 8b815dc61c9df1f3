/** The table of dialogs and states in docs/dialogs-and-states.md: reads it, fills in the measured cells, writes it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CLIENTS, type ClientName, clientSpec } from './client-catalog.ts';
import { ROOT } from './product.ts';

const FILE = path.join(ROOT, 'docs/dialogs-and-states.md');
export const STATE_WIDTHS = [44, 100] as const;

/** In the order of the rows. */
export const STATE_CASES = [
  'permission for a command',
  'permission for an edit',
  'plan',
  'question with descriptions',
  'multi-select',
  'trust prompt',
  'login or limit notice',
  'busy',
  'queued',
  'steered',
  'interrupted',
  'compacted',
  'cleared',
  'resumed',
  'forked',
  'quit',
  'killed',
] as const;
export type StateCase = (typeof STATE_CASES)[number];

const HEAD = `# Dialogs and states of the real AI CLIs

What the companion shows, at 44 and at 100 columns, of what each AI CLI asks and does: the real programs in tmux, answered
by a scripted model. \`npm run test:full -- dialog-states\` measures every cell and fails where the page says something
else; with \`COPANE_RECORD=1\` it writes the page. The clients come by \`npm run setup:clients\`.

*shown whole*: all that is asked, every answer and its description can be read. *answered*: the marked answer is what the
program got. *said*: the header or the list says it within seconds. *asks nothing*: the program went on without a question.
*no choice*: a prompt that is sent meanwhile waits. *has none*: the program offers its model no such tool, or knows no such
command or option; the run looked. *not run*: not measured. *wrong*: the run did not see it in time, and for what it waited.
`;

const nameOf = (name: ClientName) => `${clientSpec(name).cli} ${clientSpec(name).version}`;
const keyOf = (columns: number, row: string, client: string) => `${columns}|${row}|${client}`;

/** The current cells of the page. */
function readCells(): Map<string, string> {
  const cells = new Map<string, string>();
  if (!existsSync(FILE)) return cells;
  let columns = 0;
  let clients: readonly string[] = [];
  for (const line of readFileSync(FILE, 'utf8').split('\n')) {
    const heading = /^## At (\d+) columns$/.exec(line)?.[1];
    if (heading !== undefined) columns = Number(heading);
    if (!line.startsWith('| ') || line.startsWith('| ---')) continue;
    const [row = '', ...values] = line
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.trim());
    if (row === 'case') clients = values;
    else values.forEach((value, at) => void cells.set(keyOf(columns, row, clients[at] ?? ''), value));
  }
  return cells;
}

/** The page's cell for one case. */
export function pageSays({ client, columns }: MeasuredStates, row: StateCase): string {
  return readCells().get(keyOf(columns, row, nameOf(client))) ?? 'not run';
}

/** What was measured at one width of one client. */
export interface MeasuredStates {
  readonly client: ClientName;
  readonly columns: number;
  readonly cells: ReadonlyMap<StateCase, string>;
}

/** Writes the page with these cells replacing the older ones. */
export function writeStateTable(measured: readonly MeasuredStates[]): void {
  const cells = readCells();
  for (const { client, columns, cells: found } of measured)
    for (const [row, value] of found) cells.set(keyOf(columns, row, nameOf(client)), value);
  const names = CLIENTS.map(({ name }) => nameOf(name));
  const tables = STATE_WIDTHS.map((columns) => {
    const rows = STATE_CASES.map((row) => [
      row,
      ...names.map((name) => cells.get(keyOf(columns, row, name)) ?? 'not run'),
    ]);
    const lines = [['case', ...names], names.map(() => '---').concat('---'), ...rows];
    return `## At ${columns} columns\n\n${lines.map((line) => `| ${line.join(' | ')} |`).join('\n')}\n`;
  });
  writeFileSync(FILE, [HEAD, ...tables].join('\n'));
}
