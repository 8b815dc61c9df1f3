import { describe, expect, it } from 'vitest';
import { driveUi } from '../../../test/helpers/ui-driver.ts';
import { fakeUi, TEST_NOW, testDialog, testView } from '../../../test/helpers/ui-fakes.ts';
import type { Dialog } from '../../protocol/dialog.ts';
import type { ResponsesPort } from './port.ts';

const DELETE = testDialog('Delete build?', ['Yes', 'No']);
const CHANGED = 'The question has changed: select its answer again';

/** The open question of an AI, drawn again and again; null: not on its screen. */
async function asked(first: Dialog | null, answerDialog?: ResponsesPort['answerDialog']) {
  const status = { state: 'waiting', since: TEST_NOW, dialog: first, queued: false, writing: null } as const;
  const fake = fakeUi({ view: testView({ status }) });
  const responses = { ...fake.ports.responses, ...(answerDialog && { answerDialog }) };
  const ui = await driveUi({ ...fake, ports: { ...fake.ports, responses } });
  await ui.type('ga');
  const draw = async (dialog: Dialog | null, state: 'waiting' | 'working' = 'waiting') => {
    fake.setView((view) => ({ ...view, status: { ...view.status, dialog, state } }));
    await ui.type('');
  };
  return { ui, fake, draw };
}

const mark = (screen: string) => /▸ (\d) {2}/.exec(screen)?.[1] ?? null;

describe('a key for a question that is being drawn', () => {
  it('marks nothing before it is there, and says so', async () => {
    const { ui, fake, draw } = await asked(null);
    await ui.type('2');
    expect(ui.screen()).toContain('What it asks is not on its screen yet: press 2 again when it is');
    await draw(DELETE);
    await ui.type('\r');
    expect(ui.screen()).toContain('No answer is selected');
    await ui.type('2\r');
    expect(fake.answered).toEqual(['No']);
  });

  it('answers nothing while it is away, and says so', async () => {
    const { ui, fake, draw } = await asked(DELETE);
    await ui.type('2');
    await draw(null);
    await ui.type('\r');
    expect(ui.screen()).toContain('What it asks is not on its screen yet');
    expect(fake.answered).toEqual([]);
  });

  it('says that there is no such answer', async () => {
    const { ui, fake } = await asked(testDialog('Delete build?', []));
    await ui.type('1\r');
    expect(fake.answered).toEqual([]);
    const { ui: other } = await asked(DELETE);
    await other.type('3');
    expect(other.screen()).toContain('There is no answer 3');
  });
});

describe('a mark', () => {
  const KEPT: readonly (readonly [string, Dialog])[] = [
    ['wraps otherwise', testDialog('Delete\n  build?', ['Yes', 'No'])],
    ['gets another answer below', testDialog('Delete build?', ['Yes', 'No', 'Tell Claude what to change'])],
    [
      'is explained',
      { ...DELETE, source: 'transcript', kind: 'command', question: 'Delete build?\nrm -r build' },
    ],
  ];
  it.each(KEPT)('stays when the question %s', async (_how, next) => {
    const { ui, fake, draw } = await asked(DELETE);
    await ui.type('2');
    await draw(next);
    expect(mark(ui.screen())).toBe('2');
    await draw(null);
    await draw(next);
    await ui.type('\r');
    expect(fake.answered).toEqual(['No']);
  });

  const told = (question: string): Dialog => ({ ...DELETE, source: 'transcript', question });
  const LOST: readonly (readonly [string, Dialog, Dialog])[] = [
    ['another question comes', DELETE, testDialog('Delete all?', ['Yes', 'No'])],
    ['the question grows', DELETE, testDialog('Delete build?\nAnd src?', ['Yes', 'No'])],
    ['the start of the question appears', DELETE, testDialog('Run make?\nDelete build?', ['Yes', 'No'])],
    ['another answer comes above it', DELETE, testDialog('Delete build?', ['Yes', 'Yes, always', 'No'])],
    ['its answer grows', DELETE, testDialog('Delete build?', ['Yes', 'No, and stop'])],
    ['its answer is not there any more', DELETE, testDialog('Delete build?', ['Yes'])],
    ['no answer is there any more', DELETE, testDialog('Delete build?', [])],
    ['the answers change places', DELETE, testDialog('Delete build?', ['No', 'Yes'])],
    ['the same rows are about another command', told('rm -r build'), told('rm -r .build')],
  ];
  it.each(LOST)('goes with a message when %s', async (_how, before, next) => {
    const { ui, fake, draw } = await asked(before);
    await ui.type('2');
    await draw(next);
    expect(ui.screen()).toContain(CHANGED);
    await ui.type('\r');
    expect(ui.screen()).toContain('No answer is selected');
    expect(fake.answered).toEqual([]);
  });

  it('goes with a message when the question comes back as another one', async () => {
    const { ui, draw } = await asked(DELETE);
    await ui.type('2');
    await draw(null);
    await draw(testDialog('Delete all?', ['Yes', 'No']));
    expect(ui.screen()).toContain(CHANGED);
    expect(mark(ui.screen())).toBeNull();
  });

  it('goes with a message when the AI no longer asks', async () => {
    const { ui, fake, draw } = await asked(DELETE);
    await ui.type('2');
    await draw(null, 'working');
    expect(ui.screen()).toContain('The AI no longer asks this');
    await ui.type('\r');
    expect(fake.answered).toEqual([]);
  });

  it('gives its answer once, whatever is pressed while the AI takes it', async () => {
    const taken: number[] = [];
    const { ui, draw } = await asked(DELETE, async ({ option }) => {
      taken.push(option);
      return new Promise(() => undefined);
    });
    await ui.type('2\r\r');
    expect(taken).toEqual([1]);
    expect(ui.screen()).toContain('No answer is selected');
    await draw(testDialog('Delete all?', ['Yes', 'No']));
    expect(ui.screen()).not.toContain(CHANGED);
  });
});

it('stays where it was scrolled while its answers are drawn', async () => {
  const lines = Array.from({ length: 60 }, (_, at) => `step ${at + 1}`);
  const { ui, draw } = await asked(testDialog(lines.join('\n'), ['Yes']));
  await ui.type('jjj');
  expect(ui.screen()).not.toMatch(/step 3\b/);
  await draw(testDialog(lines.join('\n'), ['Yes', 'No']));
  expect(ui.screen()).not.toMatch(/step 3\b/);
  expect(ui.screen()).toMatch(/step 4\b/);
});
