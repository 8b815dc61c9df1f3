/** The Shell screen's keys: go through requests, explain, go private, forget, copy the line that connects. */
import { describe, expect, it } from 'vitest';
import { fakeShell, testAnswered, testCompletion } from '../../../test/helpers/shell-fakes.ts';
import { driveUi } from '../../../test/helpers/ui-driver.ts';
import { fakeUi } from '../../../test/helpers/ui-fakes.ts';
import type { CompletionStatus } from '../../protocol/shell.ts';
import { INIT_LINE } from './empty.ts';

async function open(shell = fakeShell(), size = { columns: 80, rows: 24 }) {
  const fake = fakeUi({ shell });
  const ui = await driveUi(fake, { size });
  await ui.type('4');
  return { ui, shell, fake };
}

describe('display', () => {
  it('is updated only while the screen is shown', async () => {
    const { ui, shell } = await open();
    expect(shell.watched()).toBe(true);
    await ui.type('1');
    expect(shell.watched()).toBe(false);
  });

  it('shows the state, the speed, the sources, and what was accepted', async () => {
    const { ui } = await open();
    const screen = ui.screen();
    for (const words of ['alive', '1,284 times', '0.8 ms', '6.2 ms', '24 %', '15,401', 'history 47 %'])
      expect(screen).toContain(words);
    expect(screen).toContain('git status --short ✓');
    expect(screen).toContain('nothing to offer');
  });

  it.each<[Partial<CompletionStatus>, string]>([
    [
      { requests: 1, accepted: 0, recent: [testAnswered(1)], warnings: ['no history was found'] },
      'no history was found',
    ],
    [{ model: model({ lastMs: 210, answered: 3 }) }, 'tiny, 3 answers, last in 210 ms'],
    [{ model: model({ isRemote: true }) }, 'leaves this machine'],
    [{ model: model({ problem: { code: 'x', message: 'it is down' } }) }, 'it is down'],
  ])('says %j', async (fields, words) => {
    const { ui } = await open(fakeShell({ state: 'running', status: testCompletion(fields) }));
    expect(ui.screen()).toContain(words);
  });

  it('follows the newest request unless another is marked', async () => {
    const { ui, shell } = await open();
    const newer = testCompletion({
      recent: [testAnswered(41, { input: 'newer' }), ...testCompletion().recent],
    });
    shell.setView({ shell: { state: 'running', status: newer }, problem: null });
    expect(ui.rows().find((row) => row.startsWith('▸'))).toContain('newer');
    await ui.type('jj');
    const newest = testCompletion({ recent: [testAnswered(42, { input: 'newest' }), ...newer.recent] });
    shell.setView({ shell: { state: 'running', status: newest }, problem: null });
    expect(ui.rows().find((row) => row.startsWith('▸'))).toContain('git status --short ✓');
  });

  it('keeps the marked request in view, however many there are', async () => {
    const recent = Array.from({ length: 30 }, (_, index) =>
      testAnswered(30 - index, { input: `cmd-${30 - index}` }),
    );
    const { ui } = await open(fakeShell({ state: 'running', status: testCompletion({ recent }) }));
    await ui.type('G');
    expect(ui.rows().find((row) => row.startsWith('▸'))).toContain('cmd-1');
    await ui.type('gg');
    expect(ui.rows().find((row) => row.startsWith('▸'))).toContain('cmd-30');
  });

  it('fits the reasons at every size', async () => {
    for (const size of [
      { columns: 40, rows: 12 },
      { columns: 60, rows: 40 },
      { columns: 160, rows: 50 },
    ]) {
      const { ui } = await open(fakeShell(), size);
      if (size.columns < 96) await ui.type('x');
      expect(ui.screen()).toContain('62 %');
      expect(ui.screen()).toContain('history, tokens');
    }
  });
});

it('shows whole sentences in forty columns', async () => {
  const busy = testCompletion({ isPrivate: true });
  const { ui } = await open(fakeShell({ state: 'running', status: busy }), { columns: 40, rows: 40 });
  const cut = ui
    .screen()
    .split('\n')
    .filter((row) => /^ (?:Private|asked|answered|taken|history|model)\b.*…/.test(row));
  expect(cut).toEqual([]);
  expect(ui.screen()).toMatch(/history +█+ +\d+ %, taken \d+ times/);
});

describe('keys', () => {
  it('x explains the order of the candidates, and hides the explanation again', async () => {
    const { ui } = await open();
    expect(ui.screen()).not.toContain('Why');
    await ui.type('jjx');
    expect(ui.screen()).toContain('typo: "gti" is not known, "git" is; a correction; more may follow');
    await ui.type('x');
    expect(ui.screen()).not.toContain('Why');
  });

  it('P goes private for all shells, and back', async () => {
    const { ui } = await open();
    await ui.type('P');
    expect(ui.screen()).toContain('Private mode: no shell gets answers');
    expect(ui.screen()).toContain('until P is pressed again');
    await ui.type('P');
    expect(ui.screen()).not.toContain('Private mode: no shell');
  });

  it('d forgets the top line after confirmation', async () => {
    const { ui, shell } = await open();
    await ui.type('d');
    expect(ui.screen()).toContain('git status --short');
    expect(shell.forgotten).toEqual([]);
    await ui.type('y');
    expect(shell.forgotten).toEqual(['git status --short']);
  });

  it('y copies the top line; without requests, the line that connects a shell', async () => {
    const { ui, fake } = await open();
    await ui.type('y');
    const empty = testCompletion({ requests: 0, recent: [] });
    const other = await open(fakeShell({ state: 'running', status: empty }));
    expect(other.ui.screen()).toContain(INIT_LINE);
    await other.ui.type('y');
    expect([...fake.copied, ...other.fake.copied]).toEqual(['git status --short', INIT_LINE]);
  });
});

describe('without completions', () => {
  it.each([
    [{ state: 'none' }, 'A short copane command is the leader'],
    [{ state: 'refused', message: 'somebody else listens', hint: 'Do this.' }, 'somebody else listens'],
    [null, 'Loading the completions'],
  ] as const)('%j', async (shell, words) => {
    const { ui } = await open(fakeShell(shell));
    expect(ui.screen().replaceAll('\n', ' ')).toContain(words);
    await ui.type('xPdj');
    expect(ui.screen()).toContain('are not running here');
  });

  it('says what keeps it from knowing', async () => {
    const { ui, shell } = await open();
    shell.setView({ shell: null, problem: { code: 'internal', message: 'The worker does not answer.' } });
    expect(ui.screen()).toContain('The worker does not answer.');
  });
});

function model(fields: object) {
  return {
    name: 'tiny',
    isRemote: false,
    asked: 4,
    answered: 1,
    failed: 0,
    lastMs: null,
    problem: null,
    ...fields,
  };
}
