/** Every command in a project whose names and texts are hostile: what it prints has no hidden character, no forged line. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assistant, text, use, user } from '../../helpers/claude-session.ts';
import { type CliRun, envBelow, runCli } from '../../helpers/cli.ts';
import { git, makeFolder, makeRepository, patchTo, putTree } from '../../helpers/git-fixture.ts';
import { FORGED, HOSTILE_LINE, HOSTILE_NAME, rawIn } from '../../helpers/hostile-text.ts';
import { jsonLines, put } from '../../helpers/recorded-session.ts';
import { removeTree } from '../../helpers/remove-tree.ts';

/** Git takes no control characters in the name of a branch. */
const BRANCH = 'b\u202ee\u{e0041}\u3164h\u200b\u00ad';
const FOLDER = HOSTILE_NAME.replaceAll('/', '');
const FILE = `${FOLDER}.ts`;
const FIVE = 'export function one() {}\n2\n3\n4\n5\n';

const bytesOf = (text: string) => Buffer.from(text).toString('latin1');
/** The helpers of trees take one character for each byte. */
const inBytes = (tree: Readonly<Record<string, string | null>>) =>
  Object.fromEntries(
    Object.entries(tree).map(([name, content]) => [
      bytesOf(name),
      content === null ? null : bytesOf(content),
    ]),
  );

let root = '';
let home = '';
let id = '';
let sandbox = '';

const copane = (args: readonly string[], input: string | Buffer = '') =>
  runCli(args, {
    cwd: root,
    env: { ...envBelow(home), CLAUDE_CONFIG_DIR: path.join(home, 'claude') },
    input,
  });

/** Lines that begin with what should stand inside a name, and hidden characters. */
function unsafe({ out, err }: CliRun): readonly string[] {
  const lines = `${out}\n${err}`.split('\n');
  return lines.filter((line) => rawIn(line).length > 0 || line.startsWith(FORGED));
}

function sessionOfClaude(): void {
  const file = path.join(root, FILE);
  const rows: Record<string, unknown>[] = [
    user('u1', null, `Change ${HOSTILE_NAME}`),
    assistant(
      'a1',
      'u1',
      [text(HOSTILE_NAME), use('c1', 'Edit', { file_path: file, old_string: '2', new_string: '3' })],
      null,
    ),
    user('r1', 'a1', [{ type: 'tool_result', tool_use_id: 'c1', content: 'ok' }], {
      toolUseResult: { filePath: file, oldString: '2', newString: HOSTILE_LINE, originalFile: FIVE },
    }),
    use('c2', 'Write', { file_path: path.join(root, `lost${FILE}`), content: HOSTILE_NAME }) &&
      assistant('a2', 'r1', [text('Done.')], 'end_turn'),
  ];
  const linked = rows.map((row) => ({ ...row, cwd: root, gitBranch: BRANCH, sessionId: SESSION }));
  const folder = path.join(home, 'claude/projects', root.replace(/[^A-Za-z0-9-]/g, '-'));
  put(
    path.join(folder, `${SESSION}.jsonl`),
    jsonLines([...linked, { type: 'summary', summary: HOSTILE_NAME, leafUuid: 'a2' }]),
  );
}
const SESSION = '5b1e0000-0000-4000-8000-000000000013';

beforeAll(async () => {
  root = makeRepository(inBytes({ [FILE]: FIVE, [`${FOLDER}/.envrc`]: 'a\n', plain: FIVE }));
  home = makeFolder();
  mkdirSync(path.join(home, 'run'), { mode: 0o700 });
  git(root, 'checkout', '-qb', BRANCH);
  sessionOfClaude();
  const want = { [FILE]: `${FIVE}${HOSTILE_LINE}\n`, [`${FOLDER}/.envrc`]: HOSTILE_LINE, plain: null };
  const patch = Buffer.from(patchTo(root, inBytes(want)), 'latin1');
  const about = ['--description', HOSTILE_NAME, '--note', `plain=${HOSTILE_NAME}`];
  const published = await copane(['publish', '--json', ...about], patch);
  if (published.code !== 0) throw new Error(published.err);
  id = JSON.parse(published.out).suggestion_id;
});
afterAll(() => {
  for (const folder of [root, home]) removeTree(folder);
});

const hunkOf = async (file: string): Promise<string> => {
  const { hunks } = JSON.parse((await copane(['show', id, '--json'])).out);
  return hunks.find((hunk: { file: string }) => hunk.file === file).id;
};

