import { describe, expect, it } from 'vitest';
import { driveUi, type UiDriver } from '../../../test/helpers/ui-driver.ts';
import { fakeUi, testClock, testTurn, testView } from '../../../test/helpers/ui-fakes.ts';
import { fail, ok } from '../../lib/result.ts';
import type { Draft } from '../../protocol/draft.ts';
import { SAVE_GAP_MS } from './draft-sync.ts';

const ESC = '\u001b';
const RESPONSE = 'alpha\nbeta\ngamma';
const SIZE = { columns: 80, rows: 40 };

const view = () => testView({ turns: [testTurn('t1', { response: RESPONSE })] });
const textsOf = (ui: UiDriver) => ui.state().draft.draft.lines.map((line) => line.text);
const open = async (fake = fakeUi({ view: view() })) => ({ fake, ui: await driveUi(fake, { size: SIZE }) });

describe('copying and the editor', () => {
  it('copies the response, the selection, the draft', async () => {
    const { fake, ui } = await open();
    await ui.type('y\rvjy');
    await ui.type('py');
    expect(fake.copied).toEqual([RESPONSE, 'alpha\nbeta', RESPONSE]);
    expect(ui.screen()).toContain('Copied the draft to the clipboard');
  });

  it('adopts the editor result for the draft, as one step to undo', async () => {
    const fake = fakeUi({ view: view(), edit: (text, line) => ok(`${text}\nfrom line ${line}`) });
    const { ui } = await open(fake);
    await ui.type('pjE');
    await ui.settle();
    expect(ui.events).toEqual(['hand over', 'take back']);
    expect(textsOf(ui)).toEqual(['alpha', 'beta', 'gamma', 'from line 2']);
    expect(ui.state().draft.draft.lines[0]?.tag).toBe('response');
    await ui.type('u');
    expect(textsOf(ui)).toEqual(['alpha', 'beta', 'gamma']);
  });

  it('says what went wrong with the editor', async () => {
    const { ui } = await open(fakeUi({ view: view(), edit: () => fail('invalid', '$EDITOR is not set') }));
    await ui.type('E');
    await ui.settle();
    expect(ui.screen()).toContain('$EDITOR is not set');
  });
});

describe('the stored draft', () => {
  const stored = (fake: ReturnType<typeof fakeUi>) =>
    [...fake.drafts.values()].map((each) => each.draft.lines.map((line) => line.text));

  it('is saved shortly after every change, and at the end', async () => {
    const clock = testClock();
    const fake = fakeUi({ view: view(), clock });
    const { ui } = await open(fake);
    await ui.type('oone');
    clock.advance(SAVE_GAP_MS);
    await ui.settle();
    expect(stored(fake)).toEqual([['one']]);
    await ui.type(' two');
    await ui.controller.stop();
    expect(stored(fake)).toEqual([['one two']]);
  });

  it('is there again when the surface restarts', async () => {
    const fake = fakeUi({ view: view() });
    const first = await open(fake);
    await first.ui.type(`pomine${ESC}`);
    await first.ui.controller.stop();
    const { ui } = await open(fake);
    expect(textsOf(ui)).toEqual(['alpha', 'mine', 'beta', 'gamma']);
    expect(ui.state().draft.draft.lines.map((line) => line.tag)).toEqual([
      'response',
      'note',
      'response',
      'response',
    ]);
  });

  const foreign = (text: string): Draft => ({
    lines: [{ id: 1, text, tag: 'note', changed: false, origin: null }],
    pulls: [],
    nextLineId: 2,
  });

  it('follows the changes of another companion', async () => {
    const { fake, ui } = await open();
    fake.writeDraft(fake.ports.draft.keyOf(fake.ports.responses.getSnapshot()), foreign('theirs'));
    expect(textsOf(ui)).toEqual(['theirs']);
  });

  it('yields to a newer one without losing a word', async () => {
    const clock = testClock();
    const fake = fakeUi({ view: view(), clock });
    const { ui } = await open(fake);
    await ui.type(`omine${ESC}`);
    fake.writeDraft(fake.ports.draft.keyOf(fake.ports.responses.getSnapshot()), foreign('theirs'));
    expect(textsOf(ui)).toEqual(['theirs']);
    expect(ui.screen()).toContain('u brings yours back');
    await ui.type('u');
    expect(textsOf(ui)).toEqual(['mine']);
    clock.advance(SAVE_GAP_MS);
    await ui.settle();
    expect(stored(fake)).toEqual([['mine']]);
  });

  it('keeps both if another was stored while this one was being left', async () => {
    const fake = fakeUi({ view: view(), clock: testClock() });
    const { ui } = await open(fake);
    const key = fake.ports.draft.keyOf(fake.ports.responses.getSnapshot());
    await ui.type(`omine${ESC}`);
    fake.drafts.set(`${key.project}\n${key.pane}`, {
      key,
      draft: foreign('theirs'),
      revision: 7,
      updatedAt: 0,
    });
    await ui.controller.stop();
    expect(stored(fake)).toEqual([['theirs', 'mine']]);
  });

  it('is separate for another pane', async () => {
    const { fake, ui } = await open();
    await ui.type(`omine${ESC}`);
    fake.setView((old) => ({ ...old, selected: 'other' }));
    await ui.settle();
    expect(textsOf(ui)).toEqual([]);
    fake.setView((old) => ({ ...old, selected: view().selected }));
    await ui.settle();
    expect(textsOf(ui)).toEqual(['mine']);
  });
});
