import { expect, it } from 'vitest';
import { fakeAgent } from '../../../test/helpers/agent-fakes.ts';
import { fakeReview, testHunk, testSuggestion } from '../../../test/helpers/review-fakes.ts';
import { driveUi } from '../../../test/helpers/ui-driver.ts';
import { fakeUi } from '../../../test/helpers/ui-fakes.ts';
import { ok } from '../../lib/result.ts';

/** Two open hunks proposed by an agent or published by someone. */
async function open(write: 'on-save' | undefined, keys = '') {
  const suggestion = testSuggestion({
    target: '/home/user/notes',
    hunks: [testHunk('a1', { file: 'a.md' }), testHunk('b1', { file: 'b.md' })],
    ...(write === undefined ? {} : { write }),
  });
  const agent = fakeAgent();
  agent.answer = ok({ words: 'Saved 2 files', begun: null });
  const ui = await driveUi(
    fakeUi({ agent, review: fakeReview({ suggestions: [suggestion], isRead: true }) }),
  );
  await ui.type('2');
  for (const key of keys) await ui.type(key);
  await ui.settle();
  return { ui, agent };
}

const CTRL_S = '\x13';
const LAST = 'Ctrl+S writes it to the files';

it.each([
  ['one hunk after the other', 'aa'],
  ['a file at a time', 'fF'],
])('the last decision on a proposal, %s, says what to do next; the key does it', async (_, keys) => {
  const { ui, agent } = await open('on-save', keys.slice(0, 1));
  expect(ui.screen()).not.toContain(LAST);
  await ui.type(keys.slice(1));
  expect(ui.screen()).toContain(LAST);
  await ui.type(CTRL_S);
  await ui.settle();
  expect(agent.acts).toEqual([{ kind: 'save-project', root: '/home/user/notes' }]);
  expect(ui.screen()).toContain('Saved 2 files');
});

it('a suggestion written at once needs no save, and says so', async () => {
  const { ui, agent } = await open(undefined, 'aa');
  expect(ui.screen()).not.toContain(LAST);
  await ui.type(CTRL_S);
  expect(agent.acts).toEqual([]);
  expect(ui.screen()).toContain('written to disk at once');
});

it.each([
  ['on-save', 'a', true],
  ['on-save', '', false],
  [undefined, 'a', false],
] as const)('with a suggestion written %s and the keys "%s", closing asks: %s', async (write, keys, asks) => {
  const { ui } = await open(write, keys);
  await ui.type('\x03');
  const question = '1 proposal is not saved in full';
  expect(ui.screen().includes(question)).toBe(asks);
  if (!asks) return;
  await ui.type('n');
  expect(ui.screen()).not.toContain(question);
});
