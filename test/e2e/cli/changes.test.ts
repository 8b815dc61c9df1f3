/** `copane changes` for a session that no program runs any more, from its file only. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunOutcome, run } from '../../../src/platform/run.ts';
import { COPANE, copaneEnv } from '../../helpers/companion-pane.ts';
import { git } from '../../helpers/git-fixture.ts';
import { jsonLines, put } from '../../helpers/recorded-session.ts';
import { removeTree } from '../../helpers/remove-tree.ts';

const SESSION = '5b1e0000-0000-4000-8000-000000000002';
let root = '';
let project = '';

function lines(): object[] {
  const file = path.join(project, 'src/a.txt');
  const edit = (step: { turn: number; old: string; put: string; original: string }) => {
    const id = `call${step.turn}`;
    const content = [{ type: 'tool_use', id, name: 'Edit', input: { file_path: file } }];
    const told = { filePath: file, oldString: step.old, newString: step.put, originalFile: step.original };
    const backup = { backupFileName: `${`${step.turn}`.repeat(16)}@v1`, realParentDir: project };
    return [
      { type: 'user', message: { role: 'user', content: `Turn ${step.turn}.` }, uuid: `p${step.turn}` },
      { type: 'file-history-delta', snapshotMessageId: `p${step.turn}`, trackingPath: 'src/a.txt', backup },
      { type: 'assistant', message: { id, role: 'assistant', content }, uuid: `a${step.turn}` },
      {
        type: 'user',
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] },
        toolUseResult: told,
        uuid: `r${step.turn}`,
      },
    ];
  };
  const rows: Record<string, unknown>[] = [
    ...edit({ turn: 1, old: 'one', put: 'ONE', original: 'one\ntwo\nthree\n' }),
    ...edit({ turn: 2, old: 'three', put: 'THREE', original: 'ONE\ntwo\nthree\n' }),
  ];
  let parentUuid: unknown = null;
  return rows.map((row) => {
    if (row.uuid === undefined) return row;
    const linked = { ...row, parentUuid, cwd: project, timestamp: '2026-01-01T00:00:00Z' };
    parentUuid = row.uuid;
    return linked;
  });
}

beforeAll(() => {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'copane-changes-')));
  project = path.join(root, 'project');
  mkdirSync(project);
  git(project, 'init', '-q');
  put(path.join(project, 'src/a.txt'), 'ONE\ntwo\nTHREE\n');
  const claude = path.join(root, 'claude');
  const folder = project.replace(/[^A-Za-z0-9-]/g, '-');
  put(path.join(claude, 'projects', folder, `${SESSION}.jsonl`), jsonLines(lines()));
  const history = path.join(claude, 'file-history', SESSION);
  put(path.join(history, `${'1'.repeat(16)}@v1`), 'one\ntwo\nthree\n');
  put(path.join(history, `${'2'.repeat(16)}@v1`), 'ONE\ntwo\nthree\n');
});
afterAll(() => removeTree(root));

const changes = (...args: string[]) => copane(project, 'changes', ...args);

function copane(cwd: string, ...args: readonly string[]): Promise<RunOutcome> {
  const own = { CLAUDE_CONFIG_DIR: path.join(root, 'claude'), TMUX_TMPDIR: root, TMUX: '' };
  const env = { ...copaneEnv({ root, project }), ...own };
  return run(COPANE, [...args], { env, cwd, timeoutMs: 50_000 });
}

const text = ({ stdout }: RunOutcome) => stdout.toString('utf8');

describe('the changes of a session of yesterday', () => {
  test('are summarized for the newest turn, with the name of the session', async () => {
    const outcome = await changes();
    expect(text(outcome)).toBe(' src/a.txt | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n');
    expect(outcome).toMatchObject({ code: 0, stderr: expect.stringContaining(`claude ${SESSION}`) });
  });

  test('are a patch that git can revert, of one turn or of all', async () => {
    const patch = path.join(root, 'p.patch');
    const [first, second, third] = ['one\ntwo\nthree\n', 'ONE\ntwo\nthree\n', 'ONE\ntwo\nTHREE\n'];
    for (const [args, before, after] of [
      [['-n', '2'], first, second],
      [['-n', '1'], second, third],
      [['--from', '2'], first, third],
      [['--session', '--id', SESSION.slice(0, 8)], first, third],
    ] as const) {
      writeFileSync(patch, (await changes('--patch', ...args)).stdout);
      writeFileSync(path.join(project, 'src/a.txt'), after);
      git(project, 'apply', '-R', patch);
      expect(readFileSync(path.join(project, 'src/a.txt'), 'utf8')).toBe(before);
    }
  });

  test('have snake_case names for programs', async () => {
    const told = JSON.parse(text(await changes('--json', '--session')));
    expect(told).toMatchObject({
      added: 2,
      removed: 2,
      sources: ['tool'],
      turns: [{ id: 'p1' }, { id: 'p2' }],
    });
    expect(told.files[0]).toMatchObject({
      path: path.join(project, 'src/a.txt'),
      exact: true,
      hunks: [{ old_start: 1, old_lines: 3, origin: 'tool', diff: expect.stringContaining('-one\n+ONE\n') }],
    });
  });

  test('are reviewed answer by answer', async () => {
    const review = (...args: string[]) => copane(project, 'review', '--json', ...args);
    const first = await review('--turn', '2', '--id', SESSION.slice(0, 8));
    expect(JSON.parse(text(first)).hunks).toMatchObject([{ diff: expect.stringContaining('+ONE') }]);
    expect(await review('--turn', '3', '--id', SESSION)).toMatchObject({ code: 4 });
    const asked = ['--turn', '2', '--id', SESSION];
    for (const [args, why] of [
      [['--id', SESSION], '--id names the session of an answer'],
      [[...asked, 'src/b.txt'], '--turn says what to review. Put file names after "--"'],
      [[...asked, '--', 'src/b.txt'], 'nothing to review. No file or line that was asked for has changed'],
      [[...asked, '--exclude', 'src'], 'nothing to review. No file or line that was asked for has changed'],
    ] as const) {
      const { code, stderr } = await review(...args);
      expect([code, stderr.replace(/\s+/g, ' ')]).toEqual([2, expect.stringContaining(why)]);
    }
  });

  test('lists the turns and sessions', async () => {
    expect(await changes('-n', '3')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('there are 2 turns'),
    });
    expect(await changes('--id', 'x')).toMatchObject({ code: 4, stderr: expect.stringContaining(SESSION) });
    expect(await changes('--id', '')).toMatchObject({ code: 4, stderr: expect.stringContaining(SESSION) });
    expect(await changes('-n', '1', '--session')).toMatchObject({ code: 2 });
    expect(await copane(root, 'changes')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining(`no session of an AI CLI for ${root}`),
    });
  });
});