/** In order: the later ones need what the earlier ones did. A function makes arguments that are known only then. */
const COMMANDS: readonly (readonly string[] | (() => Promise<readonly string[]>))[] = [
  ['suggestions'],
  async () => ['show', id],
  async () => ['show', id, '--json'],
  async () => ['decide', id, 'all', 'accept'],
  async () => ['decide', id, await hunkOf('plain'), 'comment', '--comment', HOSTILE_LINE],
  async () => ['reply', id, await hunkOf('plain'), HOSTILE_NAME],
  async () => ['decide', id, await hunkOf('plain'), 'reject', '--comment', HOSTILE_LINE],
  async () => ['decide', id, await hunkOf(FILE), 'accept'],
  async () => ['decide', id, await hunkOf(FILE), 'accept', '--json'],
  async () => ['undo', id, await hunkOf(FILE)],
  async () => ['redo', id, await hunkOf(FILE)],
  async () => ['decide', id, 'all', 'accept', '--accept-self-running'],
  async () => ['review', '--notes', id],
  async () => ['review', '--notes', id, '--json'],
  async () => ['finish', id, 'finalize', '--commit'],
  async () => ['reopen', id],
  ['sessions'],
  ['sessions', '--json'],
  ['sessions', '--search', FORGED],
  ['changes', '--id', SESSION],
  ['changes', '--id', SESSION, '--json'],
  ['pull', '--session', SESSION, '--json'],
  ['pull', '--session', SESSION, '--all', '--json'],
  ['map', FILE],
  ['map', FILE, '--json'],
  ['map', FOLDER],
  ['map', `no${FILE}`],
  ['review'],
  ['review', '--json'],
  ['review', BRANCH],
  ['review', `no${BRANCH}`],
  ['review', `HEAD..${HOSTILE_NAME}`],
  ['review', FILE],
  ['publish', '--patch', FILE],
  ['publish', '--patch', `no${FILE}`],
  ['sandbox', 'new', BRANCH],
  async () => ['sandbox', 'new', 'harmless', '--json'],
  ['sandbox', 'list'],
  async () => ['publish', '--source', sandbox],
  ['sandbox', 'rm', HOSTILE_NAME],
  ['agent', 'run', 'x', '--session', HOSTILE_NAME],
  ['agent', 'run', HOSTILE_NAME, '--root', FOLDER],
  ['complete', `cat x`],
  ['complete', `cat ${HOSTILE_LINE}`],
  ['status'],
  ['doctor'],
  ['doctor', '--json'],
  ['state'],
  ['model'],
  ['token', HOSTILE_NAME],
  ['send', HOSTILE_NAME],
  ['send', '-', '--pane', HOSTILE_NAME],
  ['append', '--pane', HOSTILE_NAME],
  ['eval', HOSTILE_NAME],
  ['trace', HOSTILE_NAME],
  ['show', HOSTILE_NAME],
  ['decide', HOSTILE_NAME, HOSTILE_NAME, 'accept'],
  ['init', 'tmux'],
];

describe('what people read', () => {
  test.each(
    COMMANDS.map(
      (command, index) =>
        [
          typeof command === 'function' ? String(command).slice(6, 60) : command.join(' ').slice(0, 40),
          index,
          command,
        ] as const,
    ),
  )('has nothing raw in it: %j', async (_name, _index, command) => {
    const args = typeof command === 'function' ? await command() : command;
    const said = await copane(args, args[0] === 'append' || args[0] === 'send' ? HOSTILE_NAME : '');
    if (args[1] === 'new' && args.includes('--json')) {
      sandbox = JSON.parse(said.out).folder;
      putTree(sandbox, inBytes({ [FILE]: `${FIVE}six\n`, [`x${FILE}`]: HOSTILE_NAME }));
    }
    if (process.env.SHOW_ALL)
      console.log(
        JSON.stringify(args).slice(0, 100),
        said.code,
        said.out.slice(0, 1500),
        said.err.slice(0, 1500),
      );
    expect(`${said.out}${said.err}`).not.toBe('');
    expect(unsafe(said)).toEqual([]);
  });

  test('and a configuration with such names is complained about in the same way', async () => {
    put(
      path.join(home, 'config/copane/config.jsonc'),
      JSON.stringify({ [HOSTILE_NAME]: HOSTILE_NAME, keys: { [HOSTILE_NAME]: HOSTILE_NAME } }),
    );
    expect(unsafe(await copane(['doctor']))).toEqual([]);
    writeFileSync(path.join(home, 'config/copane/config.jsonc'), `{ "${HOSTILE_NAME}`);
    expect(unsafe(await copane(['doctor']))).toEqual([]);
  });
});
