/** The table of docs/fidelity.md about the changes of turns: one cell per client and case, kept from earlier runs. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CLIENTS, type ClientName, clientSpec } from './client-catalog.ts';
import { ALL_CASES, type EditCase, SEEN_CASES } from './turn-edit-cases.ts';

const FILE = path.resolve(import.meta.dirname, '../../docs/fidelity.md');
export const EDITS_HEADING = '# Fidelity of what a turn changed';
const TEXT = `What the session file of each AI CLI tells of the files that a turn changed, held against the bytes on disk before and
after it. Made by \`COPANE_RECORD=1 npm run test:full -- turn-edits\`, in real sessions in tmux with a scripted model.`;
const FOLLOWED_TEXT = `The same, and what only a look at the files can tell, while a companion follows the pane:`;
const LEGEND = `*exact*: the text before with the hunks is the text after, byte for byte, and copane says so. *proof missing*: the hunks
are right here, and copane says that the record does not prove them. *not exact*: they differ, and copane says why.
*tools only*: exact for what tools did, and copane says that commands did more. *not recorded*: nothing but the command is
in the session file. *AI only*: the edits of the AI without yours. *nothing was changed*: on disk, and none is told.
*turn not kept*: the AI CLI drops it. A dash: it was not tried since its record is read as now, or the AI CLI has no such
thing.

Why, in a word: *line ends*: the record has LF for all of them. *before*: a file that was written over looks like a new one.
*loose*: the diff was made for a screen. *no text*: only what was asked for is kept. *commits*: there is none.

*whose is not known*: you wrote within three seconds of an edit of the AI, when a hook of the AI CLI could have; or a
command took more than ten seconds; or it was stopped, and the AI CLI writes that down as it does one that was refused;
or only a tree or a commit tells of the change, and these hold what you wrote meanwhile, too.

*or*: the moment at which you write decides. Claude Code 2.1.197 reads back what it wrote: when your line is there already,
it calls its own edit failed, and the record does not say whether it was made.`;

/** A word for each reason, as in the table. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/LF in place/, 'line ends'],
  [/held before/, 'before'],
  [/loosened/, 'loose'],
  [/commit/, 'commits'],
  [/no text/, 'no text'],
];

export function shortWhy(why = ''): string {
  return WORDS.find(([pattern]) => pattern.test(why))?.[1] ?? why;
}

type Cells = ReadonlyMap<ClientName, ReadonlyMap<string, string>>;

/** From session files alone, and with a companion that follows the pane. */
export type EditTables = Readonly<Record<'alone' | 'followed', Cells>>;

/** Writes this run's cells. */
export function writeEditTable({ alone, followed }: EditTables): void {
  const page = readFileSync(FILE, 'utf8');
  const [pulls = '', edits = ''] = page.split(EDITS_HEADING);
  const [before = '', after = ''] = edits.split(FOLLOWED_TEXT);
  const tables = [
    joinTable(namesOf(ALL_CASES), alone, before),
    FOLLOWED_TEXT,
    joinTable(namesOf([...ALL_CASES, ...SEEN_CASES]), followed, after),
  ];
  writeFileSync(
    FILE,
    `${pulls.trimEnd()}\n\n${EDITS_HEADING}\n\n${TEXT}\n\n${tables.join('\n\n')}\n\n${LEGEND}\n`,
  );
}

const namesOf = (cases: readonly EditCase[]) => cases.map(({ name }) => name);

/** This run's cells that differ from the page. */
export function otherThanOnPage(
  { alone, followed }: EditTables,
  page = readFileSync(FILE, 'utf8'),
): readonly string[] {
  const [, edits = ''] = page.split(EDITS_HEADING);
  const [before = '', after = ''] = edits.split(FOLLOWED_TEXT);
  const compare = (cells: Cells, page: string) => {
    const known = knownCells(page);
    return [...cells].flatMap(([client, column]) =>
      [...column].flatMap(([name, cell]) => {
        const told = known.get(`${titleOf(client)}:${name}`);
        return isOneOf(told, cell) ? [] : [`${client}, ${name}: ${cell}; the page: ${told}`];
      }),
    );
  };
  return [...compare(alone, before), ...compare(followed, after)];
}

const OR = ' or ';
/** A cell has several values if they depend on the moment at which a human writes. */
const isOneOf = (told: string | undefined, cell: string) => told?.split(OR).includes(cell) ?? false;

/** One row per case, one column per client; `before`: the table with the cells of earlier runs. */
export function joinTable(names: readonly string[], cells: Cells, before: string): string {
  const known = knownCells(before);
  const row = (values: readonly string[]) => `| ${values.join(' | ')} |`;
  const rows = names.map((name) =>
    row([
      name,
      ...CLIENTS.map((client) => {
        const told = known.get(`${titleOf(client.name)}:${name}`);
        const cell = cells.get(client.name)?.get(name);
        return cell === undefined || isOneOf(told, cell) ? (told ?? '–') : cell;
      }),
    ]),
  );
  const head = ['case', ...CLIENTS.map((client) => titleOf(client.name))];
  return [row(head), row(head.map(() => '---')), ...rows].join('\n');
}

const titleOf = (name: ClientName) => `${name.replace(/-(old|new)$/, '')} ${clientSpec(name).version}`;

function knownCells(text: string): ReadonlyMap<string, string> {
  const rows = text.split('\n').filter((line) => line.startsWith('| '));
  const split = (line: string) => line.slice(2, -2).split(' | ');
  const titles = split(rows[0] ?? '');
  const cells = rows.slice(2).flatMap((line) => {
    const [name = '', ...values] = split(line);
    return values.map((value, at) => [`${titles[at + 1]}:${name}`, value] as const);
  });
  return new Map(cells);
}
